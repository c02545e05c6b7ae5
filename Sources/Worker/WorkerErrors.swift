public import BreezeCore

extension BreezeError.Code {
    /// The process that a runner lives in ended while it was needed. ``BreezeError/underlying`` is a
    /// ``WorkerCrash``.
    public static let runnerCrashed = Self(rawValue: "runner_crashed")
}

/// How a worker process ended, for the log. What it printed may hold parts of a prompt.
public struct WorkerCrash: Error, Hashable, Sendable, CustomStringConvertible {
    /// `nil` where a signal ended it.
    public let exitCode: Int32?
    /// `SIGSEGV`; `nil` where it ended by itself.
    public let signal: String?
    /// The end of its standard error, repaired where it was not UTF-8.
    public let standardError: String

    public var description: String {
        let end = signal ?? exitCode.map { "exit code \($0)" } ?? "an unknown end"
        let lines = standardError.split(separator: "\n", omittingEmptySubsequences: true)
        return ([end] + lines.suffix(20).map(String.init)).joined(separator: "\n")
    }
}

extension WorkerCrash {
    /// The end, in words that follow "its worker process".
    var summary: String {
        if let signal { return "was ended by \(signal)" }
        return exitCode.map { "exited with code \($0)" } ?? "is gone"
    }
}
