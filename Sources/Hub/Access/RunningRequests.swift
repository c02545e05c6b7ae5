#if Hub
import BreezeCore
import Synchronization

/// The calls that run now, and how each is ended from outside.
final class RunningRequests: Sendable {
    private struct Entry {
        let admission: Admission
        let stop: @Sendable () -> Void
    }

    private let all: Mutex<[String: Entry]> = Mutex([:])

    var count: Int { all.withLock { $0.count } }

    func enter(_ id: String, _ admission: Admission, _ stop: @escaping @Sendable () -> Void) {
        all.withLock { $0[id] = Entry(admission: admission, stop: stop) }
    }

    func leave(_ id: String) {
        all.withLock { _ = $0.removeValue(forKey: id) }
    }

    func stop(because reason: BreezeError, where isMeant: (Admission) -> Bool) {
        let meant = all.withLock { $0.values.filter { isMeant($0.admission) } }
        for entry in meant {
            entry.admission.willEnd(because: reason)
            entry.stop()
        }
    }
}
#endif
