import Synchronization

/// A bandwidth limit that several downloads share: a bucket of bytes that fills at the limit and holds a
/// quarter of a second's.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var filled: Duration
    }

    private let bytesPerSecond: Double
    private let clock: DownloadClock
    private let bucket: Mutex<Bucket>

    init(bytesPerSecond: Int, clock: DownloadClock) {
        precondition(bytesPerSecond > 0, "a limit of nothing would never let a download end")
        self.bytesPerSecond = Double(bytesPerSecond)
        self.clock = clock
        bucket = Mutex(Bucket(tokens: Double(bytesPerSecond) / 4, filled: clock.elapsed()))
    }

    /// Waits as long as bytes that have come must be made up for. The server feels it, since nothing is read
    /// meanwhile.
    func spend(_ bytes: Int) async throws {
        let now = clock.elapsed()
        let debt = bucket.withLock { bucket in
            let gained = max(0, (now - bucket.filled).inSeconds) * bytesPerSecond
            bucket.tokens = min(bytesPerSecond / 4, bucket.tokens + gained) - Double(bytes)
            bucket.filled = now
            return -bucket.tokens
        }
        if debt > 0 { try await clock.sleep(.seconds(debt / bytesPerSecond)) }
    }
}
