/// A category that texts are sorted into, described by texts that belong to it.
public struct ClassificationCategory: Codable, Hashable, Sendable {
    public var name: String
    /// At least one; more and more varied ones make the sorting better.
    public var examples: [String]

    public init(name: String, examples: [String]) {
        self.name = name
        self.examples = examples
    }
}
