import ArgumentParser
import BreezeCore
import BreezeMail
import BreezeMailIndex
import BreezeMailSearch
import Foundation

struct MailSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find mail by words, by meaning, or by both.",
        discussion: """
            Plain language, and the fields from: to: subject: date: has: in: is: list: category: thread: attachment:, \
            "phrases" and -words that are not wanted; notmuch's prefixes are understood, too.

            Examples:
              breeze mail search "who was it that wanted to see the lighthouse?"
              breeze mail search 'from:ada date:last-month has:attachment'
              breeze mail search --mode words --threads lighthouse
              breeze mail search --json --mode meaning "boat trip" | jq -r '.[].path'
            """
    )

    @OptionGroup var options: EngineOptions
    @OptionGroup var showing: MailShowing
    @Option(
        help: "words, meaning or both.",
        transform: { text in
            guard let mode = SearchMode(rawValue: text) else {
                throw ValidationError("--mode takes words, meaning or both, not \"\(text)\".")
            }
            return mode
        }
    )
    var mode = SearchMode.both
    @Argument(help: "What to find.") var query: [String]

    func run() async throws {
        let index = try MailPlace.open()
        let query = try MailQuery(
            query.joined(separator: " "),
            clock: QueryClock(now: Date(), timeZone: .current)
        )
        let results = try await showing.search(index, options).search(query, showing.options(mode: mode))
        try showing.print(results, json: options.json)
    }
}

struct MailSimilarCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "similar",
        abstract: "Find mail that is about the same as a message.",
        discussion: """
            Examples:
              breeze mail similar 412
              breeze mail similar '<20261102.7@example.org>' --threads
            """
    )

    @OptionGroup var options: EngineOptions
    @OptionGroup var showing: MailShowing
    @Argument(help: "The message: its number in the index, or its Message-ID.") var message: String

    func run() async throws {
        let index = try MailPlace.open()
        let message = try await MailPlace.find(message, in: index)
        let search = try await showing.search(index, options)
        try showing.print(
            try await search.similar(to: message.id, showing.options(mode: .meaning)),
            json: options.json
        )
    }
}

/// How hits are chosen and shown.
struct MailShowing: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, sexp }

    @Option(help: "Hits at most.") var limit = 20
    @Option(help: "Hits that are passed over: the page before.") var offset = 0
    @Flag(help: "One hit a thread, its best message.") var threads = false
    @Flag(help: "Say how the hits were found.") var explain = false
    @Option(help: "text, json or sexp.") var format: Format?

    func options(mode: SearchMode) -> SearchOptions {
        SearchOptions(
            mode: mode,
            limit: limit,
            offset: offset,
            grouping: threads ? .threads : .messages,
            isExplained: explain
        )
    }

    func search(_ index: MailIndex, _ options: EngineOptions) async throws -> MailSearch {
        MailSearch(
            index: index,
            vectors: MailVectors(beside: index),
            embedder: try await Composition(options).engine
        )
    }

    func print(_ results: SearchResults, json: Bool) throws {
        // They are for a person; a script reads the hits alone.
        for notice in results.notices { Console.printError("note: \(notice.message)".printable) }
        switch format ?? (json ? .json : .text) {
        case .json: try JSONText.print(results.hits.map(MailHitReport.init))
        case .sexp: try Console.print(MailHitReport.sexp(results.hits))
        case .text: for line in MailText.lines(results, from: offset) { try Console.print(line) }
        }
        if explain, let explanation = results.explanation {
            for line in MailText.lines(explanation) { Console.printError(line) }
        }
    }
}

extension MailHitReport {
    /// As mu prints them: a list of property lists.
    static func sexp(_ hits: [SearchHit]) -> String {
        func quoted(_ text: String) -> String {
            "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        }
        let lists = hits.map { hit in
            let report = MailHitReport(hit)
            let date = report.date.map { " :date \(quoted($0))" } ?? ""
            return
                "(:message-id \(quoted(report.messageID)) :path \(quoted(report.path)) :score \(report.score)"
                + " :subject \(quoted(report.subject)) :from \(quoted(report.from))\(date))"
        }
        return "(\(lists.joined(separator: "\n ")))"
    }
}
