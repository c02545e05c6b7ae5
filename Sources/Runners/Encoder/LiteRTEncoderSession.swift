import BreezeCore
import BreezeLiteRT
import BreezeModels
import BreezeTokenizers
import Foundation

/// One worker's model in LiteRT, one thread wide. The sequence length of a text becomes the graph's: nothing is
/// padded.
struct LiteRTEncoderSession: EncoderSession {
    private let model: LiteRTModel
    private let configuration: EncoderConfiguration

    /// `weightCache` holds the weights as the kernels want them, mapped by all workers of all processes.
    static func backend(
        _ library: LiteRTLibrary,
        graph: URL,
        weightCache: URL?,
        configuration: EncoderConfiguration,
        precision: EncoderPrecision
    ) -> EncoderBackend {
        EncoderBackend(name: "LiteRT \(library.version), \(precision)", precision: precision) {
            LiteRTEncoderSession(
                model: try LiteRTModel(library: library, file: graph, weightCache: weightCache),
                configuration: configuration
            )
        }
    }

    func run(_ text: TokenizedText) throws -> [Float] {
        let count = text.ids.count
        let inputs = try model.inputs.map { input in
            switch input.name {
            case "input_ids": return LiteRTTensor(input.name, text.ids, shape: [count])
            case "positions":
                let first = Int32(configuration.firstPosition)
                return LiteRTTensor(input.name, (0..<Int32(count)).map { first + $0 }, shape: [count])
            case "relative_positions":
                let middle = configuration.longestSequence - 1
                let columns = (0..<count).flatMap { query in
                    (0..<count).map { key in Int32(key - query + middle) }
                }
                return LiteRTTensor(input.name, columns, shape: [count, count])
            case "token_type_ids":
                let types = text.typeIDs.isEmpty ? [Int32](repeating: 0, count: count) : text.typeIDs
                return LiteRTTensor(input.name, types, shape: [count])
            default:
                throw BreezeError(
                    .invalidFile,
                    "The graph wants an input \"\(input.name)\" that no text has."
                )
            }
        }
        let outputs = try model.run(inputs: inputs, outputs: model.outputs.prefix(1).map(\.name))
        return outputs.first?.floats ?? []
    }
}
