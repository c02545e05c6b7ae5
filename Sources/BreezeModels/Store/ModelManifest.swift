public import BreezeCore

/// What the store keeps of an installed model, written last of all its files: a model without one is not
/// installed.
public struct ModelManifest: Codable, Hashable, Sendable {
    public struct File: Codable, Hashable, Sendable {
        /// Relative to the folder that was imported, with `/` between components: `1_Pooling/config.json`.
        public var name: String
        /// 64 lower-case hexadecimal digits; also names the blob.
        public var sha256: String
        public var size: Int64
    }

    static let currentSchema = 2
    static let readableSchemas = 1...currentSchema

    public var schema: Int
    public var info: ModelInfo
    public var files: [File]
    /// How a text becomes a vector; `nil` for a model that is no encoder.
    public var encoder: EncoderConfiguration?
    /// Names the folder of what is made from the model: SHA-256 over the files that determine it. `nil` for a
    /// model from which nothing is made.
    public var derivedKey: String?
    /// What a GGUF file says of itself; `nil` for a model in another format.
    public var gguf: GGUFModelFacts?
    /// `nil` for a model that was imported from a file of the user's.
    public var origin: ModelOrigin?

    init(
        schema: Int,
        info: ModelInfo,
        files: [File],
        encoder: EncoderConfiguration? = nil,
        derivedKey: String? = nil,
        gguf: GGUFModelFacts? = nil,
        origin: ModelOrigin? = nil
    ) {
        self.schema = schema
        self.info = info
        self.files = files
        self.encoder = encoder
        self.derivedKey = derivedKey
        self.gguf = gguf
        self.origin = origin
    }
}

extension ModelManifest {
    /// The terms of the model: those under which it was taken, else what its own files state.
    public var license: ModelLicense { origin?.license ?? ModelLicense(named: info.license) }

    private enum CodingKeys: String, CodingKey {
        case schema, info, files, encoder, derivedKey, graph, gguf, origin
    }

    /// As version 1 had it, which knew one graph a model.
    private struct Graph: Decodable { let key: String }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        schema = try values.decode(Int.self, forKey: .schema)
        info = try values.decode(ModelInfo.self, forKey: .info)
        files = try values.decode([File].self, forKey: .files)
        encoder = try values.decodeIfPresent(EncoderConfiguration.self, forKey: .encoder)
        derivedKey =
            try values.decodeIfPresent(String.self, forKey: .derivedKey)
            ?? values.decodeIfPresent(Graph.self, forKey: .graph)?.key
        gguf = try values.decodeIfPresent(GGUFModelFacts.self, forKey: .gguf)
        origin = try values.decodeIfPresent(ModelOrigin.self, forKey: .origin)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(schema, forKey: .schema)
        try values.encode(info, forKey: .info)
        try values.encode(files, forKey: .files)
        try values.encodeIfPresent(self.encoder, forKey: .encoder)
        try values.encodeIfPresent(derivedKey, forKey: .derivedKey)
        try values.encodeIfPresent(gguf, forKey: .gguf)
        try values.encodeIfPresent(origin, forKey: .origin)
    }
}
