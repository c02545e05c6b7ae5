import BreezeMailSigns
import Foundation

/// What is known of a message so far, as logarithms of odds.
struct Judgement {
    private var odds: [MailVerdict.Question: Double] = [
        .spam: MailClassifier.prior.spam, .phishing: MailClassifier.prior.phishing,
    ]
    private var evidence: [MailVerdict.Evidence] = []

    /// A head's certainty counts no more than this: texts lie.
    private static let mostOfText = 6.0

    var sorted: [MailVerdict.Evidence] {
        evidence.sorted {
            ($0.about.rawValue, -$0.weight.magnitude) < ($1.about.rawValue, -$1.weight.magnitude)
        }
    }

    func probability(_ question: MailVerdict.Question) -> Double {
        LogOdds.probability(odds[question] ?? 0)
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
        odds[question, default: 0] += weight
        note(question, kind, detail, weight)
    }

    mutating func add(
        _ question: MailVerdict.Question,
        _ head: MailHeads.TextHead,
        _ words: MailWords,
        _ vector: [Float]?
    ) {
        let sum = min(max(head.odds(words, vector), -Self.mostOfText), Self.mostOfText)
        let probability = LogOdds.probability(sum)
        let name = question == .spam ? "unwanted" : "fraud"
        count(question, "text", "text: \(name) \(Self.shown(probability))", sum)
    }

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
        count(.spam, "sender", "wanted mail to many has it: \(known.detail)", MailClassifier.bulkShift)
        count(.phishing, "sender", "wanted mail to many has it: \(known.detail)", MailClassifier.bulkShift)
    }

    /// - Returns: probabilities in the order of ``MailCategory/allCases``.
    mutating func categories(_ facts: MailFacts, _ heads: MailHeads, _ vector: [Float]?) -> [Double] {
        var sums = [Double](repeating: 0, count: MailCategory.allCases.count)
        if let vector {
            sums = heads.categories.map { $0.sum(vector) }
            let probabilities = Softmax.probabilities(sums)
            if let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] }) {
                let name = MailCategory.allCases[best].rawValue
                note(
                    .category,
                    "head",
                    "head: \(name) \(Self.shown(probabilities[best]))",
                    probabilities[best]
                )
            }
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
