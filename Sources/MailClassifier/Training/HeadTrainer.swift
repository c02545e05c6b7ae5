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
    private static let categoryDecay = 0.5

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
        let spam = head(mail.compactMap { mail in mail.isUnwanted.map { Example(mail, $0) } })
        progress?("phishing")
        let phishing = head(mail.compactMap { mail in mail.isPhishing.map { Example(mail, $0) } })
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

    /// Judges what some mail is by a head that never saw it, fold by fold: the logarithm of the odds of each, in order.
    public func heldOut(
        _ mail: [LabelledMail],
        folds: Int,
        _ label: (LabelledMail) -> Bool?
    ) -> [Double] {
        let examples = mail.map { Example($0, label($0) ?? false) }
        var odds = [Double](repeating: 0, count: mail.count)
        for fold in 0..<folds {
            progress?("fold \(fold + 1) of \(folds)")
            let kept = examples.indices.filter { $0 % folds != fold && label(mail[$0]) != nil }
            let head = head(kept.map { examples[$0] })
            for index in stride(from: fold, to: mail.count, by: folds) {
                odds[index] = head.odds(mail[index].words, mail[index].vector)
            }
        }
        return odds
    }

    /// Trains on `train` and judges `test`: by both, by words alone, and by the vector alone.
    public func transfer(
        from train: [LabelledMail],
        to test: [LabelledMail],
        _ label: (LabelledMail) -> Bool
    ) -> (both: [Double], words: [Double], vector: [Double]) {
        let head = head(train.map { Example($0, label($0)) })
        return (
            test.map { head.odds($0.words, $0.vector) }, test.map { head.words.sum($0.words) },
            test.map { head.vector.sum($0.vector) }
        )
    }

    // MARK: - One question

    private struct Example {
        let mail: LabelledMail
        let label: Bool

        init(_ mail: LabelledMail, _ label: Bool) {
            self.mail = mail
            self.label = label
        }

        struct Group: Hashable {
            let corpus: String
            let label: Bool
        }

        var group: Group { Group(corpus: mail.corpus, label: label) }
    }

    private func head(_ examples: [Example]) -> MailHeads.TextHead {
        var opinions = [[Float]](repeating: [0, 0], count: examples.count)
        for fold in 0..<Self.folds {
            let kept = examples.indices.filter { $0 % Self.folds != fold }.map { examples[$0] }
            let (words, vector) = Self.models(kept)
            for index in stride(from: fold, to: examples.count, by: Self.folds) {
                let mail = examples[index].mail
                opinions[index] = [Float(words.sum(mail.words)), Float(vector.sum(mail.vector))]
            }
        }
        let (labels, weights) = (examples.map(\.label), Self.weights(examples))
        let both = LogisticRegression.binary(VectorRows(opinions), labels, weights: weights, decay: 1e-6)
        let alone = LogisticRegression.binary(
            VectorRows(opinions.map { [$0[0]] }),
            labels,
            weights: weights,
            decay: 1e-6
        )
        let (words, vector) = Self.models(examples)
        return MailHeads.TextHead(words: words, vector: vector, both: both, wordsAlone: alone)
    }

    private static func models(_ examples: [Example]) -> (words: ByteWeights, vector: ByteWeights) {
        let (labels, weights) = (examples.map(\.label), weights(examples))
        let rows = WordRows(rows: examples.map { $0.mail.words.features }, kept: frequentWords(examples))
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

    /// Those that enough mails have.
    private static func frequentWords(_ examples: [Example]) -> [Bool] {
        var counts = [Int32](repeating: 0, count: MailWords.dimension)
        for example in examples { for feature in example.mail.words.features { counts[Int(feature)] += 1 } }
        return counts.map { $0 >= MailHeads.fewestMails }
    }

    /// Each corpus counts as much as every other, and in it each of the two classes.
    private static func weights(_ examples: [Example]) -> [Double] {
        LogisticRegression.balanced(examples.map(\.group))
    }

    // MARK: - Categories

    private static func categories(_ mail: [LabelledMail]) -> [ByteWeights] {
        let labelled = mail.filter { $0.category != nil }
        let all = MailCategory.allCases
        let labels = labelled.map { $0.category.flatMap { all.firstIndex(of: $0) } ?? 0 }
        let weights = LogisticRegression.multinomial(
            VectorRows(labelled.map(\.vector)),
            labels,
            classes: all.count,
            weights: LogisticRegression.balanced(labels),
            decay: categoryDecay / Double(max(1, labelled.count))
        )
        let block = weights.count / all.count
        return all.indices.map { ByteWeights(weights[$0 * block..<($0 + 1) * block]) }
    }
}
