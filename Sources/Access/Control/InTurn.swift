/// Lets one job after the other run, where an actor would let the second begin while the first waits for the
/// disk.
///
/// A job that began runs to its end, whatever becomes of the task that asked for it.
actor InTurn {
    private var last: Task<Void, Never>?

    func run<Value: Sendable>(_ job: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let before = last
        let task = Task { () async throws -> Value in
            await before?.value
            return try await job()
        }
        last = Task { _ = await task.result }
        return try await task.value
    }
}
