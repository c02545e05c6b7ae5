import Testing

@testable import BreezeMailClassifier

/// Held against scikit-learn 1.7's `LogisticRegression`, whose `C` is one over the decay times the sum of the weights.
@Suite struct LogisticRegressionTests {
    private let rows = VectorRows([[0, 1], [1, 0], [2, 2], [3, 1], [1, 3], [0.5, 0.5]])

    @Test func `two classes with weighted rows`() {
        let found = LogisticRegression.binary(
            rows,
            [false, false, true, true, true, false],
            weights: [1, 1, 1, 1, 1, 3],
            decay: 0.1
        )
        for (weight, expected) in zip(found, [1.12572735, 1.12572735, -3.11742302]) {
            #expect((weight - expected).magnitude < 2e-3)
        }
    }

    @Test func `three classes`() {
        let found = LogisticRegression.multinomial(
            rows,
            [0, 1, 2, 1, 2, 0],
            classes: 3,
            weights: [1, 1, 1, 1, 1, 1],
            decay: 0.1
        )
        let expected: [[Double]] = [
            [-0.97360017, -0.22349437], [0.75801979, -0.90799103], [0.21558038, 1.1314854],
        ]
        var sums: [Double] = []
        for (label, weights) in expected.enumerated() {
            let block = Array(found[label * 3..<label * 3 + 3])
            #expect((block[0] - weights[0]).magnitude < 2e-3)
            #expect((block[1] - weights[1]).magnitude < 2e-3)
            // At (1, 1).
            sums.append(block[0] + block[1] + block[2])
        }
        for (probability, value) in zip(Softmax.probabilities(sums), [0.43169273, 0.33741746, 0.23088982]) {
            #expect((probability - value).magnitude < 1e-3)
        }
    }

    @Test func `words that are not kept get no weight, and dilute the others`() {
        var kept = [Bool](repeating: false, count: MailWords.dimension)
        kept[1] = true
        let rows = WordRows(rows: [[1, 2, 3, 4], [2, 3, 4]], kept: kept)
        let weights = rows.expanded(
            LogisticRegression.binary(rows, [true, false], weights: [1, 1], decay: 0.01)
        )
        #expect(weights.count == MailWords.dimension + 1)
        #expect(weights[1] > 0 && weights.indices.dropLast().allSatisfy { $0 == 1 || weights[$0] == 0 })
        // One over the root of four words.
        #expect(rows.product(0, [3], at: 0) == 1.5)
    }
}
