import BreezeCore
import Synchronization

/// The requests that a client waits for.
final class RunningRequests: Sendable {
    private struct State {
        var requests: [String: DetachableWork<InferenceResult>] = [:]
        /// Oldest first.
        var order: [String] = []
    }

    private let state = Mutex(State())

    /// - Throws: `.invalidRequest` where one of this id runs.
    func begin(
        _ id: String,
        _ work: @escaping @Sendable () async throws -> InferenceResult
    ) throws -> DetachableWork<InferenceResult> {
        try state.withLock { state in
            guard state.requests[id] == nil else {
                throw BreezeError(
                    .invalidRequest,
                    "A request with the id \(id) is running already.",
                    remedy: "Give each request an id of its own."
                )
            }
            let begun = DetachableWork(work) { self.end(id) }
            state.requests[id] = begun
            state.order.append(id)
            return begun
        }
    }

    /// - Returns: Whether there was one.
    func cancel(_ id: String) -> Bool {
        let request = state.withLock { $0.requests[id] }
        request?.cancel(throwing: KitFault.cancelled)
        end(id)
        return request != nil
    }

    func cancelLast() -> Bool {
        guard let last = state.withLock({ $0.order.last }) else { return false }
        return cancel(last)
    }

    private func end(_ id: String) {
        state.withLock { state in
            state.requests[id] = nil
            state.order.removeAll { $0 == id }
        }
    }
}
