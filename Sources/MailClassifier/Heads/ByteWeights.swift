import Foundation

/// A linear model whose weights are signed bytes times one scale, written packed, as base64 in lines.
public struct ByteWeights: Hashable, Sendable {
    public var values: [Int8]
    public var scale: Double
    /// What is added to every sum.
    public var constant: Double

    /// `weights` with the constant last; each is off by at most half a 127th of the largest one.
    init(_ weights: some Collection<Double>) {
        let most = weights.dropLast().reduce(0) { max($0, $1.magnitude) }
        scale = most > 0 ? most / 127 : 1
        constant =
            weights.isEmpty ? 0 : weights[weights.index(weights.startIndex, offsetBy: weights.count - 1)]
        let scale = scale
        values = weights.dropLast().map { Int8(($0 / scale).rounded()) }
    }

    /// Of a bag of words.
    func sum(_ words: MailWords) -> Double {
        var sum = 0
        for feature in words.features { sum += Int(values[Int(feature)]) }
        return Double(sum) * scale / Double(max(1, words.features.count)).squareRoot() + constant
    }

    /// Of a vector of length 1.
    /// - Precondition: it has as many components as there are weights.
    func sum(_ vector: [Float]) -> Double {
        precondition(vector.count == values.count, "a head is asked with another encoder's vector")
        var sum: Float = 0
        for (value, component) in zip(values, vector) { sum += Float(value) * component }
        return Double(sum) * scale + constant
    }

    /// What each word adds to the sum, in the order of `words`.
    func parts(_ words: MailWords) -> [Double] {
        let length = Double(max(1, words.features.count)).squareRoot()
        return words.features.map { Double(values[Int($0)]) * scale / length }
    }
}

extension ByteWeights: Codable {
    private enum CodingKeys: String, CodingKey {
        case scale, constant, values
    }

    private static let lineLength = 120

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scale = try container.decode(Double.self, forKey: .scale)
        constant = try container.decode(Double.self, forKey: .constant)
        let lines = try container.decode([String].self, forKey: .values)
        guard scale.isFinite, constant.isFinite, let data = Data(base64Encoded: lines.joined()),
            let values = PackedBytes.unpack(data)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .values,
                in: container,
                debugDescription: "the weights are no packed bytes in base64"
            )
        }
        self.values = values
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(scale, forKey: .scale)
        try container.encode(constant, forKey: .constant)
        let text = Array(PackedBytes.pack(values).base64EncodedString().utf8)
        let lines = stride(from: 0, to: text.count, by: Self.lineLength).map {
            String(decoding: text[$0..<min($0 + Self.lineLength, text.count)], as: UTF8.self)
        }
        try container.encode(lines, forKey: .values)
    }
}
