public import Foundation

/// What is installed, by id, and what is there but cannot be used.
public struct ModelListing: Codable, Hashable, Sendable {
    public struct Damage: Codable, Hashable, Sendable {
        public var id: String
        /// A sentence naming the fault.
        public var reason: String

        public init(id: String, reason: String) {
            self.id = id
            self.reason = reason
        }

        /// What mends it.
        public var remedy: String { "breeze models remove \(id), then import it again" }
    }

    public var models: [ModelManifest]
    public var damaged: [Damage]
}

/// An installed model's files, as a runner wants them.
public struct ModelFiles: Hashable, Sendable {
    public var manifest: ModelManifest
    /// Blobs by the name that they had in the imported folder: `tokenizer.json`, `config.json`. A blob's own
    /// file name is its digest and has no extension.
    public var files: [String: URL]

    /// The model itself, where it is a GGUF file.
    public var gguf: URL? { files.first { $0.key.lowercased().hasSuffix(".gguf") }?.value }
}

/// How an import ended.
public struct ImportOutcome: Codable, Hashable, Sendable {
    public var manifest: ModelManifest
    /// The same content was there already; nothing was written.
    public var alreadyInstalled: Bool

    public init(manifest: ModelManifest, alreadyInstalled: Bool = false) {
        self.manifest = manifest
        self.alreadyInstalled = alreadyInstalled
    }
}

/// How far an import is.
public struct ImportProgress: Hashable, Sendable {
    public enum Stage: String, Hashable, Sendable {
        /// Another process works on the store.
        case waiting
        /// Hashing, to see whether this content is installed already.
        case comparing
        case copying
        case converting
    }

    public var stage: Stage
    /// Bytes; both 0 while waiting.
    public var completed: Int64
    public var total: Int64
}
