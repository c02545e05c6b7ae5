/// Something that a runner can do. Open: an embedding app may add its own.
public struct AICapability: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    /// `vision`, the name that some clients use, is read as ``vlm``.
    public init(rawValue: String) {
        self.rawValue = rawValue == "vision" ? "vlm" : rawValue
    }

    public static let chat = Self(rawValue: "chat")
    /// Text from an image and a prompt.
    public static let vlm = Self(rawValue: "vlm")
    /// Text from speech.
    public static let asr = Self(rawValue: "asr")
    /// Speech from text.
    public static let tts = Self(rawValue: "tts")
    /// A safety verdict on a text.
    public static let guardian = Self(rawValue: "guardian")
    public static let embedding = Self(rawValue: "embedding")
    public static let classification = Self(rawValue: "classification")
    public static let rerank = Self(rawValue: "rerank")
    /// The text printed in an image.
    public static let ocr = Self(rawValue: "ocr")

    /// The ones that Breeze itself defines, in the order of the specification.
    public static let standard: [AICapability] = [
        .chat, .vlm, .asr, .tts, .guardian, .embedding, .classification, .rerank, .ocr,
    ]
}

extension AICapability: CustomStringConvertible {
    public var description: String { rawValue }
}

extension AICapability: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
