import BreezeCore
import BreezeEngine
import Synchronization

/// What clients call a model: by its id, by a runner's id, or as Ollama's users write it (`qwen3:0.6b`,
/// `all-minilm:latest`).
final class ModelNames: Sendable {
    enum Target: Hashable, Sendable {
        case model(String)
        case runner(String)
    }

    private static let limit = 1_000

    private let engine: Engine
    private let allowsMocks: Bool
    /// Looking through all runners for each request would cost more than answering it.
    private let known: Mutex<[String: Target]> = Mutex([:])

    init(engine: Engine, allowsMocks: Bool) {
        self.engine = engine
        self.allowsMocks = allowsMocks
    }

    /// To be called when a model came or went.
    func forget() { known.withLock { $0 = [:] } }

    /// Puts the runner or model in place of the name. One that nobody has stays: the engine names the nearest.
    func resolve(_ request: inout InferenceRequest) async {
        guard let name = request.modelID, request.runnerID == nil else { return }
        switch await target(of: name) {
        case .model(let id): request.modelID = id
        case .runner(let id):
            request.modelID = nil
            request.runnerID = id
        case nil: break
        }
    }

    func target(of name: String) async -> Target? {
        if let target = known.withLock({ $0[name] }) { return target }
        let runners = await engine.runners()
        guard let target = Self.target(of: name, among: runners, allowsMocks: allowsMocks) else { return nil }
        guard name.utf8.count <= 200 else { return target }
        known.withLock { known in
            // Of one model there are as many names as clients make up.
            if known.count >= Self.limit { known = [:] }
            known[name] = target
        }
        return target
    }

    /// Under which a runner without a model is known.
    static func name(of runner: RunnerStatus) -> String {
        runner.model ?? runner.id.replacing(":", with: "-")
    }

    static func target(of name: String, among runners: [RunnerStatus], allowsMocks: Bool) -> Target? {
        let runners = runners.filter { allowsMocks || !$0.isMock }
        let models = runners.compactMap(\.model)
        if models.contains(name) { return .model(name) }
        if runners.contains(where: { $0.id == name }) { return .runner(name) }
        if let runner = runners.first(where: { Self.name(of: $0) == name }) { return .runner(runner.id) }
        let plain = id(ofOllama: name)
        if models.contains(plain) { return .model(plain) }
        let longer = models.filter { $0.hasPrefix(plain + "-") }.sorted()
        return longer.first.map { .model($0) }
    }

    /// `qwen3-0.6b` for `qwen3:0.6b`, `all-minilm` for `library/all-minilm:latest`.
    static func id(ofOllama name: String) -> String {
        var name = name.lowercased()
        if name.hasSuffix(":latest") { name.removeLast(":latest".count) }
        if name.hasPrefix("library/") { name.removeFirst("library/".count) }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 3, parts[0] == "hf.co" { name = String(parts[2]).replacing("-gguf:", with: "-") }
        return name.replacing(":", with: "-")
    }
}
