import BreezeEngine
import Dispatch
import Foundation

/// What a piece of work takes of this process, all its threads together.
struct Stopwatch {
    private let cpu = Self.now(CLOCK_PROCESS_CPUTIME_ID)
    private let wall = Self.now(CLOCK_MONOTONIC)

    var cpuSeconds: Double { Self.now(CLOCK_PROCESS_CPUTIME_ID) - cpu }

    var wallSeconds: Double { Self.now(CLOCK_MONOTONIC) - wall }

    var figures: EncoderBenchmark.Figures {
        EncoderBenchmark.Figures(
            cpuSeconds: cpuSeconds,
            wallSeconds: wallSeconds,
            resident: SystemProcessMemory().resident()
        )
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
