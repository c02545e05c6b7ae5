#if Hub
import BreezeCore
import BreezeMailIndex
import BreezeMailParser
import Foundation

/// The mail index over a folder that the asking side made.
struct MailBenchmark {
    struct Command: Decodable {
        enum Kind: String, Decodable { case index, find }

        let kind: Kind
        /// The index's file.
        let database: String
        /// `index`: a Maildir, or a tree of them.
        let folder: String?
        let threads: Int?
        /// `find`: what a person types.
        let words: String?
    }

    struct Figures: Encodable {
        var seconds: Double
        var cpuSeconds: Double
        /// `index`: messages that were read.
        var read: Int?
        var failed: Int?
        /// `find`: how many it found.
        var hits: Int?
    }

    func answer(_ command: Command) async throws -> Figures {
        let clock = Stopwatch()
        let index = try MailIndex.open(at: URL(filePath: command.database))
        defer { try? index.close() }
        switch command.kind {
        case .index:
            var settings = IndexSettings()
            settings.threads = command.threads
            let folder = MailRoot.path(URL(filePath: command.folder ?? ""))
            let report = try await index.index([folder], with: GMimeMessageParser(), settings: settings)
            try index.close()
            return Figures(
                seconds: clock.wallSeconds,
                cpuSeconds: clock.cpuSeconds,
                read: report.counts.read,
                failed: report.counts.failed
            )
        case .find:
            let hits = try await index.find(command.words ?? "", limit: 1_000)
            return Figures(seconds: clock.wallSeconds, cpuSeconds: clock.cpuSeconds, hits: hits.count)
        }
    }
}
#endif
