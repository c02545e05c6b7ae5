#if Hub
import BreezeCore
import BreezeMail
import BreezeMailIndex
import BreezeVectors
import GRDB

/// What happens before the first passage: the encoder is asked who it is, and what the files say is made to agree.
extension EmbeddingQueue {
    /// What it says of this text tells whether a model of the same name is still the same.
    private static let probe =
        "The lighthouse keeper's letter about Tuesday's boat came with the evening mail."
    /// Runtimes of one model differ by less: int8 and fp32 of all-MiniLM-L6-v2 by 0.002.
    private static let leastAlike: Float = 0.98

    func openStore() async throws -> VectorStore {
        let answer = try await encoder.embed([Self.probe], as: .passage, .utility)
        let vector = try QuantizedVector(answer.vectors[0])
        var opened: VectorStore? = try await store(model: answer.model, vector)
        if let index = opened?.index, let row = Self.probeRow(index), let known = index.vector(of: row),
            known.cosine(to: vector) < Self.leastAlike
        {
            // Nobody may hold it, so that it can be opened anew.
            opened = nil
            vectors.closeStore()
        }
        let store =
            if let opened { opened } else { try await store(model: answer.model, vector, isNew: true) }
        if Self.probeRow(store.index) == nil {
            try store.append([VectorEntry(id: PassageID.probe.rawValue, vector: vector)])
        }
        try await reconcile(store)
        return store
    }

    private static func probeRow(_ index: VectorIndex) -> Int? {
        index.rows { $0 == PassageID.probe.rawValue }.first { _ in true }
    }

    /// The index's file is told first: where the process dies in between, the vectors are another encoder's then, and
    /// the next one removes them.
    private func store(model: String, _ vector: QuantizedVector, isNew: Bool = false) async throws
        -> VectorStore
    {
        let (fact, identity) = try await index.write { database in
            let identity =
                try String.fetchOne(database, sql: "SELECT value FROM fact WHERE name = 'identity'") ?? ""
            let known = try EncoderFact.read(database)
            var fact = EncoderFact(
                model: model,
                dimension: vector.dimension,
                splitter: PassageSplitter.version,
                epoch: known?.epoch ?? 0
            )
            if !isNew, fact == known { return (fact, identity) }
            fact.epoch += 1
            try PassageTable.reset(database, isSplitAnew: known?.splitter != fact.splitter)
            try fact.write(database)
            return (fact, identity)
        }
        return try vectors.store(fact, identity: identity)
    }

    /// Makes the two files agree. Vectors of messages that are gone are removed; vectors that a process had written when
    /// it died are marked as done; passages whose vectors are not there any more are embedded again.
    private func reconcile(_ store: VectorStore) async throws {
        let (open, done) = try await index.read { database in
            var (open, done): (Set<Int64>, Set<Int64>) = ([], [])
            let rows = try Row.fetchCursor(
                database,
                sql:
                    "SELECT message, number, encoder IS NULL FROM passage WHERE encoder IS NULL OR vector IS NOT NULL"
            )
            while let row = try rows.next() {
                let id = PassageID(message: row[0], number: row[1]).rawValue
                if row[2] { open.insert(id) } else { done.insert(id) }
            }
            return (open, done)
        }
        var seen: Set<Int64> = []
        let useless = store.index.rows { id in
            let isKnown = open.contains(id) || done.contains(id) || id == PassageID.probe.rawValue
            return !isKnown || !seen.insert(id).inserted
        }
        if useless.count > 0 { try store.remove(useless) }
        let (found, lost) = (open.intersection(seen), done.subtracting(seen))
        if !found.isEmpty || !lost.isEmpty { try await mark(found, lost: lost) }
        try store.compact()
    }

    private func mark(_ found: Set<Int64>, lost: Set<Int64>) async throws {
        try await index.write { database in
            guard let fact = try EncoderFact.read(database) else { return }
            let update = try database.cachedStatement(
                sql: "UPDATE passage SET encoder = ?, vector = ? WHERE message = ? AND number = ?"
            )
            for id in found {
                let passage = PassageID(id)
                try update.execute(arguments: [fact.model, id, passage.message, passage.number])
            }
            for id in lost {
                let passage = PassageID(id)
                try update.execute(arguments: [nil, nil, passage.message, passage.number])
            }
        }
    }
}
#endif
