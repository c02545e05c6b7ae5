public import Foundation

/// What the owner said of one message, with what it was judged by then: enough to learn from, also when the message is
/// gone.
public struct Lesson: Codable, Hashable, Sendable {
    public var word: OwnersWord
    /// Of the message, as ``MailFacts/sender`` and ``MailFacts/list``.
    public var sender: String?
    public var list: String?
    /// Probabilities without anything learned.
    public var categories: [MailCategory: Double]
    public var spam: Double
    public var phishing: Double
    /// Its embedding; `nil` where there was none.
    public var embedding: Embedding?

    /// A direction in signed bytes, and whose it is.
    public struct Embedding: Codable, Hashable, Sendable {
        public var encoder: String
        public var values: Data

        /// `vector` has any length but 0.
        public init(_ vector: [Float], encoder: String) {
            self.encoder = encoder
            let most = vector.reduce(Float.leastNormalMagnitude) { max($0, $1.magnitude) }
            values = Data(vector.map { UInt8(bitPattern: Int8(($0 / most * 127).rounded())) })
        }

        /// Of length 1; `nil` where it says nothing.
        var vector: [Float]? {
            let numbers = values.map { Float(Int8(bitPattern: $0)) }
            let length = numbers.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return length > 0 ? numbers.map { $0 / length } : nil
        }
    }

    public init(
        _ word: OwnersWord,
        of verdict: MailVerdict,
        sender: String?,
        list: String?,
        embedding: Embedding?
    ) {
        self.word = word
        self.sender = sender
        self.list = list
        self.embedding = embedding
        (categories, spam, phishing) = (verdict.categories, verdict.spam.score, verdict.phishing.score)
    }
}

/// What an owner can say of mail.
public enum OwnersWord: Codable, Hashable, Sendable {
    case category(MailCategory)
    case spam
    case phishing
    /// Neither spam nor phishing.
    case wanted
}
