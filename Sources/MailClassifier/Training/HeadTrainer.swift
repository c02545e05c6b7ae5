/// Trains heads: the same mail in the same order gives the same bytes.
public struct HeadTrainer: Sendable {
    public var provenance: [String]
    public var encoder: String
    public var version: String
    /// Called with each step's name.
    public var progress: (@Sendable (String) -> Void)?

    /// Folds of the models whose answers the two opinions' worth is learned from: on what they were trained on they are
    /// surer than on anything else.
    private static let folds = 5
    private static let wordDecay = 0.003
    private static let vectorDecay = 1.0
    private static let categoryDecay = (words: 0.01, vector: 0.2)
    /// What the vector's opinion counts beside that of the words, each measured by its spread: what a model learns for
    /// it where mail is like that of its training trusts words too much elsewhere.
    private static let vectorShare = 0.3
    /// A word that fewer mails have says more of these mails than of others. Of written examples there are few.
    private static let fewestMails = (risk: 10, category: 4)

    public init(
        version: String,
        encoder: String,
        provenance: [String],
        progress: (@Sendable (String) -> Void)? = nil
    ) {
        self.version = version
        self.encoder = encoder
        self.provenance = provenance
        self.progress = progress
    }

    public func heads(_ mail: [LabelledMail]) -> MailHeads {
        progress?("spam")
        let spam = head(.spam, mail)
        progress?("phishing")
        let phishing = head(.phishing, mail)
        progress?("categories")
        return MailHeads(
            version: version,
            provenance: provenance,
            encoder: encoder,
            spam: spam,
            phishing: phishing,
            categories: Self.categories(mail)
        )
    }

    /// Judges mail by a head that never saw it, fold by fold: the logarithm of the odds of each, in order.
    public func heldOut(_ mail: [LabelledMail], folds: Int, _ question: MailVerdict.Question) -> [Double] {
        var odds = [Double](repeating: 0, count: mail.count)
        for fold in 0..<folds {
            progress?("\(question.rawValue), fold \(fold + 1) of \(folds)")
            let head = head(question, mail.indices.filter { $0 % folds != fold }.map { mail[$0] })
            for index in stride(from: fold, to: mail.count, by: folds) {
                odds[index] = head.odds(mail[index].words, mail[index].vector)
            }
        }
        return odds
    }

    /// The category by the text alone, likewise.
    public func heldOutCategories(_ mail: [LabelledMail], folds: Int) -> [MailCategory] {
        var categories = [MailCategory](repeating: .primary, count: mail.count)
        for fold in 0..<folds {
            let heads = Self.categories(mail.indices.filter { $0 % folds != fold }.map { mail[$0] })
            for index in stride(from: fold, to: mail.count, by: folds) {
                let sums = heads.map { $0.sum(mail[index].words, mail[index].vector) }
                categories[index] = MailCategory.best(of: sums).category
            }
        }
        return categories
    }

    /// Trains on `train` what tells unwanted mail, and judges `test`: by both, by words alone, and by the vector alone.
    public func transfer(from train: [LabelledMail], to test: [LabelledMail]) -> (
        both: [Double], words: [Double], vector: [Double]
    ) {
        let head = head(.spam, train)
        return (
            test.map { head.odds($0.words, $0.vector) }, test.map { head.words.sum($0.words) },
            test.map { head.vector.sum($0.vector) }
        )
    }

    // MARK: - One question

    private struct Example {
        let mail: LabelledMail
        let label: Bool

        struct Group: Hashable {
            let corpus: String
            let part: String?
            let label: Bool
        }

        var group: Group { Group(corpus: mail.corpus, part: mail.part, label: label) }
    }

    /// Of the mail of which somebody said it.
    private func head(_ question: MailVerdict.Question, _ mail: [LabelledMail]) -> MailHeads.TextHead {
        let examples = mail.compactMap { mail in mail.label(question).map { Example(mail: mail, label: $0) } }
        return question == .phishing ? stackedHead(examples) : spamHead(examples)
    }

    /// What the opinions are worth is learned.
    private func stackedHead(_ examples: [Example]) -> MailHeads.TextHead {
        let opinions = Self.opinions(examples)
        let (words, vector) = Self.models(examples)
        return MailHeads.TextHead(
            words: words,
            vector: vector,
            both: Self.calibrated(opinions, examples),
            wordsAlone: Self.calibrated(opinions.map { [$0[0]] }, examples)
        )
    }

    /// The opinions have fixed shares, and what their sum means is learned.
    private func spamHead(_ examples: [Example]) -> MailHeads.TextHead {
        let opinions = Self.opinions(examples)
        let spread = (words: Self.spread(opinions.map { $0[0] }), vector: Self.spread(opinions.map { $0[1] }))
        let share = Self.vectorShare * spread.words / spread.vector
        let sum = Self.calibrated(opinions.map { [$0[0] + Float(share) * $0[1]] }, examples)
        let (words, vector) = Self.models(examples)
        return MailHeads.TextHead(
            words: words,
            vector: vector,
            both: [sum[0], sum[0] * share, sum[1]],
            wordsAlone: Self.calibrated(opinions.map { [$0[0]] }, examples)
        )
    }

    /// Of words and of the vector, by models that never saw the message.
    private static func opinions(_ examples: [Example]) -> [[Float]] {
        var opinions = [[Float]](repeating: [0, 0], count: examples.count)
        for fold in 0..<folds {
            let kept = examples.indices.filter { $0 % folds != fold }.map { examples[$0] }
            let (words, vector) = models(kept)
            for index in stride(from: fold, to: examples.count, by: folds) {
                let mail = examples[index].mail
                opinions[index] = [Float(words.sum(mail.words)), Float(vector.sum(mail.vector))]
            }
        }
        return opinions
    }

    /// Factors, and a constant, that make opinions the logarithm of the odds.
    private static func calibrated(_ opinions: [[Float]], _ examples: [Example]) -> [Double] {
        LogisticRegression.binary(
            VectorRows(opinions),
            examples.map(\.label),
            weights: weights(examples),
            decay: 1e-6
        )
    }

    /// The standard deviation.
    private static func spread(_ numbers: [Float]) -> Double {
        let count = Double(max(1, numbers.count))
        let mean = numbers.reduce(0) { $0 + Double($1) } / count
        let variance = numbers.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count
        return max(variance.squareRoot(), .leastNormalMagnitude)
    }

    private static func models(_ examples: [Example]) -> (words: ByteWeights, vector: ByteWeights) {
        let (labels, weights) = (examples.map(\.label), weights(examples))
        let rows = WordRows(examples.map(\.mail), fewest: fewestMails.risk)
        let words = LogisticRegression.binary(
            rows,
            labels,
            weights: weights,
            decay: wordDecay / Double(max(1, examples.count))
        )
        let vector = LogisticRegression.binary(
            VectorRows(examples.map(\.mail.vector)),
            labels,
            weights: weights,
            decay: vectorDecay / Double(max(1, examples.count))
        )
        return (ByteWeights(rows.expanded(words)), ByteWeights(vector))
    }

    /// Each corpus counts as much as every other, and in it each of the two classes.
    private static func weights(_ examples: [Example]) -> [Double] {
        LogisticRegression.balanced(examples.map(\.group))
    }

    // MARK: - Categories

    private static func categories(_ mail: [LabelledMail]) -> [MailHeads.CategoryHead] {
        let labelled = mail.filter { $0.category != nil }
        let rows = WordRows(labelled, fewest: fewestMails.category)
        let words = categories(rows, labelled, decay: categoryDecay.words)
        let vectors = categories(VectorRows(labelled.map(\.vector)), labelled, decay: categoryDecay.vector)
        return zip(words, vectors).map { words, vector in
            MailHeads.CategoryHead(words: ByteWeights(rows.expanded(words)), vector: ByteWeights(vector))
        }
    }

    /// Each category's weights, and its constant last.
    private static func categories(
        _ rows: some TrainingRows,
        _ labelled: [LabelledMail],
        decay: Double
    ) -> [[Double]] {
        let all = MailCategory.allCases
        let labels = labelled.map { $0.category.flatMap { all.firstIndex(of: $0) } ?? 0 }
        let weights = LogisticRegression.multinomial(
            rows,
            labels,
            classes: all.count,
            weights: LogisticRegression.balanced(labels),
            decay: decay / Double(max(1, labelled.count))
        )
        let block = weights.count / all.count
        return all.indices.map { Array(weights[$0 * block..<($0 + 1) * block]) }
    }
}
