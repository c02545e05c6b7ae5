public import BreezeCore
public import BreezeModels

/// One edition of a model that Breeze knows beforehand: what it can do, what it costs, where it is, and under which
/// terms. A field that nobody could look up is `nil`.
public struct CatalogEntry: Codable, Hashable, Sendable, Identifiable {
    public struct File: Codable, Hashable, Sendable {
        /// Relative to the repository.
        public var path: String
        public var size: Int64?
        /// Outranks what the server says.
        public var sha256: String?

        public init(path: String, size: Int64? = nil, sha256: String? = nil) {
            self.path = path
            self.size = size
            self.sha256 = sha256
        }
    }

    public var id: String
    public var name: String
    public var publisher: String
    public var capabilities: [AICapability]
    public var format: ModelFormat
    /// The ``ModelProvider/name`` of who has it.
    public var provider: String
    public var repository: String
    public var revision: String?
    public var files: [File]
    public var architecture: String?
    public var parameterCount: Int64?
    public var quantization: String?
    public var contextLength: Int?
    /// Bytes of all files.
    public var downloadBytes: Int64?
    /// Bytes in memory; of a language model with a context of 4,096 tokens.
    public var estimatedMemory: Int64?
    public var license: String?
    public var licenseURL: String?
    public var commercialUse: ModelLicense.Permission
    public var redistribution: ModelLicense.Permission
    public var status: ModelLicense.Status
    public var attribution: String?
    /// `recommended`, `enhanced`, `gated-source`.
    public var tags: [String]
    /// Bytes of the device's memory from which it is the one to take.
    public var minimumMemory: Int64?
    public var note: String?

    public var terms: ModelLicense {
        ModelLicense(
            name: license,
            url: licenseURL,
            commercialUse: commercialUse,
            redistribution: redistribution,
            status: status,
            attribution: attribution
        )
    }

    public var reference: ModelReference {
        ModelReference(
            provider: provider,
            repository: repository,
            revision: revision,
            files: files.map(\.path)
        )
    }

    /// As the store describes an installed model.
    public var info: ModelInfo {
        ModelInfo(
            id: id,
            name: name,
            format: format,
            capabilities: capabilities,
            architecture: architecture,
            size: downloadBytes ?? 0,
            estimatedMemory: estimatedMemory,
            contextLength: contextLength,
            parameterCount: parameterCount,
            quantization: quantization,
            license: license,
            source: "\(provider):\(repository)"
        )
    }
}
