#if Hub
import BreezeVectors

/// Messages by the nearest of their passages.
struct MeaningRanking: Sendable {
    struct Hit: Sendable {
        var message: Int64
        var cosine: Double
        var passage: Int
    }

    /// Nearest first.
    var hits: [Hit] = []
    /// Vectors that were looked at.
    var vectors = 0
}

struct MeaningSearch {
    let index: VectorIndex
    /// Messages that may be found; `nil` is all.
    let allowed: MessageSet?
    /// Messages that are ranked at most.
    var mostRanked = 200
    /// Below it two texts have nothing to do with each other.
    var leastCosine: Float = 0.1

    /// What is near to any of the vectors, `excluded` left out.
    func ranking(_ vectors: [[Float]], excluding excluded: Int64? = nil) async throws -> MeaningRanking {
        let queries = try vectors.map { try QuantizedVector($0) }
        return try await ranking(queries, excluding: excluded)
    }

    func ranking(_ queries: [QuantizedVector], excluding excluded: Int64? = nil) async throws
        -> MeaningRanking
    {
        let rows = allowed.map { allowed in index.rows { allowed.contains(PassageID($0).message) } }
        // A message has several passages, and is found by each.
        let matches = try await index.search(
            queries,
            limit: mostRanked * 4,
            where: rows,
            threshold: leastCosine
        )
        var best: [Int64: MeaningRanking.Hit] = [:]
        for match in matches.joined() {
            let id = PassageID(match.id)
            guard id.message != PassageID.probe.message, id.message != excluded else { continue }
            if let known = best[id.message], known.cosine >= Double(match.score) { continue }
            best[id.message] = .init(message: id.message, cosine: Double(match.score), passage: id.number)
        }
        let sorted = best.values.sorted { ($0.cosine, $0.message) > ($1.cosine, $1.message) }
        return MeaningRanking(hits: Array(sorted.prefix(mostRanked)), vectors: rows?.count ?? index.count)
    }
}
#endif
