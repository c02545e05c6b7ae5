/// Something that a reader of the message should know was not as it should be, or was left out.
public struct MailNotice: Codable, Hashable, Sendable {
    public var kind: Kind
    /// How much is meant: bytes, parts, headers or words, as ``kind`` says; 0 where there is nothing to count.
    public var count: Int

    public init(_ kind: Kind, count: Int = 0) {
        self.kind = kind
        self.count = count
    }

    /// Open, so that adding one never breaks a caller's `switch`.
    public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

/// Left out, since it was over a limit of ``MailLimits``.
extension MailNotice.Kind {
    /// `count` bytes at the end of the message.
    public static let messageTooLong = Self(rawValue: "message_too_long")
    /// What follows the part that `count` numbers.
    public static let tooManyParts = Self(rawValue: "too_many_parts")
    /// `count` containers that were not opened.
    public static let tooDeep = Self(rawValue: "too_deep")
    /// `count` headers.
    public static let headersDropped = Self(rawValue: "headers_dropped")
    /// Encoded words of `count` headers, which are shown as they are written.
    public static let encodedWordsKept = Self(rawValue: "encoded_words_kept")
    /// `count` addresses.
    public static let addressesDropped = Self(rawValue: "addresses_dropped")
    /// `count` bytes of text at least.
    public static let textTooLong = Self(rawValue: "text_too_long")
    /// `count` bytes of HTML.
    public static let htmlTooLong = Self(rawValue: "html_too_long")
    /// HTML nested so deep that its last `count` bytes were read without regard to markup.
    public static let htmlTooDeep = Self(rawValue: "html_too_deep")
    /// `count` links.
    public static let linksDropped = Self(rawValue: "links_dropped")
}

/// Read in spite of a fault.
extension MailNotice.Kind {
    /// Not one header: perhaps this is no message.
    public static let noHeaders = Self(rawValue: "no_headers")
    /// No Message-ID, or several different ones: ``MailMessage/id`` is made from the content.
    public static let messageIDMade = Self(rawValue: "message_id_made")
    /// The Date header is missing or no date; the newest Received header's date stands in where there is one.
    public static let dateUnreadable = Self(rawValue: "date_unreadable")
    /// The date is outside of the years 1970 to 9999 and was moved to the nearest moment within.
    public static let dateClamped = Self(rawValue: "date_clamped")
    /// Text in `count` parts was not in the character set that it claims.
    public static let charsetWrong = Self(rawValue: "charset_wrong")
    /// `count` parts are of a type, boundary or structure that GMime had to guess.
    public static let malformed = Self(rawValue: "malformed")
}
