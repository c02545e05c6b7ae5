#if Hub || Pairing
import Foundation

/// Both clocks at one moment.
package struct SchemeMoment: Sendable {
    /// The system's clock, in milliseconds since 1970: somebody may set it.
    package let wall: Int64
    /// Milliseconds that nobody can set, sleep included, counted from anywhere.
    package let uptime: Int64

    package init(wall: Int64, uptime: Int64) {
        self.wall = wall
        self.uptime = uptime
    }

    package static func now() -> SchemeMoment {
        #if canImport(Darwin)
        let counting = CLOCK_MONOTONIC
        #else
        let counting = CLOCK_BOOTTIME
        #endif
        return SchemeMoment(wall: read(CLOCK_REALTIME), uptime: read(counting))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
#endif
