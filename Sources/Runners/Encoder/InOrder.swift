/// Calls `produce` for 0 ..< `count`, several at once and at most `window` ahead, and `consume` with what they
/// give in the order of the numbers. The first failure in that order ends it and cancels the rest.
func inOrder<Value: Sendable>(
    count: Int,
    window: Int,
    produce: @escaping @Sendable (Int) async throws -> Value,
    consume: (Int, Value) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
        var begun = 0
        func begin() {
            let index = begun
            begun += 1
            group.addTask {
                do { return (index, .success(try await produce(index))) } catch {
                    return (index, .failure(error))
                }
            }
        }
        while begun < min(count, window) { begin() }
        var ready: [Int: Result<Value, any Error>] = [:]
        var next = 0
        while let (index, result) = try await group.next() {
            ready[index] = result
            while let result = ready.removeValue(forKey: next) {
                try await consume(next, try result.get())
                next += 1
                if begun < count { begin() }
            }
        }
    }
}
