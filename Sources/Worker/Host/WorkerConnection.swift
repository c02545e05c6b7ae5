import BreezeCore
import Foundation
import Synchronization

/// One worker process from its start to its end, and the requests that it answers.
final class WorkerConnection: Sendable {
    /// Why a worker is to end, or has ended.
    struct Fate: Sendable {
        /// What those who wait for it are told.
        let error: any Error
        /// The worker's own doing, as a crash is: it counts when the next one waits for its start.
        let isFault: Bool
    }

    /// What happens before there are requests, and after.
    enum Step: Sendable {
        case hello(Hello)
        case loading(InferenceChunk.Progress)
        case loaded
        case failure(any Error)
    }

    struct State {
        var process: WorkerProcess?
        var isLoading = false
        var calls: [UInt32: WorkerCall] = [:]
        var nextID: UInt32 = 1
        var protection: WorkerProtection?
        /// Set once; from then on nothing new begins.
        var fate: Fate?
        var hasEnded = false
        var mourners: [CheckedContinuation<Void, Never>] = []
        var health = WorkerHealth()
        var watch: Task<Void, Never>?
    }

    let name: String
    let options: WorkerOptions
    let clock: WorkerClock
    let memoryLimit: Int64?
    let state = Mutex(State())
    private let steps = Inbox<Step>()
    /// Called once, before anybody who waits is told.
    private let onEnd: @Sendable (WorkerConnection, Fate) -> Void

    init(
        name: String,
        memoryLimit: Int64?,
        options: WorkerOptions,
        clock: WorkerClock,
        onEnd: @escaping @Sendable (WorkerConnection, Fate) -> Void
    ) {
        self.name = name
        self.memoryLimit = memoryLimit
        self.options = options
        self.clock = clock
        self.onEnd = onEnd
    }

    // MARK: Start

    /// Starts the process and has it build its runner.
    func open(_ launch: WorkerLaunch, _ descriptor: WorkerDescriptor) async throws {
        let opening = Opening(program: launch.version, descriptor: descriptor)
        let greeting = try HostMessage.open(opening).encoded()
        let process = try await WorkerProcess.start(
            launch,
            callbacks: .init(
                frame: { [self] in try receive(WorkerMessage($0)) },
                fault: { [self] in doom(brokenProtocol($0), isFault: true) },
                ended: { [self] in finish($0) }
            )
        )
        let isDoomed = state.withLock { state in
            // It may be over already; then nobody would ever let go of it.
            if !state.hasEnded { state.process = process }
            return state.fate != nil
        }
        if isDoomed { process.kill() }
        process.send(greeting)
        let hello = try await within(options.startLimit, "did not greet", saying: greetingRemedy) { [steps] in
            switch await steps.next() {
            case .hello(let hello): hello
            case .failure(let error): throw error
            case .loading, .loaded: throw brokenProtocol(WireFault("an answer before the greeting"))
            }
        }
        guard hello.protocol == Opening.version, hello.program == launch.version else {
            throw BreezeError(
                .unavailable,
                "\(name): its worker is of version \(hello.program), and this program is \(launch.version).",
                remedy: "Start this program again: it was replaced while it ran."
            )
        }
        if let refusal = hello.refusal { throw refusal }
        state.withLock { $0.protection = hello.protection }
    }

    private var greetingRemedy: String { "Try again; the machine may be too busy, or the program damaged." }

    func load(onProgress: (InferenceChunk.Progress) -> Void) async throws {
        state.withLock { $0.isLoading = true }
        try transmit(.load)
        beginWatch()
        defer { state.withLock { $0.isLoading = false } }
        let remedy = "Try again when the machine has less to do, or choose a smaller model."
        try await within(options.loadLimit, "did not finish loading", saying: remedy) { [steps] in
            while true {
                switch await steps.next() {
                case .loading(let progress): onProgress(progress)
                case .loaded: return
                case .failure(let error): throw error
                case .hello: throw brokenProtocol(WireFault("a second greeting"))
                }
            }
        }
    }

    /// A worker that takes longer is ended, as it is when the task is cancelled; what is thrown then comes once it is
    /// gone.
    private func within<Value>(
        _ limit: Duration,
        _ failing: String,
        saying remedy: String,
        _ work: () async throws -> Value
    ) async throws -> Value {
        let timer = Task { [self] in
            guard (try? await clock.sleep(limit)) != nil else { return }
            let message = "\(name): its worker process \(failing) within \(limit.formatted())."
            doom(BreezeError(.timeout, message, remedy: remedy), isFault: true)
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler(operation: work) {
            doom(CancellationError(), isFault: false)
        }
    }

    // MARK: Requests

    /// `nil` where the worker answers no more: another one is needed.
    func begin(_ request: Data, streams: Bool) throws -> WorkerCall? {
        let call = state.withLock { state -> WorkerCall? in
            guard state.fate == nil else { return nil }
            let call = WorkerCall(id: state.nextID, credit: streams ? options.window : 0)
            state.nextID &+= 1
            state.calls[call.id] = call
            return call
        }
        guard let call else { return nil }
        try transmit(
            .run(id: call.id, credit: UInt32(options.window), streams: streams, request: request)
        )
        beginWatch()
        return call
    }

    func grant(_ count: Int, to call: WorkerCall) throws {
        state.withLock { $0.calls[call.id]?.credit += count }
        try transmit(.credit(id: call.id, count: UInt32(count)))
    }

    /// Asks the worker to end a request, and ends the worker where it does not.
    func cancel(_ call: WorkerCall) {
        guard state.withLock({ $0.calls[call.id] != nil }) else { return }
        try? transmit(.cancel(id: call.id))
        Task { [self] in
            guard (try? await clock.sleep(options.cancelGrace)) != nil else { return }
            guard state.withLock({ $0.calls[call.id] != nil }) else { return }
            doom(
                BreezeError(
                    .runnerCrashed,
                    "\(name): its worker process was ended, because a cancelled request did not end.",
                    remedy: "Ask again: a new one is started."
                ),
                isFault: false
            )
        }
    }

    func transmit(_ message: HostMessage) throws {
        let bytes = try message.encoded()
        state.withLock { $0.process }?.send(bytes)
    }

    private func receive(_ message: WorkerMessage) throws {
        switch message {
        case .hello(let hello): steps.push(.hello(hello))
        case .loading(let progress): steps.push(.loading(progress))
        case .loaded: steps.push(.loaded)
        case .loadFailed(let failure): steps.push(.failure(failure.error))
        case .chunk(let id, let payload): try call(id, isOver: false).events.push(.chunk(payload))
        case .result(let id, let payload): try call(id, isOver: true).events.push(.result(payload))
        case .failed(let id, let failure): try call(id, isOver: true).events.push(.failure(failure.error))
        case .pong(let number): state.withLock { $0.health.answered(number) }
        // Its end follows.
        case .unloaded: break
        }
    }

    private func call(_ id: UInt32, isOver: Bool) throws -> WorkerCall {
        try state.withLock { state in
            guard let call = state.calls[id] else {
                throw WireFault("an answer to a request that does not run")
            }
            if isOver {
                state.calls[id] = nil
            } else {
                state.calls[id]?.credit -= 1
                guard call.credit > 0 else { throw WireFault("more chunks than it was given room for") }
            }
            return call
        }
    }

    func brokenProtocol(_ fault: WireFault) -> BreezeError {
        BreezeError(
            .runnerCrashed,
            "\(name): its worker process sent \(fault.reason), and was ended.",
            remedy: "Ask again: a new one is started. Install Breeze again if it goes on.",
            underlying: fault
        )
    }

    // MARK: End

    /// Ends the process. The first reason is the one that those who wait are told.
    func doom(_ error: any Error, isFault: Bool) {
        let process = state.withLock { state in
            if state.fate == nil { state.fate = Fate(error: error, isFault: isFault) }
            return state.process
        }
        process?.kill()
    }

    /// Lets the runner unload, and returns when the process is gone.
    func retire() async {
        let isFirst = state.withLock { state in
            guard state.fate == nil else { return false }
            let error = BreezeError(
                .runFailed,
                "\(name) was unloaded while it was needed.",
                remedy: "Ask again: it is loaded again."
            )
            state.fate = Fate(error: error, isFault: false)
            return true
        }
        if isFirst { try? transmit(.unload) }
        let timer = Task { [self] in
            guard (try? await clock.sleep(options.unloadGrace)) != nil else { return }
            state.withLock { $0.process }?.kill()
        }
        await ended()
        timer.cancel()
    }

    /// Returns when the process is reaped and its descriptors are closed; at once where it never started.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.hasEnded, state.process != nil {
                    state.mourners.append(continuation)
                    return false
                }
                return true
            }
            if isOver { continuation.resume() }
        }
    }

    private func finish(_ crash: WorkerCrash) {
        let (fate, calls, watch) = state.withLock { state in
            let fate = state.fate ?? Fate(error: crashed(crash, isLoading: state.isLoading), isFault: true)
            state.fate = fate
            state.hasEnded = true
            state.process = nil
            defer { (state.calls, state.watch) = ([:], nil) }
            return (fate, state.calls.values, state.watch)
        }
        watch?.cancel()
        onEnd(self, fate)
        steps.push(.failure(fate.error))
        for call in calls { call.events.push(.failure(fate.error)) }
        let mourners = state.withLock { state in
            defer { state.mourners = [] }
            return state.mourners
        }
        for mourner in mourners { mourner.resume() }
    }

    private func crashed(_ crash: WorkerCrash, isLoading: Bool) -> BreezeError {
        BreezeError(
            .runnerCrashed,
            "\(name): its worker process \(crash.summary)\(isLoading ? " while it loaded the model" : "").",
            remedy: isLoading
                ? "The model's file may be damaged: get it again, or use another one."
                : "Ask again: a new one is started. The model's file may be damaged if it goes on.",
            underlying: crash
        )
    }
}
