package import BreezeCore
import Foundation

/// A body that asks for vectors, by either dialect's routes.
package struct EmbeddingCall: Sendable {
    /// What is to be embedded.
    package enum Input: Sendable, Hashable {
        case texts([String])
        /// Tokens of the model's own vocabulary: its tokenizer turns them into texts first.
        case tokens([[Int]])

        package var count: Int {
            switch self {
            case .texts(let texts): texts.count
            case .tokens(let tokens): tokens.count
            }
        }
    }

    package enum Encoding: Sendable {
        case float, base64
    }

    package var model: String
    package var input: Input
    package var encoding = Encoding.float
    /// Numbers a vector is cut to; `nil` for all of them.
    package var dimensions: Int?
    package var remarks = WireRemarks()
    /// Lacks its texts: ``request(_:)`` puts them in.
    private var template: InferenceRequest

    init(model: String, input: Input, configuration: InferenceConfig, inputType: InputType? = nil) {
        self.model = model
        self.input = input
        template = InferenceRequest(.embedding, inputType: inputType, configuration: configuration)
        template.modelID = model
    }

    package mutating func apply(_ hints: WireHints) { template.apply(hints) }

    /// The request for the engine. Token input is given as the texts that the tokenizer made of it.
    package func request(_ texts: [String]) -> InferenceRequest {
        var request = template
        request.inputs = texts
        return request
    }

    /// The vectors of a result, cut to ``dimensions`` and then of length 1 again.
    /// - Throws: ``BreezeError`` where there are fewer numbers than asked for, or one that is none.
    func vectors(of result: InferenceResult) throws -> [[Float]] {
        guard case .embeddings(let vectors) = result.output else {
            throw BreezeError(.invalidOutput, "The runner \(result.runner) answered with no vectors.")
        }
        guard vectors.allSatisfy({ $0.allSatisfy(\.isFinite) }) else {
            throw BreezeError(.invalidOutput, "The runner \(result.runner) answered with what is no number.")
        }
        guard let dimensions, let length = vectors.first?.count, dimensions != length else { return vectors }
        guard dimensions < length else {
            let takes = "a number from 1 to \(length) with this model"
            throw BreezeError.field(.root.member("dimensions"), "is more than a vector has", takes: takes)
        }
        return vectors.map { Self.cut($0, to: dimensions) }
    }

    /// What was done to the vectors.
    func notices(of result: InferenceResult) -> [String] {
        guard case .embeddings(let vectors) = result.output, let length = vectors.first?.count,
            let dimensions,
            dimensions < length
        else { return [] }
        return ["Vectors were cut from \(length) to \(dimensions) numbers and brought to length 1 again."]
    }

    private static func cut(_ vector: [Float], to count: Int) -> [Float] {
        let kept = vector.prefix(count)
        // Sums of squares lose digits in `Float`.
        let length = kept.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        guard length > 0 else { return Array(kept) }
        return kept.map { Float(Double($0) / length) }
    }
}
