import CSandbox
import Foundation
import Synchronization

/// Writes to a worker without ever waiting for it: what the channel does not take at once is written by a thread that
/// lives as long as there is something left.
final class ChannelWriter: Sendable {
    private struct State {
        var backlog: [[UInt8]] = []
        /// Bytes of the first one that are written.
        var written = 0
        var isDraining = false
        var isClosed = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    /// Owns the descriptor from here on; others may read from it until ``close()``.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// What comes after ``close()`` is dropped.
    func send(_ bytes: [UInt8]) {
        let needsThread = state.withLock { state in
            guard !state.isClosed else { return false }
            state.backlog.append(bytes)
            if state.isDraining || writeWhatFits(&state) { return false }
            state.isDraining = true
            return true
        }
        if needsThread { Thread.start("worker-writer") { [self] in drain() } }
    }

    /// Whether nothing is left to write.
    private func writeWhatFits(_ state: inout State) -> Bool {
        while let bytes = state.backlog.first {
            let sent = bytes.withUnsafeBytes { buffer in
                process_send(
                    descriptor,
                    buffer.baseAddress?.advanced(by: state.written),
                    buffer.count - state.written
                )
            }
            if sent == -Int(EINTR) { continue }
            if sent == -Int(EAGAIN) { return false }
            if sent < 0 {
                // The other side has gone; the thread that reads learns of it and says why.
                state.backlog = []
                state.written = 0
                return true
            }
            state.written += sent
            if state.written == bytes.count {
                state.backlog.removeFirst()
                state.written = 0
            }
        }
        return true
    }

    private func drain() {
        while true {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = poll(&ready, 1, -1)
            let isDone = state.withLock { state in
                guard state.isClosed || writeWhatFits(&state) else { return false }
                state.isDraining = false
                if state.isClosed { _ = Foundation.close(descriptor) }
                return true
            }
            if isDone { return }
        }
    }

    /// Wakes whoever reads from the channel, after what has come already; then nothing more comes.
    func shutDown() {
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// To be called when nobody reads from the channel any more.
    func close() {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            state.backlog = []
            // A thread that waits for the descriptor must not find another file in its place.
            if state.isDraining { shutDown() } else { _ = Foundation.close(descriptor) }
        }
    }
}
