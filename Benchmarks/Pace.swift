import Synchronization

/// When the pieces of an answer come, in seconds from its making on.
final class Pace: Sendable {
    private let clock = Stopwatch()
    private let firstPiece: Mutex<Double?> = Mutex(nil)

    var elapsed: Double { clock.wallSeconds }
    var first: Double? { firstPiece.withLock { $0 } }

    func note() {
        let now = clock.wallSeconds
        firstPiece.withLock { $0 = $0 ?? now }
    }
}
