/// A name that fraud likes to borrow, and the registrable domains that are its own.
public struct Brand: Codable, Hashable, Sendable {
    /// As it is shown.
    public var name: String
    /// What stands for it in a sender's name, in lower case, words separated by single spaces.
    public var phrases: [String]
    /// Registrable domains.
    public var domains: [String]
    public var use: Use

    /// How sure it is that a phrase means the brand.
    public enum Use: String, Codable, Hashable, Sendable {
        /// Means nothing else.
        case distinct
        /// A word of the language as well: means the brand alone, or beside words of business.
        case common
        /// A person's name as well: means the brand beside words of business.
        case personal
    }

    /// Without `phrases` the name in lower case is the one.
    public init(_ name: String, _ domains: [String], phrases: [String] = [], use: Use = .distinct) {
        self.name = name
        self.phrases = phrases.isEmpty ? [name.lowercased()] : phrases
        self.domains = domains
        self.use = use
    }
}
