import BreezeCore
import Foundation

/// Where every part of an engine reports what happens: from here it goes to the subscribers and into the
/// metrics, and nowhere else.
final class Telemetry: Sendable {
    let clock: EngineClock
    let metrics = MetricStore()
    let outlet = EventOutlet()
    private let wallClock: @Sendable () -> Date

    init(clock: EngineClock, wallClock: @escaping @Sendable () -> Date = { Date() }) {
        self.clock = clock
        self.wallClock = wallClock
    }

    /// The request in whose course the current task works. Whatever runs on its behalf finds it here, so that
    /// no part has to pass it on.
    @TaskLocal static var request: RequestTrace?

    /// To be called where it happens, in the task in which it happens.
    func record(_ occurrence: Occurrence, runner: String? = nil) {
        let request = occurrence.concernsRequest ? Self.request : nil
        metrics.count(occurrence, runner: runner, capability: request?.capability)
        guard let request else { return emit(occurrence.kind) { occurrence.describe(&$0, runner: runner) } }
        request.note(occurrence, runner: runner)
    }

    /// Loads it, and records how far it was, how long it took, and how it ended.
    func recordLoad(of runner: any Runner, onProgress: @escaping LoadProgress) async throws {
        let begun = clock.now()
        // A runner tells of its progress wherever it works, which is in no task of the request's.
        let request = Self.request
        record(.loading, runner: runner.id)
        do {
            try await runner.load { [self] step in
                Self.$request.withValue(request) { record(.loadProgress(step.part), runner: runner.id) }
                onProgress(step)
            }
        } catch {
            let code = BreezeError.wrapping(error).code
            record(.loadFailed(took: clock.now() - begun, code), runner: runner.id)
            throw error
        }
        record(.loaded(took: clock.now() - begun, bytes: runner.memoryEstimate), runner: runner.id)
    }

    /// Costs next to nothing where nobody listens.
    func emit(
        _ kind: EngineEvent.Kind?,
        of request: RequestTrace? = nil,
        _ describe: (inout EngineEvent) -> Void
    ) {
        guard let kind, outlet.isWanted else { return }
        outlet.send { number in
            var event = EngineEvent(
                kind: kind,
                number: number,
                uptime: clock.now().seconds,
                time: wallClock()
            )
            event.requestID = request?.id
            event.capability = request?.capability
            describe(&event)
            return event
        }
    }
}
