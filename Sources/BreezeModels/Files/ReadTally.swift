import Synchronization

/// Counts what a piece of work reads through ``FileReader``: the proof that a small file cannot make anybody
/// read or allocate much.
final class ReadTally: Sendable {
    /// Of the task that is to be watched; `nil` for all others.
    @TaskLocal static var current: ReadTally?

    private let counts = Mutex((bytes: 0, largest: 0))

    /// In all reads together.
    var bytes: Int { counts.withLock { $0.bytes } }
    /// Of the largest read, each of which fills one allocation.
    var largest: Int { counts.withLock { $0.largest } }

    func add(_ count: Int) {
        counts.withLock {
            $0.bytes += count
            $0.largest = max($0.largest, count)
        }
    }
}
