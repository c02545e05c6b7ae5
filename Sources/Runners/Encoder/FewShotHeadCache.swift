import BreezeCore
import Synchronization

/// What was learnt from the examples of some categories, and what reading them took.
struct LearntCategories: Sendable {
    let head: FewShotHead
    let account: EncoderAccount
}

/// Keeps what was learnt last, so that a caller who classifies message by message pays for its examples once.
final class FewShotHeadCache: Sendable {
    struct Key: Hashable, Sendable {
        let categories: [ClassificationCategory]
        /// Whether long examples were cut; where they must not be, they are an error each time.
        let truncates: Bool
    }

    private static let capacity = 8

    /// Least recently used first.
    private let entries: Mutex<[(key: Key, value: LearntCategories)]> = Mutex([])

    func value(for key: Key, learn: () async throws -> LearntCategories) async throws -> LearntCategories {
        if let known = find(key) { return known }
        let learnt = try await learn()
        entries.withLock { entries in
            entries.append((key, learnt))
            if entries.count > Self.capacity { entries.removeFirst() }
        }
        return learnt
    }

    /// Makes what it finds the most recently used.
    private func find(_ key: Key) -> LearntCategories? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
            let entry = entries.remove(at: index)
            entries.append(entry)
            return entry.value
        }
    }

    func removeAll() {
        entries.withLock { $0 = [] }
    }
}
