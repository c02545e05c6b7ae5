import Foundation

/// How much of a long fuzz or soak a run does: a twentieth, or all of it where `BREEZE_SOAK=1` asks for it
/// (`make soak`).
public enum Soak {
    public static let isWhole = ProcessInfo.processInfo.environment["BREEZE_SOAK"] == "1"

    /// `full` steps in a whole run; a twentieth of them, but at least one, else.
    public static func count(_ full: Int) -> Int { isWhole ? full : max(1, full / 20) }
}
