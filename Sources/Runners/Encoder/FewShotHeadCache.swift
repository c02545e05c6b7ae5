import BreezeCore
import Synchronization

/// Keeps the heads that were learnt last, so that a caller who classifies message by message pays for its examples
/// once.
final class FewShotHeadCache: Sendable {
    private static let capacity = 8

    /// Least recently used first.
    private let heads: Mutex<[(categories: [ClassificationCategory], head: FewShotHead)]> = Mutex([])

    func head(
        for categories: [ClassificationCategory],
        learn: () async throws -> FewShotHead
    ) async throws -> FewShotHead {
        if let known = take(categories) {
            put(categories, known)
            return known
        }
        let head = try await learn()
        put(categories, head)
        return head
    }

    private func take(_ categories: [ClassificationCategory]) -> FewShotHead? {
        heads.withLock { heads in
            heads.firstIndex { $0.categories == categories }.map { heads.remove(at: $0).head }
        }
    }

    private func put(_ categories: [ClassificationCategory], _ head: FewShotHead) {
        heads.withLock { heads in
            heads.append((categories, head))
            if heads.count > Self.capacity { heads.removeFirst() }
        }
    }

    func removeAll() {
        heads.withLock { $0 = [] }
    }
}
