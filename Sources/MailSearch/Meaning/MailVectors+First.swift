#if Hub
package import BreezeMailIndex
import BreezeVectors
import GRDB

/// Vectors of whole messages: those of the passages that they begin with.
package struct FirstVectors: Sendable {
    /// What made them; `nil` where nothing was embedded yet.
    package var model: String?
    /// By the message's number, of length 1; without those that have none.
    package var vectors: [Int64: [Float]] = [:]
}

extension MailVectors {
    package func first(of messages: some Sequence<Int64>, in index: MailIndex) async throws -> FirstVectors {
        let state = try await index.read { try VectorState($0) }
        guard let fact = state.fact else { return FirstVectors() }
        var found = FirstVectors(model: fact.model)
        guard let vectors = try self.index(fact, identity: state.identity) else { return found }
        let wanted = Set(messages.map { PassageID(message: $0, number: 0).rawValue })
        for row in vectors.rows(where: wanted.contains) {
            guard let id = vectors.id(of: row), let vector = vectors.vector(of: row) else { continue }
            found.vectors[PassageID(id).message] = vector.values.map { Float($0) * vector.scale }
        }
        return found
    }
}
#endif
