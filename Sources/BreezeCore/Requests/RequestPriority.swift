/// How soon a request is wanted, beside the others that wait for the same runner. In JSON its name.
///
/// It orders those that wait and takes nothing from those that run. A lower one waits longer and is never
/// starved.
public enum RequestPriority: String, Codable, CaseIterable, Hashable, Sendable {
    /// Nobody waits for it: indexing, tidying up.
    case background
    /// Somebody will want it later, and may watch its progress.
    case utility
    case normal
    /// A person waits for it, and does nothing else.
    case userInitiated

    private var rank: Int {
        switch self {
        case .background: 0
        case .utility: 1
        case .normal: 2
        case .userInitiated: 3
        }
    }
}

extension RequestPriority: Comparable {
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.rank < right.rank }
}
