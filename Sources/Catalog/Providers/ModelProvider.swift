import BreezeCore
public import BreezeDownloads
public import BreezeModels
public import Foundation

/// Who has models: finds them, describes them, and says where their files are.
public protocol ModelProvider: Sendable {
    /// As a ``ModelReference`` names it: `huggingface`.
    var name: String { get }

    /// Whether nothing can be had without a credential that is missing now.
    func requiresAuthentication() async -> Bool

    func discoverModels(_ query: ModelQuery) async throws -> [ModelOffer]

    /// Files with their sizes, digests and addresses, pinned to one revision, and the terms.
    func resolve(_ reference: ModelReference) async throws -> ModelPackage

    /// What the downloader fetches.
    func downloadModel(_ package: ModelPackage) async throws -> DownloadPlan
}

extension ModelProvider {
    public func discoverModels() async throws -> [ModelOffer] { try await discoverModels(ModelQuery()) }

    /// What is known of a model without asking for its files.
    public func describe(_ reference: ModelReference) async throws -> ModelOffer {
        try await resolve(reference).offer
    }

    public func downloadModel(_ package: ModelPackage) async throws -> DownloadPlan {
        DownloadPlan(id: package.suggestedID, files: package.downloads)
    }
}

public struct ModelQuery: Hashable, Sendable {
    public var text: String
    /// An organisation: `apple`, `microsoft`, `mlc-ai`, `mlx-community`.
    public var author: String?
    /// `gguf`, `mlx`, `onnx`, `safetensors`.
    public var format: String?
    public var limit: Int

    public init(text: String = "", author: String? = nil, format: String? = nil, limit: Int = 20) {
        self.text = text
        self.author = author
        self.format = format
        self.limit = limit
    }
}

/// A model that a provider has.
public struct ModelOffer: Codable, Hashable, Sendable {
    public var reference: ModelReference
    public var name: String
    public var author: String?
    public var license: String?
    public var downloads: Int?
    public var likes: Int?
    public var tags: [String]
    /// Its files are given only to those who accepted its terms there.
    public var isGated: Bool

    public init(
        reference: ModelReference,
        name: String,
        author: String? = nil,
        license: String? = nil,
        downloads: Int? = nil,
        likes: Int? = nil,
        tags: [String] = [],
        isGated: Bool = false
    ) {
        self.reference = reference
        self.name = name
        self.author = author
        self.license = license
        self.downloads = downloads
        self.likes = likes
        self.tags = tags
        self.isGated = isGated
    }
}

/// All that a download needs to know of a model, of one revision.
public struct ModelPackage: Codable, Hashable, Sendable {
    public struct File: Codable, Hashable, Sendable {
        public var name: String
        public var url: URL
        public var size: Int64?
        public var sha256: String?

        public init(name: String, url: URL, size: Int64? = nil, sha256: String? = nil) {
            self.name = name
            self.url = url
            self.size = size
            self.sha256 = sha256
        }
    }

    public var offer: ModelOffer
    /// The provider's name of this revision, such as a commit; `nil` where it has none.
    public var revision: String?
    public var files: [File]
    public var license: ModelLicense
    /// The id under which it would be installed.
    public var suggestedID: String

    public init(
        offer: ModelOffer,
        revision: String? = nil,
        files: [File],
        license: ModelLicense,
        suggestedID: String
    ) {
        self.offer = offer
        self.revision = revision
        self.files = files
        self.license = license
        self.suggestedID = suggestedID
    }

    /// Bytes; `nil` where one file's is not known.
    public var size: Int64? {
        files.reduce(Int64?(0)) { sum, file in sum.flatMap { sum in file.size.map { sum + $0 } } }
    }

    public var downloads: [DownloadPlan.File] {
        files.map { .init(name: $0.name, sources: [$0.url], size: $0.size, sha256: $0.sha256) }
    }
}

/// The providers of a program, by name; one that is registered under a name takes the place of the one before.
public actor ProviderRegistry {
    private var providers: [String: any ModelProvider] = [:]

    public init(_ providers: [any ModelProvider] = []) {
        for provider in providers { self.providers[provider.name] = provider }
    }

    public func register(_ provider: any ModelProvider) { providers[provider.name] = provider }

    public func remove(_ name: String) { providers[name] = nil }

    public var all: [any ModelProvider] { providers.sorted { $0.key < $1.key }.map(\.value) }

    /// - Throws: ``BreezeError`` `.invalidParameter` with the nearest name.
    public func provider(_ name: String) throws -> any ModelProvider {
        if let provider = providers[name] { return provider }
        let nearest = nearestName(to: name, in: Array(providers.keys)).map { "Did you mean \($0)?" }
        throw BreezeError(.invalidParameter, "There is no provider \(name).", remedy: nearest)
    }
}
