import BreezeCore
package import Foundation

/// The right to what a lock file stands for: one holder among all tasks and processes. The system frees it when
/// the holder dies.
package final class FileLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Closing alone leaves it locked for as long as a program that was started meanwhile holds a copy of the
    /// descriptor, which it does until it runs.
    deinit {
        release()
        close(descriptor)
    }

    package func release() {
        flock(descriptor, LOCK_UN)
    }

    /// Waits until it is free, without holding a thread, by looking at each `interval`; a cancelled task stops
    /// waiting. Each wait is one of `sleep`, after `onWait`. The file is made where it is missing, with its folder.
    package static func acquire(
        _ url: URL,
        every interval: Duration = .milliseconds(20),
        sleep: (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onWait: () throws -> Void = {}
    ) async throws -> FileLock {
        while true {
            try Folder.make(url.deletingLastPathComponent())
            // The folder may have gone again.
            guard let lock = try open(url) else { continue }
            while flock(lock.descriptor, LOCK_EX | LOCK_NB) != 0 {
                guard errno == EWOULDBLOCK || errno == EINTR else { throw FileFault.writing(url, errno) }
                try onWait()
                // flock has no asynchronous form; a blocking one would hold a thread of the pool and hear no
                // cancellation.
                try await sleep(interval)
            }
            // Whoever had it may have removed the folder: the lock of a file without a name locks nobody out.
            if lock.isOf(url) { return lock }
        }
    }

    /// `nil` where somebody has it, or where its folder is missing.
    package static func ifFree(_ url: URL) throws -> FileLock? {
        guard let lock = try open(url), flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return lock
    }

    /// `nil` where the folder is missing.
    private static func open(_ url: URL) throws -> FileLock? {
        let descriptor = Foundation.open(url.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw FileFault.writing(url, errno) }
        return FileLock(descriptor: descriptor)
    }

    private func isOf(_ url: URL) -> Bool {
        var (mine, named) = (stat(), stat())
        return fstat(descriptor, &mine) == 0 && stat(url.path, &named) == 0 && mine.st_ino == named.st_ino
            && mine.st_dev == named.st_dev
    }
}
