import BreezeCore
import Foundation

/// The right to change a store: one holder among all tasks and processes. The system frees it when the holder
/// dies.
final class StoreLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Closing also unlocks.
    deinit { close(descriptor) }

    func release() {
        flock(descriptor, LOCK_UN)
    }

    /// Waits until it is free, without holding a thread; a cancelled task stops waiting. `onWait` is called
    /// once, where somebody else has it.
    static func acquire(_ url: URL, onWait: () -> Void = {}) async throws -> StoreLock {
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFault.writing(url, errno) }
        let lock = StoreLock(descriptor: descriptor)
        var waits = false
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw FileFault.writing(url, errno) }
            if !waits { onWait() }
            waits = true
            // flock has no asynchronous form; a blocking one would hold a thread of the pool and hear no
            // cancellation.
            try await Task.sleep(for: .milliseconds(20))
        }
        return lock
    }
}
