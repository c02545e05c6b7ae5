import BreezeTestSupport
import BreezeVectors
import Testing

@Suite struct `Eight bits` {
    /// Clusters whose rows stand 45 degrees from their middle, and queries that stand near a row. Lost are neighbours
    /// that differ by less than rounding. The vectors that encoders make of texts vary in a few dozen directions; where
    /// the clusters spread in all 384 alike, which no text does, their rows are all nearly as far from a query, and 12
    /// of 1,000 are lost.
    @Test(arguments: [(directions: 32, least: 0.99), (directions: 384, least: 0.98)])
    func `find nearly all of the ten nearest`(_ spread: (directions: Int, least: Double)) async throws {
        var random = SeededGenerator(seed: 5)
        let (rows, queries) = (3_000, Soak.count(1_000))
        let centres = (0..<30).map { _ in VectorSamples.normal(384, using: &random) }
        let directions = (0..<spread.directions).map { _ in VectorSamples.normal(384, using: &random) }
        let vectors = (0..<rows).map { row in
            unit(sum(centres[row % 30], deviation(directions, using: &random), 1))
        }
        var index = try VectorIndex(dimension: 384)
        for (row, vector) in vectors.enumerated() {
            try index.append(QuantizedVector(vector), id: Int64(row))
        }
        var found = 0
        for query in 0..<queries {
            let near = sum(vectors[query * 97 % rows], deviation(directions, using: &random), 0.02)
            let scores = vectors.map { dot($0, near) }
            let nearest = Set(scores.indices.sorted { scores[$0] > scores[$1] }.prefix(10))
            let answers = try await index.search(QuantizedVector(near), limit: 10)
            found += answers.count { nearest.contains($0.row) }
        }
        #expect(Double(found) / Double(10 * queries) >= spread.least)
    }

    /// As long as a vector of 384 normal components, made of few directions or of all.
    private func deviation(_ directions: [[Float]], using random: inout SeededGenerator) -> [Float] {
        if directions.count == 384 { return VectorSamples.normal(384, using: &random) }
        let parts = VectorSamples.normal(directions.count, using: &random)
        let length = Float(directions.count).squareRoot()
        return zip(directions, parts).reduce([Float](repeating: 0, count: 384)) {
            sum($0, $1.0, $1.1 / length)
        }
    }

    private func unit(_ vector: [Float]) -> [Float] {
        let length = dot(vector, vector).squareRoot()
        return vector.map { $0 / length }
    }

    private func sum(_ a: [Float], _ b: [Float], _ factor: Float) -> [Float] {
        var sum = a
        sum.withUnsafeMutableBufferPointer { sum in
            b.withUnsafeBufferPointer { b in
                for i in 0..<b.count { sum[i] += factor * b[i] }
            }
        }
        return sum
    }

    private func dot(_ a: [Float], _ b: [Float]) -> Float {
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                var sum: Float = 0
                for i in 0..<a.count { sum += a[i] * b[i] }
                return sum
            }
        }
    }
}
