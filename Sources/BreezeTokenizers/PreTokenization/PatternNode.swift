/// A regular expression of the kind that tokenizers have, parsed.
indirect enum PatternNode {
    /// One scalar of a set.
    case set(ScalarSet)
    case sequence([PatternNode])
    /// The first alternative that matches counts, not the longest.
    case choice([PatternNode])
    case `repeat`(PatternNode, PatternRepetition)
    /// Looks at the next scalar and does not take it; `passesAtEnd` is the answer where there is none.
    case lookahead(ScalarSet, passesAtEnd: Bool)
}

/// How often a part of a pattern may follow itself.
struct PatternRepetition {
    var minimum: Int
    /// `nil` for any number.
    var maximum: Int?
    var kind = Kind.greedy

    enum Kind { case greedy, lazy, possessive }
}

/// Why a pattern cannot be used.
struct PatternFault: Error {
    let reason: String
}
