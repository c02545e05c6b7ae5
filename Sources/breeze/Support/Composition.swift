import BreezeCore
import BreezeEngine
import BreezeModels
import Foundation
import Logging

/// The engine of one call, with every runner that this program has.
struct Composition: Sendable {
    let paths: BreezePaths
    let settings: SettingsStore
    let models: ModelStore
    let engine: Engine
    private let installed: InstalledRunners

    /// Opens no runtime and loads no model: that waits for the first request that needs it.
    init(_ options: EngineOptions) async throws {
        let environment = ProcessInfo.processInfo.environment
        paths = BreezePaths(environment: environment)
        settings = SettingsStore(file: paths.settings, environment: environment, flags: options.settings)
        Self.bootstrapLog(try settings.current())
        let measured = ResidencyFile(file: paths.data.appending(path: "residency.json"))
        engine = Engine(settings: settings, residency: ResidencyOptions(store: measured))
        models = ModelStore(home: paths.data)
        installed = InstalledRunners(models: models, settings: settings, environment: environment)
        for runner in try await installed.all() { try await engine.register(runner) }
    }

    /// Takes up what was installed and removed since, by whichever program.
    func refresh() async throws {
        let now = try await installed.all()
        let known = await engine.runners().map(\.id)
        for id in known where !now.contains(where: { $0.id == id }) { await engine.remove(id) }
        for runner in now where !known.contains(runner.id) { try await engine.register(runner) }
        await engine.refreshAvailability()
    }

    /// Errors alone by default: what goes wrong for the user is reported once, as the command's failure.
    private static func bootstrapLog(_ settings: EngineSettings) {
        let level = settings.tree["log", "level"]?.stringValue.flatMap(Logger.Level.init(rawValue:)) ?? .error
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
    }

    /// A request from a person or a script: its texts are checked, and where nobody may answer, the failure
    /// says what would change that.
    func run(_ request: InferenceRequest) async throws -> InferenceResult {
        try request.checkTexts()
        do { return try await engine.run(request) } catch let error as BreezeError {
            throw completing(error, of: request)
        }
    }

    /// The engine does not know by which command a model gets here; this program does. A request that names
    /// its runner or model has the reason in the message already.
    func completing(_ error: BreezeError, of request: InferenceRequest) -> BreezeError {
        guard error.code == .noRunner, request.runnerID == nil, request.modelID == nil else { return error }
        return BreezeError(
            error.code,
            error.message,
            remedy: Remedies.noRunner(for: request.capability),
            underlying: error.underlying
        )
    }

    /// Shows on a terminal how many of the request's texts are done.
    func run(_ request: InferenceRequest, showing step: String) async throws -> InferenceResult {
        guard Console.isErrorTerminal, request.texts.count >= Self.worthShowing else {
            return try await run(request)
        }
        let progress = ProgressLine(json: false)
        defer { progress.end() }
        var done: Int64 = 0
        var result: InferenceResult?
        for try await chunk in try stream(request) {
            switch chunk.content {
            case .progress(let learnt):
                progress.show(learnt.stage, completed: Int64(learnt.completed), total: Int64(learnt.total))
            case .result(let whole): result = whole
            default:
                done += 1
                progress.show(step, completed: done, total: Int64(request.texts.count))
            }
        }
        guard let result else {
            throw BreezeError(.internalError, "The answer ended without its result.", remedy: "Try again.")
        }
        return result
    }

    /// Texts; fewer are done before anybody looks.
    private static let worthShowing = 200

    func stream(_ request: InferenceRequest) throws -> InferenceStream {
        try request.checkTexts()
        return InferenceStream { sink in
            do {
                for try await chunk in engine.stream(request) { try await sink.send(chunk) }
            } catch let error as BreezeError {
                throw completing(error, of: request)
            }
        }
    }
}

extension InferenceRequest {
    fileprivate func checkTexts() throws {
        if let prompt { try TextFile.check(prompt, named: "The prompt") }
        for (index, text) in (inputs ?? []).enumerated() {
            try TextFile.check(text, named: "Text \(index + 1)")
        }
        for (index, message) in (messages ?? []).enumerated() {
            try TextFile.check(message.content, named: "Message \(index + 1)")
        }
        for category in categories ?? [] {
            for text in category.examples {
                try TextFile.check(text, named: "An example of \(category.name)")
            }
        }
    }
}
