import BreezeCore
import Synchronization

/// The one timer of an engine.
struct ResidencyTimer {
    var task: Task<Void, Never>?
    var wakes: Duration?
    /// Tells a timer that was replaced from its successor.
    var number = 0
}

extension Residency {
    /// A keep-alive of 0 leaves so much time for the next one in line: unloading for nobody's good and
    /// loading again would take longer.
    static let grace = Duration.milliseconds(100)
    /// How soon a pinned one is looked at again, whose keep-alive is over: its pin may be a setting.
    private static let patience = Duration.seconds(60)

    /// Sets the timer for the next expiry, where it would wake too late.
    func schedule() {
        let next = state.withLock { $0.nextExpiry }
        guard let next else { return }
        timer.withLock { timer in
            // One that wakes too early looks again, which is cheaper than a new one for each request.
            if let wakes = timer.wakes, wakes <= next { return }
            timer.task?.cancel()
            timer.number += 1
            timer.wakes = next
            timer.task = Task { [weak self, clock, number = timer.number] in
                var wake = next
                while !Task.isCancelled {
                    let left = wake - clock.now()
                    if left > .zero {
                        do { try await clock.sleep(left) } catch { return }
                    }
                    guard let later = self?.expire(timer: number) else { return }
                    wake = later
                }
            }
        }
    }

    /// - Returns: When to look again.
    private func expire(timer number: Int) -> Duration? {
        dismissExpired()
        return timer.withLock { timer in
            guard timer.number == number else { return nil }
            let next = state.withLock { $0.nextExpiry }
            timer.wakes = next
            if next == nil { timer.task = nil }
            return next
        }
    }

    private func dismissExpired() {
        let now = clock.now()
        let settings = (try? settings.current()) ?? EngineSettings()
        let slots = state.withLock { state in
            let due = state.entries.keys.filter { id in
                guard state.isIdle(id), let expires = state.entries[id]?.expires else { return false }
                return expires <= now
            }
            var gone: [Int] = []
            for id in due.sorted() {
                guard let entry = state.entries[id] else { continue }
                let names = settings.pinned
                if state.pins.contains(entry.runner.id) || names.contains(where: entry.runner.isNamed) {
                    state.entries[id]?.expires = now + max(entry.keepAlive ?? .zero, Self.patience)
                } else {
                    gone.append(id)
                    state.tell(.evicted(entry.runner.id, .expired))
                }
            }
            state.evictions.expired += gone.count
            return state.claim(gone)
        }
        dismiss(slots, .expired)
    }
}
