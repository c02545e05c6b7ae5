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

    /// A file made from the model's own, which can be made again.
    public struct Graph: Codable, Hashable, Sendable {
        /// What it is for: `encoder-onnx`.
        public var kind: String
        /// Raised whenever the writer changes what it writes.
        public var version: Int
        /// SHA-256 over the files that determine it.
        public var key: String
        public var size: Int64
        /// Of the graph's own bytes.
        public var sha256: String
    }

    static let currentSchema = 1

    public var schema: Int
    public var info: ModelInfo
    public var files: [File]
    /// How a text becomes a vector; `nil` for a model that is no encoder.
    public var encoder: EncoderConfiguration?
    public var graph: Graph?
}
