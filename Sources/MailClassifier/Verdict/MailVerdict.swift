import BreezeMailSigns

/// Where a message belongs.
public enum MailCategory: String, Codable, CodingKeyRepresentable, CaseIterable, Hashable, Sendable {
    case primary, social, promotions, updates, forums

    /// The one with the highest of `numbers`, which are in the order of ``allCases``, and that number.
    static func best(of numbers: [Double]) -> (category: MailCategory, number: Double) {
        zip(allCases, numbers).max { $0.1 < $1.1 }.map { (category: $0, number: $1) } ?? (.primary, 0)
    }
}

/// What a message was judged to be, and why.
public struct MailVerdict: Codable, Hashable, Sendable {
    public var category: MailCategory
    /// The category's probability.
    public var confidence: Double
    /// Those of all categories.
    public var categories: [MailCategory: Double]
    public var spam: Risk
    public var phishing: Risk
    /// What counted, the most telling first of each question.
    public var evidence: [Evidence]
    /// What the judgement was made without; empty where it had everything.
    public var missing: [Missing]

    public struct Risk: Codable, Hashable, Sendable {
        /// A probability.
        public var score: Double
        /// Whether ``score`` reaches the threshold.
        public var flagged: Bool

        public init(score: Double, flagged: Bool) {
            self.score = score
            self.flagged = flagged
        }
    }

    /// One thing that counted.
    public struct Evidence: Codable, Hashable, Sendable {
        public var about: Question
        /// As `dmarc_fail`, `list`, `words`, `head`.
        public var kind: String
        /// For a person: what was seen.
        public var detail: String
        /// What it adds to the logarithm of the odds; negative where it speaks against. That of `words` is a part of
        /// `text`'s, and that of a category's evidence how much it speaks for the category that it speaks for most.
        public var weight: Double

        public init(_ about: Question, _ kind: String, _ detail: String, weight: Double) {
            self.about = about
            self.kind = kind
            self.detail = detail
            self.weight = weight
        }
    }

    public enum Question: String, Codable, Hashable, Sendable {
        case category, spam, phishing
    }

    public enum Missing: String, Codable, Hashable, Sendable {
        /// No encoder has read the text: words and headers alone.
        case encoder
        /// The message itself was not to be had: no headers, no links.
        case headers
    }
}

extension MailVerdict {
    /// Whether an answer or a summary may be offered. Of a message that is called phishing nothing is: kind words beside
    /// a warning would take it back.
    public var offersReplies: Bool { !phishing.flagged }

    /// Whether a check of who sent it failed. That nobody checked is no failure.
    var authenticationFailed: Bool {
        evidence.contains { MailSign.Kind.failedAuthentication.contains(MailSign.Kind(rawValue: $0.kind)) }
    }

    /// Of spam or phishing.
    subscript(question: Question) -> Risk {
        get { question == .phishing ? phishing : spam }
        set { if question == .phishing { phishing = newValue } else { spam = newValue } }
    }

    mutating func note(_ question: Question, _ kind: String, _ detail: String, _ weight: Double) {
        evidence.append(Evidence(question, kind, detail, weight: weight))
    }
}

extension MailVerdict.Risk {
    /// As the owner said.
    init(certain: Bool) { self.init(score: certain ? 1 : 0, flagged: certain) }
}
