import BreezeCore
import Foundation
import Synchronization

/// One download's status and those who watch it. A watcher sees the newest status and may miss older ones; it
/// never holds the download back.
final class StatusBoard: Sendable {
    private struct State {
        var status: DownloadStatus
        var watchers: [UUID: AsyncStream<DownloadStatus>.Continuation] = [:]
    }

    private let state: Mutex<State>

    init(_ status: DownloadStatus) {
        state = Mutex(State(status: status))
    }

    var status: DownloadStatus { state.withLock { $0.status } }

    func update(_ change: (inout DownloadStatus) -> Void) {
        state.withLock { state in
            change(&state.status)
            for watcher in state.watchers.values { watcher.yield(state.status) }
        }
    }

    /// From the status of now on, until the watcher goes away.
    func watch() -> AsyncStream<DownloadStatus> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DownloadStatus.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.watchers.removeValue(forKey: id) }
        }
        state.withLock { state in
            state.watchers[id] = continuation
            continuation.yield(state.status)
        }
        return stream
    }
}
