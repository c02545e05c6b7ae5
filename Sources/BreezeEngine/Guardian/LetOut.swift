/// What left of a text, to be held against what the runner says in the end: the words, or where somebody else has them,
/// only what tells them from others. A thousand answers that grow are mostly their words.
struct LetOut: Sendable {
    /// `nil` where they are not kept.
    private(set) var words: String?
    /// Seeded anew in each process: no runner can make words that are taken for others.
    private var digest = Hasher()

    init(keepsWords: Bool) {
        if keepsWords { words = "" }
    }

    init(_ words: String) {
        self.words = words
    }

    mutating func append(_ piece: String) {
        if words == nil { Self.feed(piece, to: &digest) } else { words?.append(piece) }
    }

    func isSame(as text: String) -> Bool {
        if let words { return words == text }
        var other = Hasher()
        Self.feed(text, to: &other)
        return other.finalize() == digest.finalize()
    }

    /// However a text is cut, it comes to the same.
    private static func feed(_ text: String, to hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
