/// How long a runner that crashes again and again stays away. The first crash costs no wait: it may have been the
/// request's fault alone.
struct CrashBackoff: Sendable {
    private(set) var crashes = 0
    /// On the clock of whoever asks.
    private var notBefore: Duration = .zero

    private static let longest = 60

    mutating func crashed(at now: Duration) {
        crashes += 1
        guard crashes > 1 else { return }
        notBefore = now + .seconds(min(Self.longest, 1 << min(crashes - 2, 16)))
    }

    mutating func answered() {
        crashes = 0
        notBefore = .zero
    }

    /// How long a start must wait yet; `nil` where it need not.
    func wait(at now: Duration) -> Duration? {
        notBefore > now ? notBefore - now : nil
    }
}
