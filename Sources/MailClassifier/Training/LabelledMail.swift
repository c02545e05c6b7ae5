/// A message that somebody judged, as a head is trained on it.
public struct LabelledMail: Sendable {
    public var words: MailWords
    /// Of length 1.
    public var vector: [Float]
    /// Where it comes from. Each corpus counts as much as every other, however large it is.
    public var corpus: String
    /// What sender, lists and links say. No head is trained on it.
    var known = Judgement()
    /// The part of a corpus that it belongs to, where parts are of different kinds: each counts as much as every other.
    public var part: String?
    /// Spam or phishing; `nil` where nobody said.
    public var isUnwanted: Bool?
    public var isPhishing: Bool?
    public var category: MailCategory?

    public init(
        words: MailWords,
        vector: [Float],
        corpus: String,
        part: String? = nil,
        isUnwanted: Bool? = nil,
        isPhishing: Bool? = nil,
        category: MailCategory? = nil
    ) {
        self.words = words
        self.vector = vector
        self.corpus = corpus
        self.part = part
        self.isUnwanted = isUnwanted
        self.isPhishing = isPhishing
        self.category = category
    }

    /// Of spam, or of phishing; `nil` where nobody said.
    func label(_ question: MailVerdict.Question) -> Bool? { question == .phishing ? isPhishing : isUnwanted }

    /// All of the judgement, where the text's part of it is `odds`.
    func probability(_ question: MailVerdict.Question, text odds: Double) -> Double {
        LogOdds.probability(known.odds(question) + Judgement.bounded(odds))
    }
}
