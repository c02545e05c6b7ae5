import BreezeMailSigns
import Foundation

/// Judges messages: which category, and how likely spam and phishing, each with what counted.
///
/// Pure: the same facts and the same vector always get the same verdict. It holds no state, so that one may be used by
/// many tasks at once.
public struct MailClassifier: Sendable {
    public let heads: MailHeads
    public let thresholds: Thresholds

    /// From which probability on a message may be called so.
    ///
    /// ``MailHeads/scores`` has under `flagged` how much mail of each kind reached them, judged by heads that never saw it.
    /// Even the least sure warning of phishing is to be right two times in three: a service's own notice that a password
    /// was changed reads like fraud.
    public struct Thresholds: Codable, Hashable, Sendable {
        public var spam: Double
        public var phishing: Double

        public init(spam: Double = 0.8, phishing: Double = 0.65) {
            self.spam = spam
            self.phishing = phishing
        }
    }

    /// Logarithms of the odds before anything is known: of ten messages that reach a reader two are spam, of a hundred
    /// two are phish.
    static let prior = (spam: log(0.2 / 0.8), phishing: log(0.02 / 0.98))
    /// A sender that names a way out of its list is one that people signed up with far more often than not. What failed
    /// authentication, or carries a strong sign, gets none of it.
    /// A mailing list gets somewhat less of it: its members signed up, and others write to it.
    static let bulkShift = (list: -2.0, others: -2.5)
    /// Changes with every rule that changes a verdict, as the heads' ``MailHeads/fingerprint`` does with every weight.
    public static let rules = 2
    /// Words that are named as evidence.
    private static let namedWords = 5

    public init(heads: MailHeads, thresholds: Thresholds = Thresholds()) {
        self.heads = heads
        self.thresholds = thresholds
    }

    /// `vector` is the embedding of ``MailFacts/passage`` by ``MailHeads/encoder``, of length 1; `nil` where no encoder is
    /// to be had, and the verdict says so. Naming the words that counted takes as long as judging by them.
    public func verdict(_ facts: MailFacts, vector: [Float]?, explains: Bool = true) -> MailVerdict {
        let vector = vector.flatMap { $0.count == heads.dimension ? $0 : nil }
        let words = MailWords(subject: facts.subject, text: facts.text, isNamed: explains)
        var judgement = Judgement()
        judgement.read(facts)
        if !words.features.isEmpty {
            judgement.add(.spam, heads.spam, words, vector)
            judgement.add(.phishing, heads.phishing, words, vector)
        }
        if explains { name(words, vector != nil, &judgement) }
        let categories = judgement.categories(facts, heads, words, vector)
        let best = MailCategory.best(of: categories)
        let (spam, phishing) = (judgement.probability(.spam), judgement.probability(.phishing))
        return MailVerdict(
            category: best.category,
            confidence: best.number,
            categories: Dictionary(uniqueKeysWithValues: zip(MailCategory.allCases, categories)),
            spam: MailVerdict.Risk(score: spam, flagged: spam >= thresholds.spam),
            phishing: MailVerdict.Risk(score: phishing, flagged: phishing >= thresholds.phishing),
            evidence: judgement.sorted,
            missing: (vector == nil ? [.encoder] : []) + (facts.isWhole ? [] : [.headers])
        )
    }

    /// The words that say most for what the text's head answers.
    private func name(_ words: MailWords, _ hasVector: Bool, _ judgement: inout Judgement) {
        for (question, head) in [(MailVerdict.Question.spam, heads.spam), (.phishing, heads.phishing)] {
            let parts = zip(words.features, head.parts(words, hasVector: hasVector))
            let telling = parts.sorted { $0.1 > $1.1 }.prefix(Self.namedWords).filter { $0.1 > 0.05 }
            var named: [String] = []
            for name in telling.compactMap({ words.names[$0.0] }) {
                let quoted = "“\(name.hasPrefix("s:") ? String(name.dropFirst(2)) : name)”"
                if !named.contains(quoted) { named.append(quoted) }
            }
            guard !named.isEmpty else { continue }
            judgement.note(
                question,
                "words",
                "words: " + named.joined(separator: ", "),
                telling.reduce(0) { $0 + $1.1 }
            )
        }
    }
}
