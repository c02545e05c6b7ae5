#if Hub
import BreezeAccess
import Foundation
import Synchronization

/// Tells every open panel what happened. One that does not keep up misses the oldest.
final class PanelFeed: Sendable {
    /// One open panel.
    final class Listener: Sendable {
        let events: AsyncStream<[UInt8]>
        private let continuation: AsyncStream<[UInt8]>.Continuation

        fileprivate init() {
            (events, continuation) = AsyncStream.makeStream(
                of: [UInt8].self,
                bufferingPolicy: .bufferingNewest(64)
            )
        }

        func send(_ event: String, _ value: some Encodable) {
            guard let data = try? AccessJSON.encoder.encode(value) else { return }
            continuation.yield(Array("event: \(event)\ndata: ".utf8) + data + Array("\n\n".utf8))
        }

        func end() { continuation.finish() }

        fileprivate func onEnd(_ action: @escaping @Sendable () -> Void) {
            continuation.onTermination = { _ in action() }
        }
    }

    private let listeners: Mutex<[ObjectIdentifier: Listener]> = Mutex([:])

    func listen() -> Listener {
        let listener = Listener()
        let id = ObjectIdentifier(listener)
        listeners.withLock { $0[id] = listener }
        listener.onEnd { [weak self] in
            self?.listeners.withLock { _ = $0.removeValue(forKey: id) }
        }
        return listener
    }

    func send(_ event: String, _ value: some Encodable) {
        for listener in listeners.withLock({ Array($0.values) }) { listener.send(event, value) }
    }

    func end() {
        for listener in listeners.withLock({ Array($0.values) }) { listener.end() }
    }
}
#endif
