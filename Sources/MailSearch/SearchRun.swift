#if Hub
import BreezeCore
import BreezeMail
import BreezeMailIndex
import BreezeVectors
import GRDB

/// One search, from a query to its hits.
struct SearchRun {
    private let search: MailSearch
    private let query: MailQuery
    private let options: SearchOptions
    private var notices: [SearchNotice]
    private let started = ContinuousClock.now
    private var wordSeconds = 0.0
    private var meaning = MeaningAnswer()

    /// What the index has to say of a query.
    private struct Found: Sendable {
        var words = WordRanking()
        /// Whether words put them into an order.
        var isRanked = true
        var notices: [SearchNotice] = []
        var seconds = 0.0
    }

    /// What meaning has to say of it.
    struct MeaningAnswer: Sendable {
        var ranking = MeaningRanking()
        var encoder: String?
        var embeddingSeconds = 0.0
        var vectorSeconds = 0.0
        /// Why there is none.
        var refusal: String?
        var isPartial: (done: Int, all: Int)?
    }

    init(_ search: MailSearch, _ query: MailQuery, _ options: SearchOptions) {
        self.search = search
        self.query = query
        self.options = options
        notices = query.notices.map { SearchNotice(.query, $0.message) }
    }

    mutating func results() async throws -> SearchResults {
        let text = query.meaning
        var mode = options.mode
        if mode != .words, text.isEmpty {
            if options.mode == .meaning {
                notices.append(SearchNotice(.noMeaning, "Nothing in the query has a meaning to look for."))
            }
            mode = .words
        }
        let plan = SearchPlan(query.root)
        guard mode != .words else {
            let looked = try await look(plan, near: false)
            var words = try await found(plan, looked.words)
            words.notices = looked.notices
            return try await finish(words, mode)
        }
        // The encoder and the index work at the same time.
        async let embedding = embedded(text)
        let looked = try await look(plan, near: true)
        async let ranked = mode == .both ? found(plan, looked.words) : Found()
        meaning = try await answer(await embedding, looked)
        var words = try await ranked
        if let refusal = meaning.refusal {
            notices.append(SearchNotice(.noMeaning, refusal + " Words alone answer."))
            if mode == .meaning { words = try await found(plan, looked.words) }
            mode = .words
        }
        words.notices = looked.notices
        return try await finish(words, mode)
    }

    // MARK: - Fields

    /// What the fields let through.
    private struct Looked: Sendable {
        var words: MessageSet?
        var near: MessageSet?
        var state: VectorState?
        var notices: [SearchNotice] = []
    }

    private func look(_ plan: SearchPlan, near: Bool) async throws -> Looked {
        try await search.index.read { [fields = search.fields] database in
            var lookup = FilterLookup(database, fields)
            var looked = Looked()
            looked.words = try lookup.allowed(plan.filter.rest)
            if near {
                looked.near =
                    plan.near.rest == plan.filter.rest ? looked.words : try lookup.allowed(plan.near.rest)
                if let words = plan.near.words {
                    let found = try lookup.messages(.match(words))
                    looked.near = looked.near?.intersection(found) ?? found
                }
                looked.state = try VectorState(database)
            }
            looked.notices = lookup.notices
            return looked
        }
    }

    // MARK: - Words

    private func found(_ plan: SearchPlan, _ allowed: MessageSet?) async throws -> Found {
        let (root, most) = (query.root, options.offset + options.limit)
        return try await search.index.read { database in
            let start = ContinuousClock.now
            var found = try Self.found(plan, allowed, root, most, database)
            found.seconds = (ContinuousClock.now - start) / .seconds(1)
            return found
        }
    }

    private static func found(
        _ plan: SearchPlan,
        _ allowed: MessageSet?,
        _ root: QueryNode,
        _ most: Int,
        _ database: Database
    ) throws -> Found {
        var found = Found()
        let search = WordSearch(database: database, allowed: allowed)
        if let words = plan.filter.words {
            found.words = try search.ranking(words, of: root)
            return found
        }
        found.isRanked = plan.ranking != nil
        if let ranking = plan.ranking { found.words = try search.ranking(of: ranking) }
        try found.words.append(Self.newest(database, allowed ?? .all, most))
        return found
    }

    /// Up to `most` messages and one more, newest first; those without a date last.
    private static func newest(_ database: Database, _ allowed: MessageSet, _ most: Int) throws -> [Int64] {
        var ids: [Int64] = []
        let rows = try Int64.fetchCursor(
            database,
            sql: "SELECT id FROM message ORDER BY date DESC, id DESC"
        )
        while ids.count <= max(most, 1_000), let id = try rows.next() {
            if allowed.contains(id) { ids.append(id) }
        }
        return ids
    }

    // MARK: - Meaning

    /// What the encoder says of a text, or why it says nothing.
    private struct Embedding: Sendable {
        var answer: Result<MailEncoder.Answer, BreezeError>
        var seconds: Double
    }

    private func embedded(_ text: String) async throws -> Embedding {
        let start = ContinuousClock.now
        guard let encoder = search.encoder else {
            let error = BreezeError(.unavailable, "No encoder is there to search by meaning.")
            return Embedding(answer: .failure(error), seconds: 0)
        }
        do {
            let answer = try await encoder.embed([text], as: .query, .userInitiated)
            return Embedding(answer: .success(answer), seconds: (ContinuousClock.now - start) / .seconds(1))
        } catch let error as BreezeError {
            if error.code == .cancelled { throw error }
            return Embedding(answer: .failure(error), seconds: 0)
        }
    }

    private func answer(_ embedding: Embedding, _ looked: Looked) async throws -> MeaningAnswer {
        var answer = MeaningAnswer()
        do {
            let vector = try embedding.answer.get()
            guard let state = looked.state else { return answer }
            answer.embeddingSeconds = embedding.seconds
            let dimension = vector.vectors[0].count
            let index = try state.index(search.vectors, model: vector.model, dimension: dimension)
            let start = ContinuousClock.now
            let search = MeaningSearch(index: index, allowed: looked.near)
            answer.ranking = try await search.ranking(vector.vectors)
            answer.vectorSeconds = (ContinuousClock.now - start) / .seconds(1)
            answer.encoder = vector.model
            answer.isPartial = state.partial
        } catch let error as BreezeError {
            if error.code == .cancelled { throw error }
            answer.refusal = error.message
        }
        return answer
    }

    // MARK: - Both

    private mutating func finish(_ found: Found, _ mode: SearchMode) async throws -> SearchResults {
        wordSeconds = found.seconds
        notices += found.notices + found.words.notices
        if mode != .words, let (done, all) = meaning.isPartial, done < all {
            notices.append(
                SearchNotice(
                    .partlyEmbedded,
                    "Meaning knows \(done) of \(all) passages so far; words know all messages."
                )
            )
        }
        let order =
            found.isRanked ? ranked(found, mode) : found.words.hits.map { RankedHit(message: $0.message) }
        let (options, root) = (options, query.root)
        let isMore = found.words.isMore
        let notices = notices
        let (hits, count) = try await search.index.read { database in
            try HitReader(database: database, options: options, query: root).page(order)
        }
        return SearchResults(
            hits: hits,
            found: count,
            isMore: isMore,
            mode: mode,
            notices: notices,
            explanation: options.isExplained ? explanation(found) : nil
        )
    }

    private func ranked(_ found: Found, _ mode: SearchMode) -> [RankedHit] {
        let words = found.words.hits
        let near = meaning.ranking.hits
        if mode == .meaning {
            return near.enumerated().map { place, hit in
                RankedHit(
                    message: hit.message,
                    score: hit.cosine,
                    passage: hit.passage,
                    explanation: HitExplanation(near: hit, rank: place + 1)
                )
            }
        }
        let order = RankFusion.WordOrder(messages: words.map(\.message), subjects: found.words.subjects)
        let byWords = Dictionary(uniqueKeysWithValues: words.map { ($0.message, $0) })
        let byMeaning = Dictionary(uniqueKeysWithValues: near.map { ($0.message, $0) })
        let fused = search.fusion.hits(order, mode == .both ? near.map(\.message) : [])
        let ordered = mode == .both ? fused : fused.sorted { ($0.wordRank ?? 0) < ($1.wordRank ?? 0) }
        return ordered.map { hit in
            let (word, near) = (byWords[hit.message], byMeaning[hit.message])
            return RankedHit(
                message: hit.message,
                score: mode == .both ? hit.score : word?.score ?? 0,
                passage: near?.passage,
                explanation: HitExplanation(
                    wordRank: hit.wordRank,
                    wordScore: word?.score,
                    isRelaxed: word?.isRelaxed ?? false,
                    meaningRank: hit.meaningRank,
                    cosine: near?.cosine,
                    passage: near?.passage,
                    isInSubject: hit.isInSubject
                )
            )
        }
    }

    private func explanation(_ found: Found) -> SearchExplanation {
        SearchExplanation(
            understood: query.root.description,
            meaning: options.mode == .words ? "" : query.meaning,
            asked: options.mode,
            wordsRanked: found.isRanked ? found.words.hits.count : 0,
            meaningRanked: meaning.ranking.hits.count,
            encoder: meaning.encoder,
            vectors: meaning.ranking.vectors,
            wordSeconds: wordSeconds,
            embeddingSeconds: meaning.embeddingSeconds,
            vectorSeconds: meaning.vectorSeconds,
            totalSeconds: (ContinuousClock.now - started) / .seconds(1)
        )
    }
}

/// What a query demands, of words and of meaning.
struct SearchPlan: Sendable {
    var filter: SplitFilter
    var ranking: String?
    /// What may be found by meaning.
    var near: SplitFilter

    init(_ root: QueryNode) {
        let compiled = CompiledQuery(root, columns: WordColumns.scopes)
        filter = SplitFilter(compiled.filter)
        ranking = compiled.ranking
        near = SplitFilter(CompiledQuery(root.withoutPlainWords, columns: WordColumns.scopes).filter)
    }
}

extension HitExplanation {
    init(near hit: MeaningRanking.Hit, rank: Int) {
        self.init(
            wordRank: nil,
            wordScore: nil,
            isRelaxed: false,
            meaningRank: rank,
            cosine: hit.cosine,
            passage: hit.passage,
            isInSubject: false
        )
    }
}

extension WordRanking {
    /// Adds messages that are not ranked, behind those that are.
    mutating func append(_ messages: [Int64]) {
        let known = Set(hits.map(\.message))
        hits += messages.lazy.filter { !known.contains($0) }.map { Hit(message: $0, score: 0) }
    }
}

extension WordSearch {
    /// Ranks by words of which none has to be there.
    func ranking(of words: String) throws -> WordRanking {
        var ranking = WordRanking()
        (ranking.hits, ranking.isMore) = try ranked(words)
        return ranking
    }
}

extension QueryNode {
    /// What filters a search by meaning: fields, phrases, names, and what is not wanted.
    var withoutPlainWords: QueryNode {
        func isPlain(_ node: QueryNode) -> Bool {
            guard case .text(let text) = node else { return false }
            return text.scope == .anywhere && !text.text.contains(where: \.isWhitespace)
        }
        switch self {
        case .text: return isPlain(self) ? .everything : self
        case .and(let nodes):
            return .all(of: nodes.map(\.withoutPlainWords).filter { $0 != .everything })
        // One of its ways may be by meaning.
        case .or(let nodes): return nodes.contains { $0.withoutPlainWords != $0 } ? .everything : self
        case .everything, .field, .not: return self
        }
    }
}
#endif
