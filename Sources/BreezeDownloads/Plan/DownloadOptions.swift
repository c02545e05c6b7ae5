import BreezeFiles
public import Foundation

/// How downloads go about it.
public struct DownloadOptions: Sendable {
    /// Files of a plan that are fetched at once.
    public var filesAtOnce = 3
    /// For all downloads of the ``Downloader`` together; `nil` is as fast as it goes.
    public var bytesPerSecond: Int?
    /// After so many bytes a file is on disk for good: what a power cut may cost.
    public var syncEvery: Int64 = 8 << 20
    /// Requests in a row that brought nothing before a download fails.
    public var failuresInARow = 6
    /// How often one file is begun anew, because it changed or its server cannot continue it.
    public var restarts = 5
    public var firstDelay = Duration.milliseconds(500)
    public var longestDelay = Duration.seconds(30)
    /// A server that asks for a longer pause is not waited for: the error says when to come back.
    public var longestRetryAfter = Duration.seconds(120)
    /// Stays free on the disk, whatever is downloaded.
    public var spareDiskBytes: Int64 = 32 << 20

    public init() {}
}

/// What a download has from the device; a test gives its own.
public struct DownloadEnvironment: Sendable {
    /// Delays, rates and the bandwidth limit.
    public var clock: any Clock<Duration>
    /// How often the disk is asked for orders of other processes, and whether they are done.
    public var pollingClock: any Clock<Duration>
    /// For servers that name a date to come back at.
    public var now: @Sendable () -> Date
    /// Uniform in 0 ..< 1.
    public var jitter: @Sendable () -> Double
    /// Bytes that may be written in the folder; `nil` where nobody says.
    public var freeBytes: @Sendable (URL) -> Int64?

    public init(
        clock: any Clock<Duration> = ContinuousClock(),
        pollingClock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
        freeBytes: (@Sendable (URL) -> Int64?)? = nil
    ) {
        self.clock = clock
        self.pollingClock = pollingClock
        self.now = now
        self.jitter = jitter
        self.freeBytes = freeBytes ?? { DiskSpace.freeBytes(at: $0) }
    }
}
