import BreezeMailSigns
import Foundation

/// What is known of a message so far, as logarithms of odds.
struct Judgement {
    private var logarithms: [MailVerdict.Question: Double] = [
        .spam: MailClassifier.prior.spam, .phishing: MailClassifier.prior.phishing,
    ]
    private var evidence: [MailVerdict.Evidence] = []

    /// A head's certainty counts no more than this: texts lie.
    private static let mostOfText = 6.0
    /// In so large a share of all mails the text may say nothing of the category: a list's mail is a forum's, and what the
    /// owner says of a sender counts, however sure the head is.
    private static let doubtOfText = 0.1

    var sorted: [MailVerdict.Evidence] {
        evidence.sorted {
            ($0.about.rawValue, -$0.weight.magnitude) < ($1.about.rawValue, -$1.weight.magnitude)
        }
    }

    func odds(_ question: MailVerdict.Question) -> Double { logarithms[question] ?? 0 }

    func probability(_ question: MailVerdict.Question) -> Double {
        LogOdds.probability(odds(question))
    }

    /// Told, and not counted.
    mutating func note(_ question: MailVerdict.Question, _ kind: String, _ detail: String, _ weight: Double) {
        evidence.append(MailVerdict.Evidence(question, kind, detail, weight: weight))
    }

    private mutating func count(
        _ question: MailVerdict.Question,
        _ kind: String,
        _ detail: String,
        _ weight: Double
    ) {
        guard weight != 0 else { return }
        logarithms[question, default: 0] += weight
        note(question, kind, detail, weight)
    }

    mutating func add(
        _ question: MailVerdict.Question,
        _ head: MailHeads.TextHead,
        _ words: MailWords,
        _ vector: [Float]?
    ) {
        let sum = Self.bounded(head.odds(words, vector))
        let probability = LogOdds.probability(sum)
        let name = question == .spam ? "unwanted" : "fraud"
        count(question, "text", "text: \(name) \(Self.shown(probability))", sum)
    }

    static func bounded(_ odds: Double) -> Double { min(max(odds, -mostOfText), mostOfText) }

    /// Signs and what kind of sender it is.
    mutating func read(_ facts: MailFacts) {
        let hasFailed = MailSign.Kind.failedAuthentication.contains(where: facts.signs.has)
        for sign in facts.signs.signs {
            let weights = SignWeights(sign, hasFailed: hasFailed)
            count(.spam, sign.kind.rawValue, sign.detail, weights.spam)
            count(.phishing, sign.kind.rawValue, sign.detail, weights.phishing)
        }
        guard !hasFailed, facts.signs.count(.strong) == 0 else { return }
        let known = facts.bulk.findings.first { [.list, .bulk, .social].contains($0.kind) }
        guard let known else { return }
        let shift = known.kind == .list ? MailClassifier.bulkShift.list : MailClassifier.bulkShift.others
        for question in [MailVerdict.Question.spam, .phishing] {
            count(question, "sender", "wanted mail to many has it: \(known.detail)", shift)
        }
    }

    /// - Returns: probabilities in the order of ``MailCategory/allCases``.
    mutating func categories(
        _ facts: MailFacts,
        _ heads: MailHeads,
        _ words: MailWords,
        _ vector: [Float]?
    ) -> [Double] {
        var sums = [Double](repeating: 0, count: MailCategory.allCases.count)
        if !words.features.isEmpty {
            let probabilities = Softmax.probabilities(heads.categories.map { $0.sum(words, vector) })
                .map { (1 - Self.doubtOfText) * $0 + Self.doubtOfText / Double(sums.count) }
            sums = probabilities.map { log($0) }
            let best = MailCategory.best(of: probabilities)
            let said = "head: \(best.category.rawValue) \(Self.shown(best.number))"
            note(.category, "head", said, best.number)
        }
        for finding in facts.bulk.findings {
            let weights = CategoryRules.weights(finding.kind)
            add(weights, to: &sums)
            if let most = weights.values.max() {
                note(.category, finding.kind.rawValue, finding.detail, most)
            }
        }
        if facts.bulk.findings.isEmpty { add(CategoryRules.personal, to: &sums) }
        return Softmax.probabilities(sums)
    }

    private func add(_ weights: [MailCategory: Double], to sums: inout [Double]) {
        for (index, category) in MailCategory.allCases.enumerated() { sums[index] += weights[category] ?? 0 }
    }

    private static func shown(_ probability: Double) -> String {
        probability.formatted(.number.precision(.fractionLength(2)).locale(Locale(identifier: "en_US_POSIX")))
    }
}
