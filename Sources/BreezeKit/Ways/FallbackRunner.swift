import BreezeCore

/// What the engine would do for a runner: loads it before it runs, never twice at once, runs no more at once
/// than it takes, and gives it the parameters that are in force.
actor FallbackRunner {
    nonisolated let runner: any Runner
    private var loading: Task<Void, any Error>?
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ runner: any Runner) {
        self.runner = runner
    }

    func answer(_ request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        let (configuration, notices) = try runner.parametersInForce(request.configuration)
        var prepared = request
        prepared.configuration = configuration
        prepared.streamingCallback = nil
        await takePlace()
        defer { freePlace() }
        try Task.checkCancellation()
        try await load()
        try Task.checkCancellation()
        do {
            var result = try await runner.stream(prepared, into: sink)
            result.notices += notices
            return result
        } catch let error as BreezeError { throw error } catch let error as CancellationError {
            throw error
        } catch {
            // An error of another type may hold anything, a prompt too: it stays in `underlying`.
            throw BreezeError(
                .runFailed,
                "\(runner.id) failed with an unforeseen error (\(type(of: error))).",
                remedy: "Try again.",
                underlying: error
            )
        }
    }

    private func takePlace() async {
        guard running >= max(1, runner.concurrency) else {
            running += 1
            return
        }
        // Who leaves hands the place over.
        await withCheckedContinuation { waiting.append($0) }
    }

    private func freePlace() {
        if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
    }

    /// Each time, since the app may have unloaded it; a runner that is ready does nothing.
    private func load() async throws {
        let task = loading ?? Task { [runner] in try await runner.load() }
        loading = task
        defer { if loading == task { loading = nil } }
        try await task.value
    }
}

extension Runner {
    /// The request's values over the runner's defaults, and what is to be said of those that are not used.
    fileprivate func parametersInForce(_ asked: InferenceConfig) throws -> (InferenceConfig, [String]) {
        var effective = InferenceConfig(
            guidedOutput: asked.guidedOutput,
            tools: asked.tools,
            toolChoice: asked.toolChoice
        )
        var notices: [String] = []
        for parameter in parameterSchema.parameters {
            effective[parameter: parameter.name] = parameter.defaultValue
        }
        // The client acts on the timeout itself, and a fallback stays loaded.
        for (name, value) in asked.parameters where name != "timeout" && name != "keepAlive" {
            guard let descriptor = parameterSchema[name], descriptor.tiers.contains(.client) else {
                notices.append("The parameter \(name) was refused: \(id) does not take it from a request.")
                continue
            }
            let hidden = descriptor.isSensitive ? "its value is not of the right kind or range" : nil
            switch descriptor.kind.check(value) {
            case .valid(let value): effective[parameter: name] = value
            case .outOfRange(let nearest, let reason) where descriptor.rangePolicy == .clamp:
                effective[parameter: name] = nearest
                notices.append("The parameter \(name) was clamped: \(hidden ?? reason).")
            case .outOfRange(_, let reason), .wrong(let reason):
                throw BreezeError(
                    .invalidParameter,
                    "\(name): \(hidden ?? reason).",
                    remedy: "See the parameterSchema of \(id)."
                )
            }
        }
        return (effective, notices)
    }
}
