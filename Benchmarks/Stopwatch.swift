import BreezeEngine
import Foundation

/// What a piece of work takes of this process, all its threads together.
struct Stopwatch {
    private let cpu = clock()
    private let begun = ContinuousClock.now

    /// POSIX has the clock count in millionths.
    var cpuSeconds: Double { Double(clock() - cpu) / 1e6 }

    var wallSeconds: Double { (ContinuousClock.now - begun) / .seconds(1) }

    var figures: EncoderBenchmark.Figures {
        EncoderBenchmark.Figures(
            cpuSeconds: cpuSeconds,
            wallSeconds: wallSeconds,
            resident: SystemProcessMemory().resident()
        )
    }
}
