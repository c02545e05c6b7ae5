#if Hub
import BreezeCore
import BreezeVectors
import GRDB

/// What an index's file says of its vectors.
struct VectorState: Sendable {
    var fact: EncoderFact?
    var identity: String
    /// Passages with a vector, and all of them; `nil` where all have one.
    var partial: (done: Int, all: Int)?

    init(_ database: Database) throws {
        fact = try EncoderFact.read(database)
        identity = try String.fetchOne(database, sql: "SELECT value FROM fact WHERE name = 'identity'") ?? ""
        let isOpen = try Bool.fetchOne(
            database,
            sql:
                "SELECT EXISTS (SELECT 1 FROM passage WHERE encoder IS NULL) OR EXISTS (SELECT 1 FROM message "
                + "WHERE id > (SELECT value FROM fact WHERE name = 'lastSplit'))"
        )
        guard isOpen == true else { return }
        let open = try Int.fetchOne(database, sql: "SELECT count(*) FROM passage WHERE encoder IS NULL") ?? 0
        let all = try Int.fetchOne(database, sql: "SELECT count(*) FROM passage") ?? 0
        // Messages that were not split yet have one passage or more.
        let more = try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM message WHERE id > (SELECT value FROM fact WHERE name = 'lastSplit')"
        )
        partial = (all - open, all + (more ?? 0))
    }

    /// - Throws: ``BreezeError`` with `unavailable` where nothing can be compared with what the encoder says.
    func index(_ vectors: MailVectors, model: String, dimension: Int) throws -> VectorIndex {
        guard let fact, let index = try vectors.index(fact, identity: identity), index.count > 0 else {
            throw BreezeError(
                .unavailable,
                "No vectors of this mail have been made yet.",
                remedy: "Let the index embed it: breeze mail index"
            )
        }
        guard fact.model == model, fact.dimension == dimension else {
            throw BreezeError(
                .unavailable,
                "The vectors of this mail are \(fact.model)'s, and \(model) embeds queries now.",
                remedy: "Let the index embed it anew: breeze mail index"
            )
        }
        return index
    }
}
#endif
