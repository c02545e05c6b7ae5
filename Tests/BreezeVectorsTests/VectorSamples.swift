import BreezeTestSupport
import BreezeVectors
import Foundation

/// Vectors that are the same in every run.
enum VectorSamples {
    static func random(_ dimension: Int, using random: inout SeededGenerator) throws -> QuantizedVector {
        var values = (0..<dimension).map { _ in Int8.random(in: -127...127, using: &random) }
        values[0] = values[0] == 0 ? 1 : values[0]
        return try QuantizedVector(values: values)
    }

    /// The one that stands for an id, so that a test knows it again.
    static func of(_ id: Int64, dimension: Int = 8) throws -> QuantizedVector {
        var random = SeededGenerator(seed: UInt64(bitPattern: id))
        return try Self.random(dimension, using: &random)
    }

    static func entries(_ ids: Range<Int64>, dimension: Int = 8) throws -> [VectorEntry] {
        try ids.map { VectorEntry(id: $0, vector: try of($0, dimension: dimension)) }
    }

    static func index(rows: Int, dimension: Int) throws -> VectorIndex {
        var index = try VectorIndex(dimension: dimension)
        for entry in try entries(0..<Int64(rows), dimension: dimension) {
            try index.append(entry.vector, id: entry.id)
        }
        return index
    }

    /// Components of the normal distribution, by Box and Muller.
    static func normal(_ count: Int, using random: inout SeededGenerator) -> [Float] {
        (0..<count).map { _ in
            let (a, b) = (
                Double.random(in: 1e-12..<1, using: &random), Double.random(in: 0..<1, using: &random)
            )
            return Float((-2 * log(a)).squareRoot() * cos(2 * .pi * b))
        }
    }
}
