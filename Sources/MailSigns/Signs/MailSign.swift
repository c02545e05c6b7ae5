/// One thing about a message that speaks for fraud, or that a judgement should know of.
public struct MailSign: Codable, Hashable, Sendable {
    public var kind: Kind
    public var strength: Strength
    /// Part of an English sentence with the evidence, at most 200 characters, on one line: it may quote what a stranger
    /// wrote, without control characters and without what cannot be seen.
    public var detail: String

    public static let longestDetail = 200

    public init(_ kind: Kind, _ strength: Strength, _ detail: String) {
        self.kind = kind
        self.strength = strength
        self.detail =
            detail.count <= Self.longestDetail ? detail : detail.prefix(Self.longestDetail - 1) + "…"
    }

    /// What it weighs, by how often it was found in fraud and in wanted mail.
    public enum Strength: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
        /// More frequent in wanted bulk mail than in fraud, or harmless by itself: something only together with others.
        case context
        case weak
        /// Hardly ever in wanted mail.
        case strong

        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Open, so that adding one never breaks a caller's `switch`.
    public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

/// Of the sender.
extension MailSign.Kind {
    public static let dmarcFail = Self(rawValue: "dmarc_fail")
    /// Soft failures included.
    public static let spfFail = Self(rawValue: "spf_fail")
    public static let dkimFail = Self(rawValue: "dkim_fail")
    /// Answers go to another domain than the sender's.
    public static let replyToElsewhere = Self(rawValue: "reply_to_elsewhere")
    /// The sender's name is a brand's, and the address is not.
    public static let brandInName = Self(rawValue: "brand_in_name")
    /// The sender's name shows another address than the message is from.
    public static let displayNameIsAddress = Self(rawValue: "display_name_is_address")
    /// From whom it is to, and nothing shows that it is.
    public static let fromSelf = Self(rawValue: "from_self")
    public static let manyFrom = Self(rawValue: "many_from")
    /// Characters that turn text around or cannot be seen, in the subject, the sender's name or a file's name.
    public static let bidiTrick = Self(rawValue: "bidi_trick")
}

/// Of hosts: a link's, the sender's, or the one that answers go to.
extension MailSign.Kind {
    public static let shortener = Self(rawValue: "shortener")
    /// A brand's name within the host of somebody else.
    public static let brandInHost = Self(rawValue: "brand_in_host")
    /// A domain that looks like a brand's and is another.
    public static let homograph = Self(rawValue: "homograph")
    public static let abusedEnding = Self(rawValue: "abused_tld")
    public static let numericHost = Self(rawValue: "numeric_host")
    public static let userInURL = Self(rawValue: "user_in_url")
    public static let longHost = Self(rawValue: "long_host")
    public static let manyLabels = Self(rawValue: "many_labels")
    /// Letters beyond ASCII in a host, as punycode or not.
    public static let punycode = Self(rawValue: "punycode")
    public static let linkTextElsewhere = Self(rawValue: "link_text_elsewhere")
    public static let urlInURL = Self(rawValue: "url_in_url")
    public static let dataOrJavaScriptLink = Self(rawValue: "data_or_javascript_link")
    /// On the list that ``KnownPhishing`` holds.
    public static let knownPhishing = Self(rawValue: "known_phishing")
}

/// Of the content.
extension MailSign.Kind {
    public static let form = Self(rawValue: "form")
    public static let hiddenText = Self(rawValue: "hidden_text")
    public static let executableAttachment = Self(rawValue: "executable_attachment")
    public static let htmlAttachment = Self(rawValue: "html_attachment")
    /// A program that is named like a document.
    public static let doubleExtension = Self(rawValue: "double_extension")
    /// An archive, and a text that gives its password: no scanner could open it.
    public static let passwordArchive = Self(rawValue: "password_archive")
    /// Text that speaks to an AI which may read the message, and not to a person.
    public static let instructions = Self(rawValue: "instructions")
}
