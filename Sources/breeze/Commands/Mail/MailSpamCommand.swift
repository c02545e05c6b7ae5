import ArgumentParser
import BreezeCore
import BreezeMailIndex
import BreezeMailJudgement
import Foundation

struct MailSpamCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spam",
        abstract: "What looks like spam or phishing and why, of all mail or of one message.",
        discussion: """
            Nothing is deleted or moved. Where it is wrong, say so: breeze mail correct MESSAGE --not-spam

            Examples:
              breeze mail spam
              breeze mail spam --only phishing --json
              breeze mail spam 412                       one message's, with the reasons
            """
    )

    enum Kind: String, ExpressibleByArgument, CaseIterable { case spam, phishing }

    @OptionGroup var options: EngineOptions
    @Option(help: "spam or phishing alone.") var only: Kind?
    @Option(help: "Messages at most.") var limit = 30
    @Option(help: "Messages that are passed over.") var offset = 0
    @Argument(help: "A message: its number in the index, or its Message-ID.") var message: String?

    func validate() throws {
        guard (0...100_000).contains(limit), offset >= 0 else {
            throw ValidationError("--limit takes 0 to 100000, and --offset 0 or more.")
        }
    }

    func run() async throws {
        let index = try MailPlace.open()
        let judge = try MailPlace.judge(index, try await Composition(options))
        guard let message else { return try await list(index, judge) }
        let found = try await MailPlace.find(message, in: index)
        let judged = try await judge.decide(found.id, limit: JudgeLimits().risk)
        if options.json { return try JSONText.print(MailJudgementReport(found, judged)) }
        for line in MailText.risk(found, judged) { try Console.print(line) }
    }

    private func list(_ index: MailIndex, _ judge: MailJudge) async throws {
        let filter = ListingFilter(warning: only.flatMap { .init(rawValue: $0.rawValue) } ?? .any)
        let list = try await index.listing(filter, isByThread: false, limit: limit, offset: offset)
        var reports: [MailJudgementReport] = []
        for entry in list.entries {
            guard let message = try await index.message(entry.id),
                let judged = try await judge.judged(entry.id)
            else { continue }
            reports.append(MailJudgementReport(message, judged))
            if options.json { continue }
            try Console.print(MailText.head(entry.id, entry.date, entry.from, entry.subject))
            try Console.print(MailText.warning(judged))
        }
        if options.json { return try JSONText.print(reports) }
        if list.entries.isEmpty {
            let progress = try await judge.progress()
            try Console.print(
                progress.done < progress.total
                    ? "Nothing so far: \(progress.total - progress.done) messages are not judged yet (breeze mail index)."
                    : "Nothing looks like spam or phishing."
            )
        }
        if list.isMore { try Console.print("There are more: --offset \(offset + list.entries.count)") }
    }
}
