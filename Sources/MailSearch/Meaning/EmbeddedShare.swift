#if Hub
public import BreezeMailIndex
import GRDB

/// How many of an index's passages have a vector.
public struct EmbeddedShare: Codable, Hashable, Sendable {
    public var done: Int
    /// Of messages that were not split into passages yet, one each.
    public var total: Int
    /// What made the vectors; `nil` until something did.
    public var model: String?

    /// Reads counts alone: no vector comes into memory.
    public init(of index: MailIndex) async throws {
        self = try await index.read { database in
            let state = try VectorState(database)
            let all = try Int.fetchOne(database, sql: "SELECT count(*) FROM passage") ?? 0
            let (done, total) = state.partial ?? (all, all)
            return EmbeddedShare(done: done, total: total, model: state.fact?.model)
        }
    }

    init(done: Int, total: Int, model: String?) {
        (self.done, self.total, self.model) = (done, total, model)
    }
}
#endif
