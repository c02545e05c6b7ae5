import BreezeCore
import BreezeMail
import BreezeMailIndex
import BreezeMailSearch
import Foundation

/// A mailbox that was indexed and searched.
struct TourMail: Encodable {
    struct Answer: Encodable {
        let query: String
        let mode: SearchMode
        let hits: [Hit]
    }
    struct Hit: Encodable {
        let from: String
        let subject: String
        let messageID: String
    }
    let messages: Int
    let threads: Int
    /// With a vector; 0 where there is no encoder.
    let passages: Int
    let answers: [Answer]
}

extension Tour {
    /// Indexes the mailbox for this once, and looks for what the tour's queries say.
    mutating func readMail(at mailbox: URL) async throws -> TourMail {
        let folder = FileManager.default.temporaryDirectory.appending(path: "breeze-tour-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let index = try MailIndex.open(at: folder.appending(path: "mail.sqlite"))
        let clock = ContinuousClock()
        let order = IndexOrder(index: index.url, [.path(mailbox)])
        let reading = try await clock.measure { _ = try await MailIndexerProcess().index(order) { _ in } }
        let status = try await index.status()
        time("index \(Quantity.count(status.messages, "message"))", reading.seconds)
        let vectors = MailVectors(beside: index)
        let passages = try await embed(index, vectors)
        let search = MailSearch(index: index, vectors: vectors, embedder: composition.engine)
        var answers: [TourMail.Answer] = []
        let looking = try await clock.measure {
            for (words, mode) in TourTexts.mailQueries {
                let query = try MailQuery(words, clock: QueryClock(now: Date(), timeZone: .current))
                let found = try await search.search(query, SearchOptions(mode: mode, limit: 2))
                answers.append(
                    TourMail.Answer(query: words, mode: found.mode, hits: found.hits.map(\.shown))
                )
            }
        }
        time("search them \(TourTexts.mailQueries.count) times", looking.seconds)
        return TourMail(
            messages: status.messages,
            threads: status.threads,
            passages: passages,
            answers: answers
        )
    }

    /// - Returns: The number of vectors.
    private mutating func embed(_ index: MailIndex, _ vectors: MailVectors) async throws -> Int {
        var settings = EmbeddingSettings()
        settings.conditions = .always
        let queue = EmbeddingQueue(
            index: index,
            vectors: vectors,
            embedder: composition.engine,
            settings: settings
        )
        do {
            let took = try await ContinuousClock().measure { try await queue.run() }
            let done = await queue.progress.done
            time("turn their \(Quantity.count(done, "passage")) into vectors", took.seconds)
            return done
        } catch let error as BreezeError where error.code == .noRunner {
            return 0
        }
    }
}

extension SearchHit {
    fileprivate var shown: TourMail.Hit {
        TourMail.Hit(
            from: from.first.map { $0.name ?? $0.address } ?? "",
            subject: subject,
            messageID: messageID
        )
    }
}
