import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// How many files and connections this process may have open.
public enum Descriptors {
    /// For what is no connection: models, the store, logs, workers.
    private static let reserve = 200

    /// Raises the process's limit as far as it takes and may.
    /// - Returns: the connections that there is room for, `wanted` at most.
    public static func raise(wanted: Int) -> Int {
        var limit = rlimit()
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard getrlimit(resource, &limit) == 0 else { return wanted }
        let most = min(limit.rlim_max, rlim_t(max(wanted + reserve, 65_536)))
        if limit.rlim_cur < most {
            limit.rlim_cur = most
            _ = setrlimit(resource, &limit)
            _ = getrlimit(resource, &limit)
        }
        let room = Int(clamping: limit.rlim_cur) - reserve
        return min(wanted, max(room, 16))
    }
}
