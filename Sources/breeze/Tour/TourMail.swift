import BreezeCore
import BreezeMail
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailJudgement
import BreezeMailSearch
import Foundation
import Synchronization

/// A mailbox that was indexed, judged and searched.
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
    /// A message that is warned of, and what speaks against it, the most telling first.
    struct Warning: Encodable {
        let from: String
        let subject: String
        let kind: String
        let score: Double
        let evidence: [String]
    }
    let messages: Int
    let threads: Int
    /// With a vector; 0 where there is no encoder.
    let passages: Int
    /// Conversations of each.
    let categories: [CategoryCount]
    let warned: WarningCount
    /// Some of what is warned of.
    let warnings: [Warning]
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
        let judge = try MailPlace.judge(index, composition)
        let passages = try await process(judge)
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
            categories: try await index.categories(),
            warned: try await index.warnings(),
            warnings: try await warnings(judge),
            answers: answers
        )
    }

    private static let shownWarnings = 3
    private static let shownEvidence = 3

    private func warnings(_ judge: MailJudge) async throws -> [TourMail.Warning] {
        let filter = ListingFilter(warning: .phishing)
        let list = try await judge.index.listing(
            filter,
            isByThread: false,
            limit: Self.shownWarnings,
            offset: 0
        )
        var warnings: [TourMail.Warning] = []
        for entry in list.entries {
            guard let verdict = try await judge.judged(entry.id)?.verdict else { continue }
            let against = verdict.evidence.filter {
                $0.about == .phishing && $0.weight > 0 && $0.kind != "words"
            }
            .sorted { $0.weight > $1.weight }
            warnings.append(
                TourMail.Warning(
                    from: entry.from.first.map(\.shown) ?? "",
                    subject: entry.subject,
                    kind: "phishing",
                    score: verdict.phishing.score,
                    evidence: against.prefix(Self.shownEvidence).map(\.detail)
                )
            )
        }
        return warnings
    }

    /// - Returns: The number of vectors.
    private mutating func process(_ judge: MailJudge) async throws -> Int {
        let passages = Mutex(0)
        var settings = ProcessingSettings()
        settings.embedding.conditions = .always
        settings.embedding.progress = { progress in passages.withLock { $0 = progress.done } }
        let queue = AIProcessingQueue(judge, embedder: composition.engine, settings: settings)
        let took = try await ContinuousClock().measure { try await queue.run() }
        let progress = await queue.progress
        if let fault = progress.encoderFault, fault.code != .noRunner { throw fault }
        let done = passages.withLock { $0 }
        let vectors = done > 0 ? "embed their \(Quantity.count(done, "passage")) and " : ""
        time("\(vectors)judge \(Quantity.count(progress.done, "message"))", took.seconds)
        return done
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
