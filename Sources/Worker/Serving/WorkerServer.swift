import BreezeCore
import CSandbox
import Foundation
import Synchronization

/// Answers one host: builds the runner that it describes, and runs what it asks.
final class WorkerServer: Sendable {
    private struct Run {
        let gate: CreditGate
        let task: Task<Void, Never>
    }

    private struct State {
        var runner: (any Runner)?
        var runs: [UInt32: Run] = [:]
    }

    private let registry: WorkerRegistry
    private let version: String
    private let channel: HostChannel
    private let hardening: sandbox_protection
    private let state = Mutex(State())

    init(
        _ registry: WorkerRegistry,
        version: String,
        channel: HostChannel,
        protection: sandbox_protection
    ) {
        self.registry = registry
        self.version = version
        self.channel = channel
        hardening = protection
    }

    /// On a thread of its own, which never waits for a runner: it hears a cancellation while all others compute.
    func serve() {
        var decoder = FrameDecoder()
        channel.read { piece in
            decoder.append(piece)
            do {
                while let frame = try decoder.next() { try receive(HostMessage(frame)) }
            } catch {
                let reason = (error as? WireFault)?.reason ?? "\(error)"
                WorkerHost.complain("breeze: the host sent \(reason).")
                _exit(65)
            }
        }
    }

    private func receive(_ message: HostMessage) throws {
        switch message {
        case .open(let opening): open(opening)
        case .load: load()
        case .run(let id, let credit, let streams, let request):
            try run(id, request, streams ? Int(credit) : nil)
        case .credit(let id, let count): state.withLock { $0.runs[id] }?.gate.grant(Int(count))
        case .cancel(let id): state.withLock { $0.runs[id] }?.task.cancel()
        case .unload: unload()
        case .ping(let number): send(.pong(number))
        }
    }

    private func send(_ message: WorkerMessage) {
        // Every message but those of the answers is of plain fields.
        guard let bytes = try? message.encoded() else { return }
        channel.send(bytes)
    }

    // MARK: The runner

    private func open(_ opening: Opening) {
        var protection = hardening
        if !opening.descriptor.needsNetwork { sandbox_refuse_internet(&protection) }
        // The host watches what is resident and ends the worker; this bounds what happens between two looks.
        if let limit = opening.descriptor.memoryLimit, limit > 0 {
            _ = sandbox_limit_memory(2 * UInt64(min(limit, 1 << 60)) + 1 << 30)
        }
        var hello = Hello(program: version, protection: WorkerProtection(protection))
        guard opening.protocol == Opening.version, opening.program == version else {
            // The host sees the difference as well, and says what to do.
            return send(.hello(hello))
        }
        do {
            let runner = try registry.runner(for: opening.descriptor)
            state.withLock { $0.runner = runner }
        } catch {
            hello.refusal = breezeError(error, of: opening.descriptor.kind)
        }
        send(.hello(hello))
    }

    private func load() {
        guard let runner = state.withLock({ $0.runner }) else { return send(.loadFailed(.error(noRunner))) }
        Task {
            do {
                try await runner.load { [weak self] in self?.send(.loading($0)) }
                send(.loaded)
            } catch {
                send(.loadFailed(failure(error, of: runner.id)))
            }
        }
    }

    private func unload() {
        let runner = state.withLock { $0.runner }
        Task {
            await runner?.unload()
            send(.unloaded)
            _exit(0)
        }
    }

    // MARK: Requests

    /// `credit` chunks may go out at first; `nil` where nobody wants any.
    private func run(_ id: UInt32, _ request: Data, _ credit: Int?) throws {
        let gate = CreditGate(credit ?? 0)
        try state.withLock { state in
            guard state.runs[id] == nil else { throw WireFault("a request's number twice") }
            guard let runner = state.runner else {
                return send(.failed(id: id, .error(noRunner)))
            }
            let task = Task { [self] in
                let outcome = await outcome(of: runner, id, request, credit == nil ? nil : gate)
                forget(id)
                channel.send(outcome)
            }
            state.runs[id] = Run(gate: gate, task: task)
        }
    }

    private func forget(_ id: UInt32) {
        state.withLock { $0.runs[id] = nil }
    }

    private func outcome(
        of runner: any Runner,
        _ id: UInt32,
        _ request: Data,
        _ gate: CreditGate?
    ) async -> [UInt8] {
        do {
            let request = try decode(request)
            let result = try await answer(of: runner, to: request, id, gate)
            let bytes = try WorkerMessage.result(id: id, ResultPayload.encode(result)[...]).encoded()
            guard bytes.count <= Frame.maximumLength else { throw tooLarge(bytes.count, runner.id) }
            return bytes
        } catch {
            return (try? WorkerMessage.failed(id: id, failure(error, of: runner.id)).encoded()) ?? []
        }
    }

    private func decode(_ request: Data) throws -> InferenceRequest {
        do { return try WireJSON.decoder.decode(InferenceRequest.self, from: request) } catch {
            throw BreezeError(.internalError, "A worker could not read a request.", underlying: error)
        }
    }

    private func answer(
        of runner: any Runner,
        to request: InferenceRequest,
        _ id: UInt32,
        _ gate: CreditGate?
    ) async throws -> InferenceResult {
        guard let gate else { return try await runner.run(request: request) }
        let sink = ChunkSink { [channel] chunk in
            try await gate.take()
            let payload = try ChunkPayload.encode(chunk, of: request.id)
            channel.send(try WorkerMessage.chunk(id: id, payload[...]).encoded())
        }
        return try await runner.stream(request, into: sink)
    }

    // MARK: Failures

    private func failure(_ error: any Error, of runner: String) -> WorkerMessage.Failure {
        error is CancellationError ? .cancelled : .error(breezeError(error, of: runner))
    }

    private func breezeError(_ error: any Error, of runner: String) -> BreezeError {
        error as? BreezeError
            ?? BreezeError(
                .runFailed,
                "\(runner) failed: \(error).",
                remedy: "Try again, or use another runner.",
                underlying: error
            )
    }

    private var noRunner: BreezeError {
        BreezeError(.internalError, "A worker was asked before it had a runner.", remedy: "Try again.")
    }

    private func tooLarge(_ size: Int, _ runner: String) -> BreezeError {
        BreezeError(
            .invalidRequest,
            "\(runner): an answer of \(size) bytes is more than a worker sends (\(Frame.maximumLength)).",
            remedy: "Ask for fewer texts at once."
        )
    }
}
