import ArgumentParser
import BreezeAccess
import BreezeCore
import Foundation

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "See what was asked of the hub: who, when, what for, and how it went. Never the texts.",
        discussion: """
            Examples:
              breeze audit
              breeze audit --app Notes --limit 1000 --json
              breeze audit --since 2026-01-31T00:00:00Z
            """
    )

    @OptionGroup var output: OutputOptions
    @Option(help: "Only this app, by id or name.") var app: String?
    @Option(help: ArgumentHelp("From this time on.", valueName: "ISO 8601")) var since: String?
    @Option(help: ArgumentHelp("Before this time.", valueName: "ISO 8601")) var until: String?
    @Option(help: "At most so many, the newest first.") var limit = 50
    @Option(help: ArgumentHelp("Where the page before ended: its \"next\".", valueName: "cursor"))
    var before: String?

    func run() async throws {
        let access = try await AccessFile.open()
        let page = try await access.audit(
            since: try since.map { try Self.date($0, "--since") },
            until: try until.map { try Self.date($0, "--until") },
            app: try app.map { try AppsCommand.find($0, access).id },
            limit: limit,
            before: try before.map { text in
                guard let cursor = AuditPage.Cursor(text) else {
                    throw ValidationError("--before takes the \"next\" of a page.")
                }
                return cursor
            }
        )
        if output.json { return try Console.print(String(decoding: try page.json(), as: UTF8.self)) }
        guard !page.entries.isEmpty else { return try Console.print("Nothing was asked of the hub.") }
        let names = Dictionary(access.apps().map { ($0.id, $0.name) }) { first, _ in first }
        var table = Table("TIME", "WHO", "WHAT", "RUNNER", "OUTCOME", "TOKENS", "SECONDS")
        for entry in page.entries {
            table.add(
                entry.time.formatted(.iso8601),
                (entry.app.map { names[$0] ?? $0 } ?? entry.who).printable,
                (entry.capability ?? entry.action).printable,
                (entry.runner ?? "").printable,
                (entry.error ?? entry.outcome).printable + (entry.count > 1 ? " ×\(entry.count)" : ""),
                "\(entry.tokensIn) + \(entry.tokensOut)",
                entry.totalSeconds.formatted(.number.precision(.fractionLength(3)))
            )
        }
        try table.print()
        if let next = page.next { Console.printError("More: --before \(next)") }
    }

    private static func date(_ text: String, _ option: String) throws -> Date {
        guard let date = try? Date(text, strategy: .iso8601) else {
            throw ValidationError("\(option) takes a time such as 2026-01-31T00:00:00Z.")
        }
        return date
    }
}
