import BreezeCore
import BreezeTestSupport
import BreezeVectors
import Testing

@Suite struct `A quantized vector` {
    /// 3/4 of 127 is 95.25, and the square root of 95² + 127² is 158.6.
    @Test func `has its largest component at 127, and the length of one`() throws {
        let vector = try QuantizedVector([3, -4])
        #expect(vector.values == [95, -127])
        #expect(abs(vector.scale - 0.006305) < 1e-6)
        #expect(abs(vector.cosine(to: vector) - 1) < 1e-6)
        #expect(abs(vector.components[0] - 0.599) < 1e-3 && abs(vector.components[1] + 0.801) < 1e-3)
    }

    @Test(arguments: [Float.leastNonzeroMagnitude, 1e-20, 1, 1e20, .greatestFiniteMagnitude])
    func `does not know how long the vector was`(_ length: Float) throws {
        #expect(try QuantizedVector([length, -length, 0]).values == [127, -127, 0])
    }

    @Test func `has the cosine of its floats, to a thousandth`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<20 {
            let (a, b) = (
                VectorSamples.normal(384, using: &random), VectorSamples.normal(384, using: &random)
            )
            let both = zip(a, b).map { $0 + 0.7 * $1 }
            let dot = { (x: [Float], y: [Float]) in zip(x, y).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
            }
            let expected = dot(a, both) / (dot(a, a) * dot(both, both)).squareRoot()
            let cosine = try QuantizedVector(a).cosine(to: QuantizedVector(both))
            #expect(abs(Double(cosine) - expected) < 0.002)
        }
    }

    @Test(arguments: [[], [0, 0], [1, .nan], [1, .infinity], [Float](repeating: 1, count: 65_537)])
    func `is not made of what has no direction`(_ vector: [Float]) {
        let error = #expect(throws: BreezeError.self) { try QuantizedVector(vector) }
        #expect(error?.code == .invalidParameter)
    }

    @Test(arguments: [[], [0, 0], [1, -128]])
    func `is not made of values that none has`(_ values: [Int8]) {
        let error = #expect(throws: BreezeError.self) { try QuantizedVector(values: values) }
        #expect(error?.code == .invalidParameter)
    }
}
