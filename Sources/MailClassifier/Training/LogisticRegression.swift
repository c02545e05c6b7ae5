import Foundation

/// Rows that a linear model is trained on, each with a constant 1 as its last component.
protocol TrainingRows {
    var count: Int { get }
    /// Without the constant.
    var dimension: Int { get }
    /// The dot product of a row with `dimension` weights that begin at `offset`.
    func product(_ row: Int, _ weights: [Double], at offset: Int) -> Double
    func add(_ row: Int, times factor: Double, to sum: inout [Double], at offset: Int)
}

/// Bags of words: a row is of length 1, and all its components are equal. What is not kept takes room in a row, as it
/// will when a head is asked, and gets no weight.
struct WordRows: TrainingRows {
    /// Features that are kept, in order: a model's component is one's place among them.
    private let kept: [UInt32]
    private let rows: [[Int32]]
    private let scales: [Double]

    /// Keeps what at least `fewest` mails have.
    init(_ mail: [LabelledMail], fewest: Int) {
        var counts = [Int](repeating: 0, count: MailWords.dimension)
        for mail in mail { for feature in mail.words.features { counts[Int(feature)] += 1 } }
        self.init(rows: mail.map(\.words.features), kept: counts.map { $0 >= fewest })
    }

    /// `kept` says which features are, by their number.
    init(rows: [[UInt32]], kept: [Bool]) {
        var places = [Int32](repeating: -1, count: kept.count)
        self.kept = kept.indices.filter { kept[$0] }.map { UInt32($0) }
        for (place, feature) in self.kept.enumerated() { places[Int(feature)] = Int32(place) }
        self.rows = rows.map { $0.map { places[Int($0)] }.filter { $0 >= 0 } }
        scales = rows.map { 1 / Double(max(1, $0.count)).squareRoot() }
    }

    var count: Int { rows.count }
    var dimension: Int { kept.count }

    func product(_ row: Int, _ weights: [Double], at offset: Int) -> Double {
        var sum = 0.0
        for feature in rows[row] { sum += weights[offset + Int(feature)] }
        return sum * scales[row]
    }

    func add(_ row: Int, times factor: Double, to sum: inout [Double], at offset: Int) {
        let factor = factor * scales[row]
        for feature in rows[row] { sum[offset + Int(feature)] += factor }
    }

    /// One weight for each of ``MailWords/dimension``, and the constant last.
    func expanded(_ weights: [Double]) -> [Double] {
        var all = [Double](repeating: 0, count: MailWords.dimension + 1)
        for (feature, weight) in zip(kept, weights) { all[Int(feature)] = weight }
        all[MailWords.dimension] = weights[kept.count]
        return all
    }
}

struct VectorRows: TrainingRows {
    let rows: [[Float]]
    let dimension: Int

    init(_ rows: [[Float]]) {
        self.rows = rows
        dimension = rows.first?.count ?? 0
    }

    var count: Int { rows.count }

    func product(_ row: Int, _ weights: [Double], at offset: Int) -> Double {
        var sum = 0.0
        for (index, value) in rows[row].enumerated() { sum += weights[offset + index] * Double(value) }
        return sum
    }

    func add(_ row: Int, times factor: Double, to sum: inout [Double], at offset: Int) {
        for (index, value) in rows[row].enumerated() { sum[offset + index] += factor * Double(value) }
    }
}

/// Linear models by logistic regression: the mean loss over weighted rows, and half of `decay` times the squared weights
/// (the constant's not among them).
enum LogisticRegression {
    /// One weight a component and the constant last; a positive sum speaks for `true`.
    static func binary(
        _ rows: some TrainingRows,
        _ labels: [Bool],
        weights: [Double],
        decay: Double
    ) -> [Double] {
        let (dimension, total) = (rows.dimension, weights.reduce(0, +))
        return LimitedMemoryBFGS().minimise(from: [Double](repeating: 0, count: dimension + 1)) {
            point,
            gradient in
            var loss = Self.decay(decay, point, &gradient, blocks: 1)
            for row in 0..<rows.count {
                let sum = rows.product(row, point, at: 0) + point[dimension]
                let margin = labels[row] ? sum : -sum
                let share = weights[row] / total
                // log(1 + exp(-margin)), without overflow.
                loss += share * (max(0, -margin) + log1p(exp(-margin.magnitude)))
                let pull = share / (1 + exp(margin)) * (labels[row] ? -1 : 1)
                rows.add(row, times: pull, to: &gradient, at: 0)
                gradient[dimension] += pull
            }
            return loss
        }
    }

    /// A block of weights and constant for each of `classes`.
    static func multinomial(
        _ rows: some TrainingRows,
        _ labels: [Int],
        classes: Int,
        weights: [Double],
        decay: Double
    ) -> [Double] {
        let (block, total) = (rows.dimension + 1, weights.reduce(0, +))
        return LimitedMemoryBFGS().minimise(from: [Double](repeating: 0, count: classes * block)) {
            point,
            gradient in
            var loss = Self.decay(decay, point, &gradient, blocks: classes)
            for row in 0..<rows.count {
                let sums = (0..<classes).map {
                    rows.product(row, point, at: $0 * block) + point[$0 * block + rows.dimension]
                }
                let probabilities = Softmax.probabilities(sums)
                let share = weights[row] / total
                loss -= share * log(max(probabilities[labels[row]], .leastNormalMagnitude))
                for label in 0..<classes {
                    let pull = share * (probabilities[label] - (label == labels[row] ? 1 : 0))
                    rows.add(row, times: pull, to: &gradient, at: label * block)
                    gradient[label * block + rows.dimension] += pull
                }
            }
            return loss
        }
    }

    /// Starts the gradient, and returns what the weights cost.
    private static func decay(
        _ decay: Double,
        _ point: [Double],
        _ gradient: inout [Double],
        blocks: Int
    ) -> Double {
        let block = point.count / blocks
        var cost = 0.0
        for index in point.indices {
            let weight = index % block == block - 1 ? 0 : point[index]
            gradient[index] = decay * weight
            cost += decay * weight * weight / 2
        }
        return cost
    }

    /// Weights by which each of the groups counts as much as every other.
    static func balanced(_ groups: [some Hashable]) -> [Double] {
        let counts = Dictionary(grouping: groups) { $0 }.mapValues(\.count)
        return groups.map { 1 / Double(counts[$0] ?? 1) }
    }
}

enum Softmax {
    static func probabilities(_ sums: [Double]) -> [Double] {
        let most = sums.max() ?? 0
        let powers = sums.map { exp($0 - most) }
        let total = powers.reduce(0, +)
        return powers.map { $0 / total }
    }
}
