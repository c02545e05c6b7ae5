public import BreezeCore
import BreezeModels
public import Foundation
import Synchronization

/// Chats and embeds with a GGUF model through llama.cpp, in the process that it is loaded in. Some damaged files end
/// that process: where others depend on it, host this runner in a worker.
public final class LlamaRunner: StreamingRunner {
    public let id: String
    public let supportedCapabilities: [AICapability]
    public let loadSettings: LoadSettings
    private let info: ModelInfo
    private let file: URL
    private let standing: ModelStanding

    /// `file` is the model's GGUF. `settings` may hold `threads`.
    public convenience init(model: ModelInfo, file: URL, settings: LoadSettings = LoadSettings()) {
        self.init(model: model, file: file, settings: settings, standing: ModelStanding())
    }

    init(model: ModelInfo, file: URL, settings: LoadSettings, standing: ModelStanding) {
        self.standing = standing
        id = "llama:\(model.id)"
        info = model
        self.file = file
        loadSettings = settings
        supportedCapabilities = model.capabilities.filter { [.chat, .embedding].contains($0) }
    }

    public var model: ModelInfo? { info }
    public var qualityTier: Int { standing.qualityTier }
    public var reservation: String? { standing.reservation }

    public var parameterSchema: ParameterSchema {
        supportedCapabilities.contains(.chat) ? LlamaParameters.schema : ParameterSchema()
    }

    /// Whether this program was built with llama.cpp.
    public static var availability: Availability {
        #if Llama
        .available
        #else
        .unavailable(
            reason: "This program was built without llama.cpp.",
            remedy: "Build it with the trait Llama: make build"
        )
        #endif
    }

    public func availability() async -> Availability {
        guard FileManager.default.isReadableFile(atPath: file.path) else {
            return .unavailable(
                reason: "The file of \(info.id) is not there any more.",
                remedy: "breeze models remove \(info.id), and import it again"
            )
        }
        return Self.availability
    }

    #if Llama
    private let session: Mutex<LlamaSession?> = Mutex(nil)
    private static let progressStep = 5

    public func load() async throws { try await load { _ in } }

    /// Its progress comes in steps of five percent.
    public func load(onProgress: @escaping LoadProgress) async throws {
        if session.withLock({ $0 != nil }) { return }
        let threads = loadSettings.values["threads"]?.intValue ?? 1
        let cancel = CancelFlag()
        let told = Mutex(0)
        let loaded = try await withTaskCancellationHandler {
            try await LlamaSession.open(file, threads: max(1, threads)) { part in
                let percent = Int(part * 100) / Self.progressStep * Self.progressStep
                let isNews = told.withLock { last in
                    defer { last = percent }
                    return percent > last
                }
                if isNews { onProgress(.init(stage: "loading", completed: percent, total: 100)) }
                return !cancel.isSet
            }
        } onCancel: {
            cancel.set()
        }
        session.withLock { $0 = $0 ?? loaded }
    }

    /// A run in progress keeps the model until it ends.
    public func unload() async { session.withLock { $0 = nil } }

    public func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        guard let session = session.withLock({ $0 }) else {
            throw BreezeError(.loadFailed, "\(id) was asked to run before it was loaded.")
        }
        let signature = LlamaSession.Signature(runner: id, model: info.id)
        switch request.capability {
        case .embedding: return try await session.embed(request, as: signature, into: sink)
        default: return try await session.chat(request, as: signature, into: sink)
        }
    }
    #else
    public func load() async throws { throw Self.missing }
    public func unload() async {}
    public func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        throw Self.missing
    }

    private static var missing: BreezeError {
        guard case .unavailable(let reason, let remedy) = availability else {
            return BreezeError(.internalError, "llama.cpp is there and was not used.")
        }
        return BreezeError(.unavailable, reason, remedy: remedy)
    }
    #endif
}
