#if Hub
import BreezeCore
package import BreezeMail
package import BreezeMailIndex
package import BreezeMailParser
package import BreezeMailSearch
package import BreezeTestSupport
package import Foundation

/// A Maildir, an index of it, and an encoder that knows some synonyms.
package final class SearchBench: Sendable {
    package let folder: ScratchFolder
    package let index: MailIndex
    package let vectors: MailVectors
    package let encoder: BagOfWords

    package static var isAvailable: Bool { GMimeMessageParser.isAvailable }

    package init(_ encoder: BagOfWords = BagOfWords()) throws {
        folder = try ScratchFolder()
        index = try MailIndex.open(at: folder.url.appending(path: "index/mail.sqlite"))
        vectors = MailVectors(beside: index)
        self.encoder = encoder
    }

    package var search: MailSearch { MailSearch(index: index, vectors: vectors, embedder: encoder) }
    package var wordSearch: MailSearch { MailSearch(index: index, vectors: vectors, embedder: nil) }

    package func queue(_ change: (inout EmbeddingSettings) -> Void = { _ in }) -> EmbeddingQueue {
        var settings = EmbeddingSettings()
        settings.conditions = .always
        settings.batch = 4
        change(&settings)
        return EmbeddingQueue(index: index, vectors: vectors, embedder: encoder, settings: settings)
    }

    @discardableResult
    package func write(
        _ number: Int,
        _ subject: String,
        _ body: String,
        from: String = "Ada Alder <ada@example.org>",
        headers: String = "",
        in place: String = "cur",
        flags: String = "S"
    ) throws -> URL {
        let day = String(1 + number % 28)
        return try folder.write(
            "Mail/\(place)/\(number).a:2,\(flags)",
            """
            From: \(from)
            To: Ben Birch <ben@example.net>
            Subject: \(subject)
            Date: \(day) Nov 2026 10:00:00 +0000
            Message-ID: <m\(number)@example.org>
            \(headers)
            \(body)

            """.replacing("\n\n\n", with: "\n\n")
        )
    }

    @discardableResult
    package func indexMail() async throws -> IndexReport {
        for box in ["", "/.Lists.Boats", "/.Work"] {
            for name in ["cur", "new", "tmp"] {
                let url = folder.url.appending(path: "Mail\(box)/\(name)")
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            }
        }
        return try await index.index([.path(folder.url.appending(path: "Mail"))], with: GMimeMessageParser())
    }

    package static let parser = GMimeMessageParser()
    package static let clock = QueryClock(
        now: Date(timeIntervalSince1970: 1_795_000_000),
        timeZone: TimeZone(secondsFromGMT: 0) ?? .current
    )

    package static func query(_ text: String) throws -> MailQuery { try MailQuery(text, clock: clock) }

    package func find(
        _ text: String,
        _ mode: SearchMode = .words,
        _ change: (inout SearchOptions) -> Void = { _ in }
    )
        async throws -> SearchResults
    {
        var options = SearchOptions(mode: mode, limit: 100, isExplained: true)
        change(&options)
        return try await search.search(Self.query(text), options)
    }
}

extension SearchResults {
    /// The numbers that the bench's messages were written with.
    package var numbers: [Int] { hits.map(\.number) }
    /// Of those that hold all words.
    package var exact: Set<Int> { Set(hits.filter { $0.explanation?.isRelaxed != true }.map(\.number)) }
    package var kinds: Set<SearchNotice.Kind> { Set(notices.map(\.kind)) }
}

extension SearchHit {
    package var number: Int { Int(messageID.dropFirst().prefix { $0 != "@" }) ?? -1 }
}
#endif
