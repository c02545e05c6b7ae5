import ArgumentParser
import BreezeCore
import BreezeMailIndex
import BreezeMailSigns
import Foundation

struct MailPhishingListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phishing-list",
        abstract:
            "A list of known phishing domains that you bring: messages that link to one are called out.",
        discussion: """
            Breeze comes without a list and fetches none. Bring one in any usual form: a host or a URL a line, a hosts \
            file, filter rules (||host^), CSV. Mail is judged by it from the next breeze mail index on.

            Examples:
              breeze mail phishing-list import feed.txt --source "feed of the bank"
              breeze mail phishing-list                  which list it is, and of what day
              breeze mail phishing-list check login.example.com
              breeze mail phishing-list remove
            """,
        subcommands: [Show.self, Import.self, Check.self, Remove.self],
        defaultSubcommand: Show.self
    )

    private static var file: URL {
        MailPlace.knownPhishing(BreezePaths(environment: ProcessInfo.processInfo.environment))
    }

    /// `nil` where none was imported.
    private static func opened() throws -> KnownPhishing? {
        FileManager.default.fileExists(atPath: file.path) ? try KnownPhishing(contentsOf: file) : nil
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say which list there is.")
        @OptionGroup var output: OutputOptions

        func run() async throws {
            struct Report: Encodable {
                let imported: String
                let source: String
                let count: Int
            }
            let list = try MailPhishingListCommand.opened()
            if output.json {
                return try JSONText.print(
                    list.map { Report(imported: $0.imported, source: $0.source, count: $0.count) }
                )
            }
            guard let list else {
                return try Console.print("No list was imported: breeze mail phishing-list import FILE")
            }
            try Console.print(
                "\(Quantity.count(list.count, "domain")) of \(list.source), imported on \(list.imported)."
                    .printable
            )
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take in a list in place of the one that there is."
        )
        @OptionGroup var output: OutputOptions
        @Option(help: "What to call it; its file's name by default.") var source: String?
        @Argument(help: "The list, as it was published.", completion: .file()) var list: String

        func run() async throws {
            struct Report: Encodable {
                let count: Int
                let ignored: Int
            }
            guard FileManager.default.fileExists(atPath: list) else {
                throw BreezeError(
                    .inputOutput,
                    "There is nothing at \(list).",
                    remedy: "Name a list of domains."
                )
            }
            let file = MailPhishingListCommand.file
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true,
                // The index lies there, too, and nothing else may.
                attributes: [.posixPermissions: 0o700]
            )
            let order = DomainListOrder(
                list: URL(filePath: list).path,
                file: file.path,
                source: source ?? URL(filePath: list).lastPathComponent,
                day: Date().formatted(.iso8601.year().month().day())
            )
            let counts = try await MailIndexerProcess().takeIn(order)
            if output.json { return try JSONText.print(Report(count: counts.count, ignored: counts.ignored)) }
            let left = counts.ignored > 0 ? ", \(counts.ignored) lines left out" : ""
            try Console.print("Took in \(Quantity.count(counts.count, "domain"))\(left).")
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Say whether a host is on it.")
        @OptionGroup var output: OutputOptions
        @Argument(help: "A host: login.example.com") var host: String

        func run() async throws {
            struct Report: Encodable {
                let host: String
                let entry: String?
            }
            let entry = try MailPhishingListCommand.opened()?.entry(for: host.lowercased())
            if output.json { return try JSONText.print(Report(host: host, entry: entry)) }
            try Console.print((entry.map { "On the list, as \($0)." } ?? "Not on the list.").printable)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Have no list any more.")

        func run() async throws {
            guard FileManager.default.fileExists(atPath: MailPhishingListCommand.file.path) else { return }
            try FileManager.default.removeItem(at: MailPhishingListCommand.file)
        }
    }
}
