/// A message that somebody judged, as a head is trained on it.
public struct LabelledMail: Sendable {
    public var words: MailWords
    /// Of length 1.
    public var vector: [Float]
    /// Where it comes from. Each corpus counts as much as every other, however large it is.
    public var corpus: String
    /// Spam or phishing; `nil` where nobody said.
    public var isUnwanted: Bool?
    public var isPhishing: Bool?
    public var category: MailCategory?

    public init(
        words: MailWords,
        vector: [Float],
        corpus: String,
        isUnwanted: Bool? = nil,
        isPhishing: Bool? = nil,
        category: MailCategory? = nil
    ) {
        self.words = words
        self.vector = vector
        self.corpus = corpus
        self.isUnwanted = isUnwanted
        self.isPhishing = isPhishing
        self.category = category
    }
}
