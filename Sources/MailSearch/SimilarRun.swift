#if Hub
import BreezeCore
import BreezeMail
import BreezeMailIndex
import BreezeVectors

/// Messages like another one.
struct SimilarRun {
    let search: MailSearch
    let message: Int64
    let options: SearchOptions
    /// Of a long message its beginning speaks.
    private static let mostPassages = 16

    func results() async throws -> SearchResults {
        let started = ContinuousClock.now
        guard let message = try await search.index.message(message) else {
            throw BreezeError(.invalidRequest, "The index has no message \(self.message).")
        }
        let state = try await search.index.read { try VectorState($0) }
        guard let fact = state.fact else { throw Self.nothing }
        let index = try state.index(search.vectors, model: fact.model, dimension: fact.dimension)
        var queries = try vectors(of: message.id, in: index)
        if queries.isEmpty { queries = try await embedded(message, fact) }
        let ranking = try await MeaningSearch(index: index, allowed: nil).ranking(
            queries,
            excluding: message.id
        )
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        let order = ranking.hits.enumerated().map { place, hit in
            RankedHit(
                message: hit.message,
                score: hit.cosine,
                passage: hit.passage,
                explanation: HitExplanation(near: hit, rank: place + 1)
            )
        }
        let options = options
        let (hits, count) = try await search.index.read { database in
            try HitReader(database: database, options: options, query: nil).page(order)
        }
        var results = SearchResults(hits: hits, found: count, isMore: false, mode: .meaning, notices: [])
        if let (done, all) = state.partial, done < all {
            results.notices = [
                SearchNotice(.partlyEmbedded, "Meaning knows \(done) of \(all) passages so far.")
            ]
        }
        if options.isExplained {
            results.explanation = SearchExplanation(
                understood: "like \(message.messageID)",
                meaning: message.subject,
                asked: .meaning,
                wordsRanked: 0,
                meaningRanked: ranking.hits.count,
                encoder: fact.model,
                vectors: ranking.vectors,
                wordSeconds: 0,
                embeddingSeconds: 0,
                vectorSeconds: seconds,
                totalSeconds: (ContinuousClock.now - started) / .seconds(1)
            )
        }
        return results
    }

    private static var nothing: BreezeError {
        BreezeError(
            .unavailable,
            "No vectors of this mail have been made yet.",
            remedy: "Let the index embed it: breeze mail index"
        )
    }

    private func vectors(of message: Int64, in index: VectorIndex) throws -> [QuantizedVector] {
        var seen: Set<Int64> = []
        let rows = index.rows { id in
            let passage = PassageID(id)
            return passage.message == message && passage.number < Self.mostPassages
                && seen.insert(id).inserted
        }
        return rows.compactMap { index.vector(of: $0) }
    }

    /// Of a message that was not embedded yet.
    private func embedded(_ message: IndexedMessage, _ fact: EncoderFact) async throws -> [QuantizedVector] {
        guard let encoder = search.encoder else { throw Self.nothing }
        let own = PassageSplitter.ownText(try await search.index.text(of: message.id) ?? "")
        let sender = message.from.first.map { PassageTable.name($0) } ?? ""
        let texts = PassageSplitter.passages(own).prefix(Self.mostPassages).map {
            PassageSplitter.text($0, of: own, subject: message.subject, sender: sender)
        }
        let answer = try await encoder.embed(texts, as: .passage, .userInitiated)
        guard answer.model == fact.model, answer.vectors[0].count == fact.dimension else {
            throw Self.nothing
        }
        return try answer.vectors.map { try QuantizedVector($0) }
    }
}
#endif
