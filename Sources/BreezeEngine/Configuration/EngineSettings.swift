public import BreezeCore

/// The settings in force, by what the engine asks of them.
public struct EngineSettings: Sendable {
    public let tree: SettingsTree
    /// Another number than before tells that a source has changed.
    public let revision: Int
    /// The settings that name a runner, a backend or a model, with that name.
    let namings: [(setting: String, name: String)]

    public init(_ tree: SettingsTree = SettingsTree(), revision: Int = 0) {
        self.tree = tree
        self.revision = revision
        namings = tree.entries.compactMap { entry in
            switch entry.path.first {
            case "runners": (entry.name, entry.path[1])
            case "routing": entry.value.stringValue.map { (entry.name, $0) }
            default: nil
            }
        }
    }

    public var isOffline: Bool { tree["privacy", "offline"]?.boolValue ?? false }

    /// Ids or backends of network runners.
    public var consents: Set<String> {
        Set(tree["privacy", "consent"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    }

    /// A network service, as the settings describe it.
    public struct Service: Hashable, Sendable {
        public var url: String?
        public var models: [String] = []
        public var visionModels: [String] = []
        public var embeddingModels: [String] = []
        public var key: String?
        public var dialect: String?
    }

    /// The names of all network services that are described.
    public var services: [String] {
        Set(tree.entries.filter { $0.path.first == "services" }.map { $0.path[1] }).sorted()
    }

    public func service(_ name: String) -> Service {
        let fields = tree.children(of: ["services", name]).mapValues(\.value)
        func strings(_ field: String) -> [String] {
            fields[field]?.arrayValue?.compactMap(\.stringValue) ?? []
        }
        return Service(
            url: fields["url"]?.stringValue,
            models: strings("models"),
            visionModels: strings("visionModels"),
            embeddingModels: strings("embeddingModels"),
            key: fields["key"]?.stringValue,
            dialect: fields["dialect"]?.stringValue
        )
    }

    /// The runner, backend or model that answers `capability` first.
    public func preferred(for capability: AICapability) -> String? {
        tree["routing", "preferred", capability.rawValue]?.stringValue
    }

    /// `int8` or `fp32`.
    public var encoderPrecision: String? { tree["encoder", "precision"]?.stringValue }
    public var encoderWorkers: Int? { tree["encoder", "workers"]?.intValue }
    /// Bytes that all installed models may take on disk; `nil` is as many as there are.
    public var modelQuota: Int64? { tree["models", "quota"].flatMap(ByteCount.value(of:)) }
    public var llamaThreads: Int? { tree["llama", "threads"]?.intValue }

    public var liteRTPath: String? { tree["runtimes", "litert"]?.stringValue }
    public var onnxRuntimePath: String? { tree["runtimes", "onnxruntime"]?.stringValue }

    /// The engine tier's value of each parameter of one runner: the runner's own section, else its backend's,
    /// else the defaults for all.
    func parameters(for runner: any Runner) -> [String: EngineParameter] {
        var found = tree.children(of: ["defaults"]).mapValues {
            EngineParameter(entry: $0, isSpecific: false)
        }
        for section in [runner.backend, runner.id] {
            for (name, entry) in tree.children(of: ["runners", section]) {
                found[name] = EngineParameter(entry: entry, isSpecific: true)
            }
        }
        return found
    }
}

/// The engine tier's value of one parameter.
struct EngineParameter: Sendable {
    let entry: SettingsTree.Entry
    /// Written for this runner or its backend, so that it must be a parameter that the runner knows.
    let isSpecific: Bool

    var value: JSONValue { entry.value }
}
