import BreezeCore
import Foundation

/// The right to download into a folder: one holder among all tasks and processes. The system frees it when
/// the holder dies.
final class StagingLock: Sendable {
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
    /// again and again meanwhile.
    static func acquire(
        _ folder: StagingFolder,
        clock: DownloadClock,
        onWait: () throws -> Void
    ) async throws -> StagingLock {
        while true {
            try folder.create()
            let descriptor = open(folder.lock.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            // The folder may have gone again.
            if descriptor < 0, errno == ENOENT { continue }
            guard descriptor >= 0 else { throw DownloadFault.writing(folder.lock, errno) }
            let lock = StagingLock(descriptor: descriptor)
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                guard errno == EWOULDBLOCK || errno == EINTR else {
                    throw DownloadFault.writing(folder.lock, errno)
                }
                try onWait()
                // flock has no asynchronous form.
                try await clock.sleep(.milliseconds(100))
            }
            // Whoever had it may have removed the folder: the lock of a file without a name locks nobody out.
            if lock.isOf(folder.lock) { return lock }
        }
    }

    /// `nil` where somebody has it.
    static func ifFree(_ folder: StagingFolder) throws -> StagingLock? {
        let descriptor = open(folder.lock.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw DownloadFault.writing(folder.lock, errno) }
        let lock = StagingLock(descriptor: descriptor)
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? lock : nil
    }

    private func isOf(_ url: URL) -> Bool {
        var (mine, named) = (stat(), stat())
        return fstat(descriptor, &mine) == 0 && stat(url.path, &named) == 0 && mine.st_ino == named.st_ino
            && mine.st_dev == named.st_dev
    }
}
