import Foundation
import Synchronization

/// Wakes a thread that waits in poll(2). Ringing after the end does nothing.
final class WakePipe: Sendable {
    /// Readable once it rang.
    let descriptor: Int32
    private let writer: Mutex<Int32?>

    init() throws(LocalHTTPFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .notThere(Socket.words(errno)) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        writer = Mutex(ends[1])
    }

    deinit { close() }

    func ring() {
        writer.withLock { writer in
            var byte: UInt8 = 1
            if let writer { _ = write(writer, &byte, 1) }
        }
    }

    /// What rang so far is forgotten.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }

    func close() {
        writer.withLock { writer in
            guard let open = writer else { return }
            _ = Foundation.close(open)
            _ = Foundation.close(descriptor)
            writer = nil
        }
    }
}
