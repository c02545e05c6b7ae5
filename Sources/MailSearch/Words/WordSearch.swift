#if Hub
import BreezeMail
import BreezeMailIndex
import GRDB

/// What words put into an order.
struct WordRanking: Sendable {
    struct Hit: Sendable {
        var message: Int64
        /// Larger is better.
        var score: Double
        /// Whether it lacks some of the words.
        var isRelaxed = false
    }

    var hits: [Hit] = []
    /// Whether more match than were ranked.
    var isMore = false
    /// Messages whose subject holds all words, of many the ones that came last.
    var subjects: Set<Int64> = []
    var notices: [SearchNotice] = []
}

/// Searches by words, within one snapshot of the index.
///
/// bm25 is only worked out for so many messages. A word that stands in more of them says little of any: then those
/// count that came into the index last, and a notice says so. This bounds the time of a query, whatever its words.
struct WordSearch {
    let database: Database
    /// Messages that may be found; `nil` is all.
    let allowed: MessageSet?
    /// Messages that are ranked at most.
    var mostRanked = 1_000
    /// Below so many hits with all words, those with some of them follow.
    var fewHits = 10
    /// Of more words all are seldom in one message, and looking for it takes long.
    var mostWanted = 6
    /// Messages whose subject counts for itself.
    var mostSubjects = 50

    /// `words` say which messages match, as FTS5 has it, and `query` is where they come from.
    func ranking(_ words: String, of query: QueryNode) throws -> WordRanking {
        let plain = query.plainWords
        var ranking = WordRanking()
        if plain.count <= mostWanted {
            (ranking.hits, ranking.isMore) = try ranked(words)
            if ranking.isMore {
                ranking.notices.append(
                    SearchNotice(
                        .common,
                        "More than \(mostRanked) messages match; the \(mostRanked) that came last were ranked."
                    )
                )
            }
            ranking.subjects = try subjects(plain, among: ranking.hits)
        }
        if plain.count > 1, ranking.hits.count < fewHits { try relax(&ranking, query, plain) }
        return ranking
    }

    /// Messages that match, best first. Where more match than are ranked the second value says so.
    func ranked(_ words: String) throws -> ([WordRanking.Hit], Bool) {
        var candidates: [Int64] = []
        let statement = try database.cachedStatement(
            sql: "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC"
        )
        let rows = try Int64.fetchCursor(statement, arguments: [words])
        while candidates.count <= mostRanked, let id = try rows.next() {
            if allowed?.contains(id) ?? true { candidates.append(id) }
        }
        let isMore = candidates.count > mostRanked
        if isMore { candidates.removeLast() }
        guard let last = candidates.last else { return ([], false) }
        let scores = try database.cachedStatement(
            sql:
                "SELECT rowid, \(WordScore.sql) FROM words WHERE words MATCH ? AND rowid >= ?"
                + (allowed == nil ? "" : " AND +rowid IN (SELECT value FROM json_each(?))")
        )
        var arguments: StatementArguments = [words, last]
        if allowed != nil { arguments += [FieldLookup.json(candidates)] }
        return (Self.sorted(try hits(scores, arguments)), isMore)
    }

    private func hits(_ statement: Statement, _ arguments: StatementArguments) throws -> [WordRanking.Hit] {
        var hits: [WordRanking.Hit] = []
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        while let row = try rows.next() { hits.append(.init(message: row[0], score: row[1])) }
        return hits
    }

    /// Of equal ones the one that came last.
    private static func sorted(_ hits: [WordRanking.Hit]) -> [WordRanking.Hit] {
        hits.sorted { ($0.score, $0.message) > ($1.score, $1.message) }
    }

    // MARK: - Some of the words

    /// Adds messages that hold some of the words. They are found by the rarer ones: what a common word adds to a
    /// score is little, and finding it takes long.
    private func relax(_ ranking: inout WordRanking, _ query: QueryNode, _ plain: [QueryText]) throws {
        var words: [QueryText] = []
        for word in plain.flatMap(\.parts) where !words.contains(word) { words.append(word) }
        let counted = try words.map { (text: $0, count: try count(Self.expression(.text($0)) ?? "")) }
            .sorted { $0.count < $1.count }
        var chosen: [QueryNode] = []
        var sum = 0
        for (text, count) in counted where count > 0 {
            if !chosen.isEmpty, sum + count > mostRanked { break }
            chosen.append(.text(text))
            sum += count
        }
        let isLong = plain.count > mostWanted
        guard !chosen.isEmpty, isLong || chosen.count < words.count || ranking.hits.count < fewHits,
            let words = Self.expression(query.with(anyOf: chosen))
        else { return }
        let known = Set(ranking.hits.map(\.message))
        let (found, isMore) = try ranked(words)
        let new = found.filter { !known.contains($0.message) }
        guard !new.isEmpty else { return }
        ranking.hits += new.map { .init(message: $0.message, score: $0.score, isRelaxed: true) }
        ranking.isMore = ranking.isMore || isMore
        ranking.notices.append(SearchNotice(.relaxed, Self.sentence(known.count, isLong)))
    }

    private static func sentence(_ exact: Int, _ isLong: Bool) -> String {
        if isLong { return "The text is long: messages are found by its rarer words." }
        return exact == 0
            ? "No message holds all the words; these hold some of them."
            : "Few messages hold all the words (\(exact)); those that follow hold some of them."
    }

    /// Messages that match, at most one more than are ranked.
    private func count(_ words: String) throws -> Int {
        let statement = try database.cachedStatement(
            sql: "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
        )
        return try Int.fetchOne(statement, arguments: [words, mostRanked + 1]) ?? 0
    }

    private static func expression(_ node: QueryNode) -> String? {
        SplitFilter(CompiledQuery(node, columns: WordColumns.scopes).filter).words
    }

    // MARK: - Subjects

    /// Whose subject holds all words is among those that hold them anywhere.
    private func subjects(_ plain: [QueryText], among hits: [WordRanking.Hit]) throws -> Set<Int64> {
        guard !plain.isEmpty, let first = hits.lazy.map(\.message).min(),
            let words = Self.expression(
                .all(of: plain.map { .text(QueryText($0.text, in: .subject, isPrefix: $0.isPrefix)) })
            )
        else { return [] }
        var found: Set<Int64> = []
        let statement = try database.cachedStatement(
            sql: "SELECT rowid FROM words WHERE words MATCH ? AND rowid >= ? ORDER BY rowid DESC"
        )
        let rows = try Int64.fetchCursor(statement, arguments: [words, first])
        while found.count < mostSubjects, let id = try rows.next() {
            if allowed?.contains(id) ?? true { found.insert(id) }
        }
        return found
    }
}

extension QueryText {
    /// Of what was typed in one, such as `sea-going` or an address, the words; a phrase stays one.
    fileprivate var parts: [QueryText] {
        guard !text.contains(where: \.isWhitespace), !isPrefix else { return [self] }
        let words = text.split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’") }
        return words.count > 1 ? words.map { QueryText(String($0), in: scope) } : [self]
    }
}

extension QueryNode {
    /// The plain words and phrases of which all are wanted, each once, whatever punctuation stands beside it.
    var plainWords: [QueryText] {
        let nodes = if case .and(let nodes) = self { nodes } else { [self] }
        var words: [QueryText] = []
        for case .text(var text) in nodes where text.scope == .anywhere {
            let bare = text.text.drop { $0.isPunctuation }
            let end = bare.lastIndex { !$0.isPunctuation }
            // Of punctuation alone nothing is looked for.
            text.text = end.map { String(bare[...$0]) } ?? text.text
            if !words.contains(text) { words.append(text) }
        }
        return words
    }

    /// The same, but any of `words` in the place of all plain ones.
    func with(anyOf words: [QueryNode]) -> QueryNode {
        guard case .and(let nodes) = self else { return .any(of: words) }
        let rest = nodes.filter { node in
            if case .text(let text) = node { text.scope != .anywhere } else { true }
        }
        return .all(of: [.any(of: words)] + rest)
    }
}
#endif
