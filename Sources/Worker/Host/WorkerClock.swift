/// A clock without its type: what sleeps, and the time since a beginning.
struct WorkerClock: Sendable {
    let sleep: @Sendable (Duration) async throws -> Void
    let elapsed: @Sendable () -> Duration

    init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        sleep = { try await clock.sleep(for: $0) }
        elapsed = { origin.duration(to: clock.now) }
    }
}
