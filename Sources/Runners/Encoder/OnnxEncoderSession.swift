import BreezeCore
import BreezeOnnxRuntime
import BreezeTokenizers

/// ONNX Runtime's session, which several threads may use at once: the weights are there once.
struct OnnxEncoderSession: EncoderSession {
    let session: OnnxSession

    static func backend(_ session: OnnxSession) -> EncoderBackend {
        EncoderBackend(name: "ONNX Runtime \(session.library.version), fp32", precision: .fp32) {
            OnnxEncoderSession(session: session)
        }
    }

    func run(_ text: TokenizedText) throws -> [Float] {
        let count = text.ids.count
        let inputs = try session.inputs.map { input in
            let values: [Int64]
            switch input.name {
            case "input_ids": values = text.ids.map(Int64.init)
            case "attention_mask": values = [Int64](repeating: 1, count: count)
            case "token_type_ids":
                values =
                    text.typeIDs.isEmpty
                    ? [Int64](repeating: 0, count: count) : text.typeIDs.map(Int64.init)
            default:
                throw BreezeError(
                    .invalidFile,
                    "The graph wants an input \"\(input.name)\" that no text has."
                )
            }
            return OnnxTensor(input.name, values, shape: [1, count])
        }
        let outputs = try session.runBlocking(inputs: inputs, outputs: session.outputs.prefix(1).map(\.name))
        return outputs.first?.floats ?? []
    }
}
