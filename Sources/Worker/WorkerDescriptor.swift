public import BreezeCore

/// What a worker process needs to know to build its runner: its ``WorkerRegistry`` has a closure for each kind.
public struct WorkerDescriptor: Codable, Hashable, Sendable {
    /// A name in the registry of the worker program: `llama`.
    public var kind: String
    /// The model's id, where the runner has one.
    public var model: String?
    /// The model's file or folder, absolute: the worker's current folder is its parent's.
    public var path: String?
    public var settings: [String: JSONValue]
    /// Bytes of resident memory; a worker that exceeds them is ended. `nil` is no limit.
    public var memoryLimit: Int64?
    /// Without it the worker opens no socket but those within the device.
    public var needsNetwork: Bool

    public init(
        kind: String,
        model: String? = nil,
        path: String? = nil,
        settings: [String: JSONValue] = [:],
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
