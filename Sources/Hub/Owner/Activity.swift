#if Hub
import BreezeCore
import BreezeEngine
import Foundation
import Synchronization

/// What the hub does and did, in figures: for the panel's page of that name.
final class Activity: Sendable {
    /// How things are at one moment.
    struct Sample: Encodable {
        let time: Date
        let running: [Call]
        let queued: Int
        /// Bytes of loaded models.
        let memory: Int64
        let temperature: DeviceProfile.ThermalState?
        /// Of all answers that grow now: pieces of text, each of which is a token for most runners.
        let tokensPerSecond: Double?
    }

    /// A call that is being worked on.
    struct Call: Encodable {
        let requestID: String
        let app: String
        let capability: AICapability
        let runner: String?
        let model: String?
        let state: State
        let seconds: Double
        let tokensPerSecond: Double?
        /// Seconds from the runner's start.
        let firstChunk: Double?
    }

    enum State: String, Encodable {
        case queued, loading, running
    }

    /// What was done within one minute.
    struct Minute: Encodable {
        let time: Date
        var requests = 0
        var tokens = 0
        /// Seconds, on the average of the requests that had one.
        var firstChunk: Double?
        /// Bytes of loaded models when it began; `nil` where nothing was asked.
        var memory: Int64?
    }

    /// What the engine said of a request.
    private struct Progress {
        var runner: String?
        var state = State.queued
        var firstChunk: Double?
    }

    private struct Seen {
        var progress: [String: Progress] = [:]
        var minutes: [Int: Minute] = [:]
        var measured: [Int: Int] = [:]
        var device: (profile: DeviceProfile, time: ContinuousClock.Instant)?
    }

    private static let kept = 24 * 60

    private let engine: Engine
    private let seen = Mutex(Seen())
    private let pieces = Atomic(0)
    private let hardware: any HardwareDetector = HardwareDetectors.forThisDevice()

    init(engine: Engine) {
        self.engine = engine
    }

    /// A piece of an answer went out.
    func countPiece() { pieces.add(1, ordering: .relaxed) }

    /// Gives the pieces a second since it was called last.
    func speed() -> () -> Double? {
        var (count, time) = (pieces.load(ordering: .relaxed), ContinuousClock.now)
        return { [self] in
            let (newer, now) = (pieces.load(ordering: .relaxed), ContinuousClock.now)
            defer { (count, time) = (newer, now) }
            let seconds = (now - time).seconds
            return seconds > 0.1 ? Double(newer - count) / seconds : nil
        }
    }

    func note(_ event: EngineEvent) {
        guard let id = event.requestID else { return }
        seen.withLock { seen in
            switch event.kind {
            case .finished, .failed, .cancelled: seen.progress[id] = nil
            case .routed: seen.progress[id, default: Progress()].runner = event.runner
            case .queued: seen.progress[id, default: Progress()].state = .queued
            case .loading, .loadProgress: seen.progress[id, default: Progress()].state = .loading
            case .started: seen.progress[id, default: Progress()].state = .running
            case .firstChunk: seen.progress[id, default: Progress()].firstChunk = event.duration
            default: break
            }
        }
    }

    /// `names` are the apps' by ``InferenceRequest/client``.
    func call(_ call: RunningRequests.Call, _ runners: [RunnerStatus], _ names: [String: String]) -> Call {
        // What began before anybody looked is running, as far as this can be told.
        let progress =
            seen.withLock { $0.progress[call.request] } ?? Progress(runner: call.runner, state: .running)
        return Call(
            requestID: call.request,
            app: names[call.client] ?? call.client,
            capability: call.capability,
            runner: progress.runner,
            model: call.model ?? runners.first { $0.id == progress.runner }?.model,
            state: progress.state,
            seconds: call.seconds,
            tokensPerSecond: call.piecesPerSecond,
            firstChunk: progress.firstChunk
        )
    }

    func count(_ result: InferenceResult, at time: Date = Date()) {
        let minute = Int(time.timeIntervalSince1970 / 60)
        let isNew = seen.withLock { seen in
            let isNew = seen.minutes[minute] == nil
            var entry = seen.minutes[minute] ?? Minute(time: Self.date(minute))
            entry.requests += 1
            entry.tokens += result.usage.inputTokens + result.usage.outputTokens
            if let first = result.timings.firstChunk {
                let count = seen.measured[minute, default: 0]
                entry.firstChunk = ((entry.firstChunk ?? 0) * Double(count) + first) / Double(count + 1)
                seen.measured[minute] = count + 1
            }
            seen.minutes[minute] = entry
            if isNew {
                seen.minutes = seen.minutes.filter { $0.key > minute - Self.kept }
                seen.measured = seen.measured.filter { $0.key > minute - Self.kept }
            }
            return isNew
        }
        guard isNew else { return }
        Task {
            let memory = await engine.residency().used
            seen.withLock { $0.minutes[minute]?.memory = memory }
        }
    }

    /// Minute by minute, oldest first, those without a request too.
    func history(hours: Double, until time: Date = Date()) -> [Minute] {
        let last = Int(time.timeIntervalSince1970 / 60)
        let minutes = seen.withLock { $0.minutes }
        return ((last - Int(hours * 60) + 1)...last).map { minutes[$0] ?? Minute(time: Self.date($0)) }
    }

    private static func date(_ minute: Int) -> Date { Date(timeIntervalSince1970: Double(minute) * 60) }

    /// As it was a quarter of a minute ago at most: asking takes dozens of files.
    var device: DeviceProfile {
        let now = ContinuousClock.now
        if let known = seen.withLock({ $0.device }), now - known.time < .seconds(15) { return known.profile }
        let profile = hardware.detectCapabilities()
        seen.withLock { $0.device = (profile, now) }
        return profile
    }
}
#endif
