#if Hub
public import BreezeCore
public import BreezeMail
public import BreezeMailIndex
import Foundation
import GRDB

/// Searches an index of mail by words, by meaning, or by both.
///
/// ```swift
/// let search = MailSearch(index: index, vectors: MailVectors(beside: index), embedder: engine)
/// let query = try MailQuery("from:ada lighthouse tour", clock: QueryClock(now: .now, timeZone: .current))
/// for hit in try await search.search(query).hits { print(hit.subject, hit.snippet.text) }
/// ```
///
/// A query's words are embedded on this device and nowhere else. Where that cannot be, words alone answer, and a notice
/// says why.
public final class MailSearch: Sendable {
    let index: MailIndex
    let vectors: MailVectors
    let encoder: MailEncoder?
    let fusion = RankFusion()
    let fields = FieldCache()

    /// `vectors` are the same ones that an ``EmbeddingQueue`` of this process fills, so that what it has done is found
    /// at once. Without an `embedder` words alone are searched; `model` is one of its models, `nil` the one that it
    /// chooses.
    public init(
        index: MailIndex,
        vectors: MailVectors,
        embedder: (any InferenceService)?,
        model: String? = nil
    ) {
        self.index = index
        self.vectors = vectors
        encoder = embedder.map { MailEncoder(service: $0, model: model) }
    }

    /// - Throws: ``BreezeError``: `invalid_parameter` for a limit or offset that cannot be one, `cancelled` with the
    ///   task, and what reading the index's file throws. In the mode `meaning` a missing encoder or missing vectors are
    ///   no error either: words answer, and a notice says so.
    public func search(_ query: MailQuery, _ options: SearchOptions = SearchOptions()) async throws
        -> SearchResults
    {
        try Self.check(options)
        var run = SearchRun(self, query, options)
        return try await run.results()
    }

    /// Messages whose text is near to that of `message`, which is not among them. Only ``SearchOptions/limit``,
    /// `offset`, `grouping`, `isExplained` and `snippetLength` count.
    /// - Throws: ``BreezeError``: `invalid_request` where there is no such message, `unavailable` where nothing can be
    ///   compared, since no vectors were made.
    public func similar(to message: Int64, _ options: SearchOptions = SearchOptions()) async throws
        -> SearchResults
    {
        try Self.check(options)
        return try await SimilarRun(search: self, message: message, options: options).results()
    }

    private static func check(_ options: SearchOptions) throws {
        guard (0...10_000).contains(options.limit), (0...1_000_000).contains(options.offset),
            (1...100_000).contains(options.snippetLength)
        else {
            throw BreezeError(
                .invalidParameter,
                "A search takes a limit of 0 to 10,000, an offset of 0 to 1,000,000 and a snippet of 1 to 100,000.",
                remedy: "Ask for fewer hits at once, and for the next ones by the offset."
            )
        }
    }
}
#endif
