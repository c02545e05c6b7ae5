import Foundation

/// A terminal without a screen: what is written to it can be read.
struct Terminal: Sendable {
    struct Missing: Error {}

    /// For the program, and closed by whoever starts it: while it is open here, the pieces have no end.
    let programSide: Int32
    private let ourSide: Int32

    init() throws {
        ourSide = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard ourSide >= 0 else { throw Missing() }
        guard let name = Self.unlock(ourSide) else {
            close(ourSide)
            throw Missing()
        }
        programSide = Foundation.open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard programSide >= 0 else {
            close(ourSide)
            throw Missing()
        }
    }

    /// Unlocks the other side of a terminal.
    /// - Returns: Its path.
    private static func unlock(_ ourSide: Int32) -> String? {
        #if canImport(Darwin)
        guard grantpt(ourSide) == 0, unlockpt(ourSide) == 0 else { return nil }
        return ptsname(ourSide).map { String(cString: $0) }
        #else
        // ioctl_tty(2): TIOCSPTLCK and TIOCGPTN, which their header hides from Swift.
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard ioctl(ourSide, 0x4004_5431, &lock) == 0, ioctl(ourSide, 0x8004_5430, &number) == 0 else {
            return nil
        }
        return "/dev/pts/\(number)"
        #endif
    }

    /// What is written to the terminal until its last writer is gone, read by a thread of its own. To be called
    /// once, when the program has been started.
    func pieces() -> AsyncStream<[UInt8]> {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        Thread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(ourSide, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                continuation.yield(Array(buffer[..<count]))
            }
            close(ourSide)
            continuation.finish()
        }.start()
        return stream
    }
}
