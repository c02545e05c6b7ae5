import Foundation

/// What one owner's corrections add to the heads' weights over embeddings: one step of logistic regression for each
/// lesson, in their order.
///
/// It is made anew from the lessons whenever they change, so that to take one back leaves nothing of it.
struct PersonalHead: Sendable {
    /// Of each category in the order of ``MailCategory/allCases``; empty until there is something to add.
    private var categories: [[Float]]
    private var spam: [Float]
    private var phishing: [Float]

    /// How far a lesson moves the logarithm of the odds of a message like its own that was judged with certainty; one
    /// about something else is moved by their cosine's share, which is a tenth or two. With 2 a correction moved up to
    /// nine of 140 other messages into another category, with 0.7 one.
    private static let rate: Float = 0.7

    init(_ lessons: some Sequence<Lesson>, encoder: String, dimension: Int) {
        let none = [Float](repeating: 0, count: dimension)
        categories = Array(repeating: none, count: MailCategory.allCases.count)
        (spam, phishing) = (none, none)
        for lesson in lessons {
            guard let embedding = lesson.embedding, embedding.encoder == encoder,
                let vector = embedding.vector, vector.count == dimension
            else { continue }
            learn(lesson, vector)
        }
    }

    private mutating func learn(_ lesson: Lesson, _ vector: [Float]) {
        switch lesson.word {
        case .category(let category):
            let shifts = categoryShifts(vector)
            let sums = MailCategory.allCases.enumerated().map { index, each in
                log(max(lesson.categories[each] ?? 0, 1e-9)) + shifts[index]
            }
            let probabilities = Softmax.probabilities(sums)
            for (index, each) in MailCategory.allCases.enumerated() {
                let error = (each == category ? 1 : 0) - probabilities[index]
                Self.add(vector, Self.rate * Float(error), to: &categories[index])
            }
        case .spam: Self.learn(true, lesson.spam, vector, &spam)
        case .phishing: Self.learn(true, lesson.phishing, vector, &phishing)
        case .wanted:
            Self.learn(false, lesson.spam, vector, &spam)
            Self.learn(false, lesson.phishing, vector, &phishing)
        }
    }

    private static func learn(_ isTrue: Bool, _ base: Double, _ vector: [Float], _ weights: inout [Float]) {
        let odds = LogOdds.of(base) + dot(weights, vector)
        add(vector, rate * Float((isTrue ? 1 : 0) - LogOdds.probability(odds)), to: &weights)
    }

    /// What is added to the logarithm of each category's odds, in the order of ``MailCategory/allCases``.
    func categoryShifts(_ vector: [Float]) -> [Double] { categories.map { Self.dot($0, vector) } }

    /// What is added to the logarithm of the odds.
    func shift(_ question: MailVerdict.Question, _ vector: [Float]) -> Double {
        Self.dot(question == .spam ? spam : phishing, vector)
    }

    private static func dot(_ weights: [Float], _ vector: [Float]) -> Double {
        var sum: Float = 0
        for (weight, component) in zip(weights, vector) { sum += weight * component }
        return Double(sum)
    }

    private static func add(_ vector: [Float], _ factor: Float, to weights: inout [Float]) {
        for index in weights.indices { weights[index] += factor * vector[index] }
    }
}

enum LogOdds {
    /// Of a probability, which a stored one may have rounded to 0 or 1.
    static func of(_ probability: Double) -> Double {
        let bounded = min(max(probability, 1e-9), 1 - 1e-9)
        return log(bounded / (1 - bounded))
    }

    static func probability(_ odds: Double) -> Double { 1 / (1 + exp(-odds)) }
}
