import BreezeCore
import BreezeModels
import BreezeTokenizers

/// One thread's way through a model. Confined to the thread that made it.
protocol EncoderSession {
    /// The model's first output for one text.
    /// - Throws: ``BreezeError``.
    func run(_ text: TokenizedText) throws -> [Float]
}

/// How a model computes. In ``LoadSettings`` as `precision`.
enum EncoderPrecision: String, Sendable {
    /// Matrices in 8 bits: about three times as fast, vectors within a cosine of 0.998 of the exact ones.
    case int8
    /// As the publisher's own library.
    case fp32

    init(_ settings: LoadSettings) {
        self = settings.values["precision"]?.stringValue.flatMap(Self.init) ?? .int8
    }

    var liteRTFormat: EncoderGraph.Format { self == .int8 ? .liteRTInt8 : .liteRT }

    /// How far an answer may be from the reference's, as a share of the reference's length.
    var tolerance: Float { self == .int8 ? 0.25 : 0.01 }
}

/// A runtime with a model opened, from which each worker makes its session.
struct EncoderBackend: Sendable {
    /// For a person to read: `LiteRT 2.3.0, int8`.
    let name: String
    let precision: EncoderPrecision
    let makeSession: @Sendable () throws -> any EncoderSession
}
