public import Foundation

/// Which program a worker is, and what it is started with.
public struct WorkerLaunch: Sendable {
    public var executable: URL
    public var arguments: [String]
    /// All that the worker gets; nothing of this process's environment is added.
    public var environment: [String: String]
    /// The version that the worker must say it has: a worker of another one is refused.
    public var version: String

    public init(
        executable: URL,
        arguments: [String],
        version: String,
        environment: [String: String] = Self.environment(from: ProcessInfo.processInfo.environment)
    ) {
        self.executable = executable
        self.arguments = arguments
        self.version = version
        self.environment = environment
    }

    /// The program that runs now, as a worker of itself.
    public static func thisProgram(arguments: [String], version: String) -> WorkerLaunch {
        let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
        return WorkerLaunch(executable: URL(filePath: path), arguments: arguments, version: version)
    }

    /// What of an environment a worker needs: where files lie and how text is written. Keys and other secrets stay
    /// behind.
    ///
    /// GCC's OpenMP reads its wait policy when the program starts; without `passive` its idle threads take the
    /// processor from those that work. A crash ends the process at once, without the Swift runtime's report.
    public static func environment(from environment: [String: String]) -> [String: String] {
        var kept = environment.filter { inherited.contains($0.key) || $0.key.hasPrefix("LC_") }
        kept["OMP_WAIT_POLICY"] = "passive"
        kept["SWIFT_BACKTRACE"] = "enable=no"
        return kept
    }

    private static let inherited: Set = [
        "PATH", "HOME", "USER", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH",
        "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
        "BREEZE_HOME", "BREEZE_CACHE", "LITERT_LIB", "ORT_DYLIB_PATH",
    ]
}
