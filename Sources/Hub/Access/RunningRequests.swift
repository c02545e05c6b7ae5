#if Hub
import BreezeCore
import Foundation
import Synchronization

/// The calls that run now, and how each is ended from outside.
final class RunningRequests: Sendable {
    /// One of them, for a person.
    struct Call: Sendable {
        /// Of its first request.
        let request: String
        let client: String
        let capability: AICapability
        let model: String?
        /// That the call named.
        let runner: String?
        let seconds: Double
        let piecesPerSecond: Double?
    }

    private struct Entry {
        let admission: Admission
        let request: InferenceRequest
        let begun: ContinuousClock.Instant
        let stop: @Sendable () -> Void

        func end(because reason: BreezeError) {
            admission.willEnd(because: reason)
            stop()
        }
    }

    private let all: Mutex<[String: Entry]> = Mutex([:])

    var count: Int { all.withLock { $0.count } }

    func enter(_ request: InferenceRequest, _ admission: Admission, _ stop: @escaping @Sendable () -> Void) {
        let entry = Entry(admission: admission, request: request, begun: .now, stop: stop)
        all.withLock { $0[request.id] = entry }
    }

    func leave(_ id: String) {
        all.withLock { _ = $0.removeValue(forKey: id) }
    }

    /// The oldest first.
    func calls() -> [Call] {
        all.withLock { Array($0.values) }.sorted { $0.begun < $1.begun }.map { entry in
            Call(
                request: entry.request.id,
                client: entry.request.client ?? "",
                capability: entry.request.capability,
                model: entry.request.modelID,
                runner: entry.request.runnerID,
                seconds: (ContinuousClock.now - entry.begun).seconds,
                piecesPerSecond: entry.admission.piecesPerSecond
            )
        }
    }

    /// - Returns: whether it ran.
    func stop(_ id: String, because reason: BreezeError) -> Bool {
        guard let entry = all.withLock({ $0[id] }) else { return false }
        entry.end(because: reason)
        return true
    }

    func stop(because reason: BreezeError, where isMeant: (Admission) -> Bool) {
        let meant = all.withLock { $0.values.filter { isMeant($0.admission) } }
        for entry in meant { entry.end(because: reason) }
    }
}
#endif
