/// What a person said of a message.
public struct MailLabel: Hashable, Sendable {
    public var kind: Kind
    /// `nil` where nobody said; of unwanted mail it is nothing to be right about.
    public var category: MailCategory?

    public enum Kind: String, Codable, Hashable, Sendable {
        case wanted, spam, phishing
    }

    public init(_ kind: Kind, category: MailCategory? = nil) {
        self.kind = kind
        self.category = category
    }

    /// One of ``names``, in any case; `nil` for another one. A category says that the mail is wanted, too.
    public init?(name: String) {
        switch name.lowercased() {
        case "ham", "wanted": self.init(.wanted)
        case "spam": self.init(.spam)
        case "phishing", "phish": self.init(.phishing)
        case let name:
            guard let category = MailCategory(rawValue: name) else { return nil }
            self.init(.wanted, category: category)
        }
    }

    public static let names =
        MailCategory.allCases.map(\.rawValue) + ["ham", "wanted", "spam", "phishing", "phish"]

    public var isUnwanted: Bool { kind != .wanted }

    /// The category of wanted mail that has one, else the kind.
    public var name: String { kind == .wanted ? category?.rawValue ?? kind.rawValue : kind.rawValue }
}
