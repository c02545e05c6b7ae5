/// How long runs take of late: an exponential moving average, in which the newest run weighs a fifth.
struct ServiceTime: Sendable {
    /// `nil` until a run was measured.
    private(set) var mean: Duration?

    /// `isWhole` where the run came to its end: one that was given up shows no more than that runs may take so
    /// long.
    mutating func note(_ taken: Duration, isWhole: Bool) {
        // A clock that jumps (a device that slept) must not make an hour of a second.
        let most = max(.seconds(60), (mean ?? .zero) * 8)
        let taken = min(max(taken, .zero), most)
        guard isWhole || taken > (mean ?? .zero) else { return }
        mean = mean.map { $0 + (taken - $0) / 5 } ?? taken
    }

    /// What `ahead` runs take, `width` of them at once: whole seconds, at least one.
    func wait(ahead: Int, width: Int) -> Duration {
        let (seconds, attoseconds) = ((mean ?? .zero) * ahead / width).components
        return .seconds(max(1, attoseconds > 0 ? seconds + 1 : seconds))
    }
}
