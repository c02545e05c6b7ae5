/// Bytes a second over the last five seconds.
struct RateWindow {
    private static let span = Duration.seconds(5)
    private var samples: [(time: Duration, bytes: Int64)] = []
    private var begun: Duration?

    /// Samples closer together than a twentieth of a second are one.
    mutating func add(_ bytes: Int64, at time: Duration) {
        if begun == nil { begun = time }
        if let last = samples.last, time - last.time < .milliseconds(50) {
            samples[samples.count - 1].bytes += bytes
        } else {
            samples.append((time, bytes))
        }
        samples.removeAll { time - $0.time > Self.span }
    }

    func rate(at time: Duration) -> Double {
        guard let begun else { return 0 }
        let start = max(begun, time - Self.span)
        let seconds = (time - start).inSeconds
        guard seconds > 0 else { return 0 }
        let bytes = samples.filter { $0.time >= start }.reduce(0) { $0 + $1.bytes }
        return Double(bytes) / seconds
    }
}
