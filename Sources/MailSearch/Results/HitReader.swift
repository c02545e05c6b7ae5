#if Hub
import BreezeMail
import BreezeMailIndex
import GRDB

/// A message in its place, not read yet.
struct RankedHit: Sendable {
    var message: Int64
    var score = 0.0
    /// Its nearest passage.
    var passage: Int?
    var explanation: HitExplanation?
}

/// Reads what is shown of a page of hits, within one snapshot. What was deleted since it was found is left out.
struct HitReader {
    let database: Database
    let options: SearchOptions
    /// What snippets show; `nil` shows the nearest passage.
    let query: QueryNode?

    /// - Returns: the page, and how many hits there are in all.
    func page(_ ranked: [RankedHit]) throws -> ([SearchHit], Int) {
        let (ordered, others) = options.grouping == .threads ? try grouped(ranked) : (ranked, [:])
        let page = ordered.dropFirst(options.offset).prefix(options.limit)
        let hits = try page.compactMap { hit in
            try read(hit).map { read in
                var read = read
                read.others = others[hit.message] ?? 0
                return read
            }
        }
        return (hits, ordered.count)
    }

    /// Of each thread its first message, and how many more of it were found.
    private func grouped(_ ranked: [RankedHit]) throws -> ([RankedHit], [Int64: Int]) {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT id, thread FROM message WHERE id IN (SELECT value FROM json_each(?))",
            arguments: [FieldLookup.json(ranked.map(\.message))]
        )
        var threads: [Int64: Int64] = [:]
        while let row = try rows.next() { threads[row[0]] = row[1] ?? -(row[0] as Int64) }
        var first: [Int64: Int64] = [:]
        var (kept, others): ([RankedHit], [Int64: Int]) = ([], [:])
        for hit in ranked {
            guard let thread = threads[hit.message] else { continue }
            if let shown = first[thread] {
                others[shown, default: 0] += 1
            } else {
                first[thread] = hit.message
                kept.append(hit)
            }
        }
        return (kept, others)
    }

    private static let sql = """
        SELECT messageID, date, zone, message.thread, textRead, textSize, text.subject, sender, body, thread.name,
            coalesce(thread.messages, 1),
            (SELECT directory.path || iif(place.name = '', '', '/' || place.name) FROM place
                JOIN directory ON directory.id = directory WHERE message = message.id ORDER BY isGone, place.id LIMIT 1),
            (SELECT count(*) FROM passage WHERE message = message.id),
            (SELECT count(vector) FROM passage WHERE message = message.id)
        FROM message JOIN text ON text.id = message.id LEFT JOIN thread ON thread.id = message.thread
        WHERE message.id = ?
        """

    private func read(_ hit: RankedHit) throws -> SearchHit? {
        let statement = try database.cachedStatement(sql: Self.sql)
        guard let row = try Row.fetchOne(statement, arguments: [hit.message]) else { return nil }
        return SearchHit(
            message: hit.message,
            messageID: row[0],
            path: row[11] ?? "",
            score: hit.score,
            subject: row[6],
            from: AddressLine.addresses(row[7]),
            date: (row[1] as Int64?).map { MailDate(unixSeconds: $0, zone: row[2] ?? 0) },
            thread: row[3],
            threadName: row[9],
            threadCount: row[10],
            others: 0,
            snippet: snippet(row[8], hit.passage),
            coverage: SearchCoverage(
                textRead: row[4],
                textSize: row[5],
                passagesRead: row[13],
                passages: row[12]
            ),
            explanation: options.isExplained ? hit.explanation : nil
        )
    }

    /// Where the words stand; of a message that has none of them the passage that was nearest.
    private func snippet(_ body: String, _ passage: Int?) -> Snippet {
        let length = options.snippetLength
        if let query {
            let snippet = Snippet(of: body, for: query, length: length)
            if !snippet.marks.isEmpty || passage == nil { return snippet }
        }
        guard let passage else { return Snippet(of: body, for: .everything, length: length) }
        let own = PassageSplitter.ownText(body)
        let passages = PassageSplitter.passages(own)
        let text = passages.indices.contains(passage) ? PassageSplitter.text(passages[passage], of: own) : own
        return Snippet(of: text, for: query ?? .everything, length: length)
    }
}
#endif
