import ArgumentParser
import BreezeCore
import BreezeMail
import BreezeMailIndex
import BreezeMailSearch
import BreezeMailTags
import Foundation

struct MailExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print what the index has of messages, or mark these for other mail programs.",
        discussion: """
            Without an option: a line of JSON each, with their texts. --tag-notmuch tags them in notmuch's database; \
            --keyword adds a keyword to the names of their files, as Dovecot keeps them, and nothing else of them changes.

            Examples:
              breeze mail export > mail.jsonl
              breeze mail export 'from:ada date:2026' | jq -r .subject
              breeze mail export --tag-notmuch harbour 'lighthouse or harbour'
              breeze mail export --keyword later --dry-run is:unread
            """
    )
    @OptionGroup var options: EngineOptions
    @Option(help: ArgumentHelp("Tag what is found, in notmuch.", valueName: "tag")) var tagNotmuch: String?
    @Option(help: ArgumentHelp("Add a keyword in their Maildirs.", valueName: "name")) var keyword: String?
    @Flag(help: "Say which messages would be marked, and mark none.") var dryRun = false
    @Argument(help: "Only messages that this finds, by words.") var query: [String] = []

    private var marks: Bool { tagNotmuch != nil || keyword != nil }

    func validate() throws {
        guard !marks || !query.isEmpty else {
            throw ValidationError("Say which messages to mark: breeze mail export --keyword later is:unread")
        }
        guard marks || !dryRun else {
            throw ValidationError("--dry-run goes with --tag-notmuch or --keyword.")
        }
    }

    func run() async throws {
        let tag = try tagNotmuch.map(NotmuchTag.init)
        let keyword = try keyword.map(MaildirKeyword.init)
        let index = try MailPlace.open()
        guard marks else {
            return try await MailMessages(index, query).forEach { message in
                let text = try await index.text(of: message.id) ?? ""
                try Console.print(JSONText.line(ExportedMessage(message: message, text: text)))
            }
        }
        var messages: [IndexedMessage] = []
        try await MailMessages(index, query).forEach { messages.append($0) }
        if dryRun {
            for message in messages {
                try Console.print(MailText.head(message.id, message.date, message.from, message.subject))
            }
            return
        }
        try tag?.add(to: messages.map(\.messageID))
        let report = try Report(messages: messages.count, marked: mark(messages, keyword))
        if options.json { return try JSONText.print(report) }
        try Console.print(report.sentence)
    }

    /// - Returns: How many files have the keyword now; `nil` without a keyword.
    private func mark(_ messages: [IndexedMessage], _ keyword: MaildirKeyword?) throws -> Int? {
        guard let keyword else { return nil }
        var marked = 0
        for place in messages.flatMap(\.places) where place.start == nil && place.path != "-" {
            try Task.checkCancellation()
            do {
                _ = try keyword.mark(URL(filePath: place.path))
                marked += 1
            } catch let error as BreezeError where error.code != .cancelled {
                // One that somebody moved keeps nobody else from being marked.
                Console.printError("note: \(error.message)".printable)
            }
        }
        return marked
    }

    private struct Report: Encodable {
        let messages: Int
        let marked: Int?

        var sentence: String {
            let files = marked.map { "; \(Quantity.count($0, "file")) with the keyword" } ?? ""
            return "\(Quantity.count(messages, "message"))\(files)."
        }
    }
}

/// The messages of an index, or those that a query finds by words.
struct MailMessages {
    private let index: MailIndex
    private let query: MailQuery?

    /// Messages that are read at once.
    private static let page = 500

    /// - Throws: ``BreezeError`` for a query that is none.
    init(_ index: MailIndex, _ words: [String]) throws {
        self.index = index
        query =
            words.isEmpty
            ? nil
            : try MailQuery(words.joined(separator: " "), clock: QueryClock(now: Date(), timeZone: .current))
    }

    func forEach(_ body: (IndexedMessage) async throws -> Void) async throws {
        let search = MailSearch(index: index, vectors: MailVectors(beside: index), embedder: nil)
        var (offset, isCut) = (0, false)
        while true {
            let messages: [IndexedMessage]
            if let query {
                let options = SearchOptions(mode: .words, limit: Self.page, offset: offset)
                let results = try await search.search(query, options)
                isCut = isCut || results.notices.contains { $0.kind == .common }
                var found: [IndexedMessage] = []
                for hit in results.hits {
                    if let message = try await index.message(hit.message) { found.append(message) }
                }
                messages = found
                offset += results.hits.count
                if results.hits.isEmpty { break }
            } else {
                messages = try await index.list(limit: Self.page, offset: offset)
                offset += messages.count
                if messages.isEmpty { break }
            }
            for message in messages {
                try Task.checkCancellation()
                try await body(message)
            }
        }
        if isCut {
            Console.printError(
                "note: More messages have these words than are ranked; say it more narrowly for all."
            )
        }
    }
}
