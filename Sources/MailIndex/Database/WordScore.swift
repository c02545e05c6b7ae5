#if Hub
import Foundation
import GRDB
import GRDBSQLite

/// FTS5's bm25(), but that how common a word is takes a bounded time to learn: `word_score(words, weight, …)`, with a
/// weight for each column; larger is better.
///
/// bm25() reads all places of each word of a query before it ranks the first message, and most words that people type
/// stand in a good part of their mail. Here ``mostCounted`` messages are counted, and the rest is estimated from how far
/// the count came. What is ranked above something else for it differs by little, since rarity counts by its logarithm.
package enum WordScore {
    /// In a statement over the full-text index, whose columns it weighs in their order.
    package static let sql = "word_score(words, 4, 2, 1, 1, 2, 1)"
    /// Messages with one word that are counted.
    static let mostCounted = 10_000

    /// How soon more of a word counts for less, and how much a message's length does: bm25()'s.
    private static let (saturation, lengthShare) = (1.2, 0.75)

    static func add(to database: Database) throws {
        let api = UnsafeMutablePointer(mutating: FTS5.api(database))
        let status = api.pointee.xCreateFunction(
            api,
            "word_score",
            nil,
            { WordScore.answer($0, $1, $2, $3, $4) },
            nil
        )
        guard status == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: status)) }
    }

    /// What holds for all messages of one statement.
    private final class Query {
        let weights: [Double]
        let averageLength: Double
        /// Of each phrase what it counts for.
        let rarities: [Double]

        init(weights: [Double], averageLength: Double, rarities: [Double]) {
            (self.weights, self.averageLength, self.rarities) = (weights, averageLength, rarities)
        }
    }

    /// In how many messages a phrase was met so far, and which the last one was.
    private struct Count {
        var messages = 0
        var last: Int64 = 0
    }

    private static func answer(
        _ api: UnsafePointer<Fts5ExtensionApi>?,
        _ context: OpaquePointer?,
        _ result: OpaquePointer?,
        _ count: Int32,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let api = api?.pointee else { return }
        do {
            let query = try query(api, context) { (0..<Int(count)).map { sqlite3_value_double(values?[$0]) } }
            sqlite3_result_double(result, try score(api, context, query))
        } catch {
            sqlite3_result_error_code(result, error.status)
        }
    }

    private struct Failure: Error { let status: Int32 }

    private static func check(_ status: Int32) throws(Failure) {
        guard status == SQLITE_OK else { throw Failure(status: status) }
    }

    // MARK: - One message

    private static func score(
        _ api: Fts5ExtensionApi,
        _ context: OpaquePointer?,
        _ query: Query
    ) throws(Failure) -> Double {
        var length: Int32 = 0
        try check(api.xColumnSize(context, -1, &length))
        let penalty =
            saturation * (1 - lengthShare + lengthShare * Double(length) / query.averageLength)
        var score = 0.0
        for (phrase, rarity) in query.rarities.enumerated() {
            var frequency = 0.0
            var (places, column, offset) = (Fts5PhraseIter(), Int32(0), Int32(0))
            try check(api.xPhraseFirst(context, Int32(phrase), &places, &column, &offset))
            while column >= 0 {
                frequency += Int(column) < query.weights.count ? query.weights[Int(column)] : 1
                api.xPhraseNext(context, &places, &column, &offset)
            }
            score += rarity * frequency * (saturation + 1) / (frequency + penalty)
        }
        return score
    }

    // MARK: - All messages

    private static func query(
        _ api: Fts5ExtensionApi,
        _ context: OpaquePointer?,
        _ weights: () -> [Double]
    ) throws(Failure) -> Query {
        if let known = api.xGetAuxdata(context, 0) {
            return Unmanaged<Query>.fromOpaque(known).takeUnretainedValue()
        }
        var (rows, tokens): (Int64, Int64) = (0, 0)
        try check(api.xRowCount(context, &rows))
        try check(api.xColumnTotalSize(context, -1, &tokens))
        var rarities: [Double] = []
        for phrase in 0..<api.xPhraseCount(context) {
            let messages = try messages(api, context, phrase, of: rows)
            // A phrase in more than half of all would count against a message.
            rarities.append(max(log((Double(rows) - messages + 0.5) / (messages + 0.5)), 1e-6))
        }
        let average = rows > 0 ? Double(tokens) / Double(rows) : 1
        let query = Query(weights: weights(), averageLength: max(average, 1), rarities: rarities)
        let kept = Unmanaged.passRetained(query).toOpaque()
        try check(api.xSetAuxdata(context, kept) { $0.map { Unmanaged<Query>.fromOpaque($0).release() } })
        return query
    }

    /// In how many messages a phrase stands.
    private static func messages(
        _ api: Fts5ExtensionApi,
        _ context: OpaquePointer?,
        _ phrase: Int32,
        of rows: Int64
    ) throws(Failure) -> Double {
        var count = Count()
        let status = withUnsafeMutablePointer(to: &count) { count in
            api.xQueryPhrase(context, phrase, count) { api, found, count in
                guard let api = api?.pointee, let count = count?.assumingMemoryBound(to: Count.self) else {
                    return SQLITE_ERROR
                }
                count.pointee.messages += 1
                guard count.pointee.messages >= WordScore.mostCounted else { return SQLITE_OK }
                count.pointee.last = api.xRowid(found)
                return SQLITE_DONE
            }
        }
        try check(status)
        guard count.messages >= mostCounted, count.last > 0 else { return Double(count.messages) }
        // Numbers are given in order, and few messages ever go: the count came as far as its last number says.
        return min(Double(rows), Double(count.messages) * Double(max(rows, count.last)) / Double(count.last))
    }
}
#endif
