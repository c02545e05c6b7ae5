import BreezeOnnxRuntime
import BreezeTokenizers

/// One thread's way through a model. Confined to the thread that made it.
protocol EncoderSession {
    /// The model's first output for one text.
    /// - Throws: ``BreezeError``.
    func run(_ text: TokenizedText) throws -> [Float]
}

/// A runtime with a model opened, from which each worker makes its session.
struct EncoderBackend: Sendable {
    /// For a person to read: `LiteRT 2.3.0, int8`.
    let name: String
    /// How far an answer may be from the reference's, as a share of the reference's length.
    let tolerance: Float
    let makeSession: @Sendable () throws -> any EncoderSession
}
