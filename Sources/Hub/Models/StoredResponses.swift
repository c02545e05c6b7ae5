import BreezeCore
import Foundation
import Synchronization

/// The conversations that `previous_response_id` goes on with: in memory alone, each its caller's own, gone after an
/// hour or when others need the room.
final class StoredResponses: Sendable {
    private struct Entry {
        let conversation: [ChatMessage]
        let owner: String
        let expiry: Date
        let bytes: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The oldest first.
        var order: [String] = []
        var bytes = 0
    }

    private static let lifetime = 3_600.0
    private static let limit = 32 << 20

    private let state = Mutex(State())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
    }

    func keep(_ conversation: [ChatMessage], as id: String, of owner: String) {
        let bytes = conversation.reduce(0) { sum, turn in
            sum + turn.content.utf8.count + (turn.images ?? []).reduce(0) { $0 + $1.count } + 200
        }
        guard bytes <= Self.limit else { return }
        let entry = Entry(
            conversation: conversation,
            owner: owner,
            expiry: now().addingTimeInterval(Self.lifetime),
            bytes: bytes
        )
        state.withLock { state in
            state.entries[id] = entry
            state.order.append(id)
            state.bytes += bytes
            while let oldest = state.order.first, state.bytes > Self.limit || isOver(state.entries[oldest]) {
                state.order.removeFirst()
                state.bytes -= state.entries.removeValue(forKey: oldest)?.bytes ?? 0
            }
        }
    }

    /// - Throws: ``BreezeError`` where there is none, or it is another caller's: the two are not told apart.
    func conversation(_ id: String, of owner: String) throws -> [ChatMessage] {
        let entry = state.withLock { $0.entries[id] }
        guard let entry, entry.owner == owner, !isOver(entry) else {
            throw BreezeError(
                .invalidRequest,
                "There is no response \(id.prefix(80)) to go on with.",
                remedy: "Responses are kept for an hour, unless store is false. Send the whole conversation."
            )
        }
        return entry.conversation
    }

    /// What a caller that lost its leave had.
    func forget(of owner: String) {
        state.withLock { state in
            for (id, entry) in state.entries where entry.owner == owner {
                state.entries[id] = nil
                state.order.removeAll { $0 == id }
                state.bytes -= entry.bytes
            }
        }
    }

    private func isOver(_ entry: Entry?) -> Bool { entry.map { $0.expiry < now() } ?? true }
}
