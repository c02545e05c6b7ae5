/// A short text's tokens and what the model answers to them, computed without any runtime: a runtime that
/// answers something else is not to be trusted with the model.
public struct EncoderProbe: Codable, Hashable, Sendable {
    public var ids: [Int32]
    /// The graph's output, fp32.
    public var output: [Float]

    public init(ids: [Int32], output: [Float]) {
        self.ids = ids
        self.output = output
    }

    /// How far an answer is from the right one, as a share of the latter's length (of 1 where it is shorter);
    /// infinite for one of another size.
    public func distance(to answer: [Float]) -> Float {
        guard answer.count == output.count else { return .infinity }
        let error = zip(answer, output).reduce(Float(0)) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        let length = output.reduce(Float(0)) { $0 + $1 * $1 }
        return (error / max(1, length)).squareRoot()
    }
}
