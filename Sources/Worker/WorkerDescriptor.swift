public import BreezeCore
public import Foundation

/// What a worker process needs to know to build its runner: its ``WorkerRegistry`` has a closure for each kind.
public struct WorkerDescriptor: Codable, Hashable, Sendable {
    /// A name in the registry of the worker program: `llama`.
    public var kind: String
    /// The model that the runner is bound to, where it is bound to one: the worker opens no store.
    public var model: ModelInfo?
    /// The model's file or folder, absolute: the worker's current folder is its parent's.
    public var path: String?
    public var settings: LoadSettings
    /// Bytes of resident memory; a worker that exceeds them is ended. `nil` is no limit.
    public var memoryLimit: Int64?
    /// Without it the worker opens no socket but those within the device.
    public var needsNetwork: Bool

    public init(
        kind: String,
        model: ModelInfo? = nil,
        path: String? = nil,
        settings: LoadSettings = LoadSettings(),
        memoryLimit: Int64? = nil,
        needsNetwork: Bool = false
    ) {
        self.kind = kind
        self.model = model
        self.path = path
        self.settings = settings
        self.memoryLimit = memoryLimit
        self.needsNetwork = needsNetwork
    }
}

extension WorkerDescriptor {
    /// The model and its file, for a kind of runner that has no use for a descriptor without them.
    public func modelFile() throws -> (model: ModelInfo, file: URL) {
        guard let model, let path else {
            throw BreezeError(.invalidRequest, "A worker for \(kind) needs a model and its file.")
        }
        return (model, URL(filePath: path))
    }
}
