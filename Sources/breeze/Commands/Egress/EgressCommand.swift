import ArgumentParser
import BreezeAccess
import BreezeCore
import BreezeEngine
import BreezeTransport
import Foundation

struct EgressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "egress",
        abstract: "See what left this device, and forbid that anything does.",
        discussion: """
            Every connection to another computer is written down before it is made: where to, what for, for whom, how \
            many bytes. Paths, questions and answers are not.

            Examples:
              breeze egress
              breeze egress --limit 1000 --json
              breeze egress forbid
              breeze egress allow
            """,
        subcommands: [List.self, Forbid.self, Allow.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the connections, the newest first.",
            discussion: """
                "refused" was never made, since privacy.offline was set; "stopped" was under way when it was set; \
                "open" is under way, or its program ended before it was over.

                Examples:
                  breeze egress list
                  breeze egress list --limit 200 --json
                """
        )

        @OptionGroup var output: OutputOptions
        @Option(help: "At most so many.") var limit = 50
        @Option(help: ArgumentHelp("Where the page before ended: its \"next\".", valueName: "cursor"))
        var before: String?

        private struct Report: Encodable {
            let forbidden: Bool
            let entries: [EgressEntry]
            let next: EgressPage.Cursor?
        }

        func validate() throws {
            guard (1...1_000).contains(limit) else { throw ValidationError("--limit takes 1 to 1000.") }
        }

        func run() async throws {
            let cursor = try before.map { text in
                guard let cursor = EgressPage.Cursor(text) else {
                    throw ValidationError("--before takes the \"next\" of a page.")
                }
                return cursor
            }
            let ledger = OutgoingTransport.ledger(environment: ProcessInfo.processInfo.environment)
            let page = try await ledger.page(limit: limit, before: cursor)
            let isForbidden = try settingsStore().current().isOffline
            if output.json {
                return try JSONText.print(
                    Report(forbidden: isForbidden, entries: page.entries, next: page.next)
                )
            }
            try await print(page)
            if isForbidden {
                Console.printError("Nothing may leave this device now. To change that: breeze egress allow")
            }
            if let next = page.next { Console.printError("More: --before \(next)") }
        }

        private func print(_ page: EgressPage) async throws {
            guard !page.entries.isEmpty else { return try Console.print("Nothing left this device.") }
            let names = try await Self.names(of: page.entries)
            var table = Table("TIME", "WHERE", "WHY", "FOR", "UP", "DOWN", "OUTCOME")
            for entry in page.entries {
                let client = entry.client?.app.map { names[$0] ?? $0 } ?? entry.client?.rawValue
                table.add(
                    entry.time.formatted(.iso8601),
                    "\(entry.host):\(entry.port)".printable
                        + (entry.proxy.map { " through \($0.printable)" } ?? ""),
                    entry.purpose.rawValue.replacing("_", with: " ").printable,
                    (client ?? "").printable,
                    Quantity.bytes(entry.bytesUp),
                    Quantity.bytes(entry.bytesDown),
                    entry.outcome.rawValue + (entry.status.map { " (\($0))" } ?? "")
                )
            }
            try table.print()
        }

        /// Of the apps by id; their file is left alone where no entry is an app's.
        private static func names(of entries: [EgressEntry]) async throws -> [String: String] {
            guard entries.contains(where: { $0.client?.app != nil }) else { return [:] }
            let apps = try await AccessFile.open().apps()
            return Dictionary(apps.map { ($0.id, $0.name) }) { first, _ in first }
        }
    }

    struct Forbid: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forbid",
            abstract: "Let nothing leave this device.",
            discussion: """
                Counts at once for every Breeze of yours, a hub that runs included: what is under way ends within a \
                second, and what comes then is refused and written down. Models of this device answer as before. It \
                is the setting privacy.offline.

                Example:
                  breeze egress forbid
                """
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            try EgressCommand.set(
                forbidden: true,
                json: output.json,
                saying: """
                    Nothing leaves this device from now on: no download, no search, no answer of a network service. \
                    What was under way ends within a second; models of this device answer as before.
                    Take it back with: breeze egress allow
                    """
            )
        }
    }

    struct Allow: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Let connections be made again.",
            discussion: """
                Takes privacy.offline out of the settings. Network services still need a consent of yours each.

                Example:
                  breeze egress allow
                """
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            try EgressCommand.set(
                forbidden: false,
                json: output.json,
                saying: """
                    Connections are allowed again: the downloads and searches that are asked for, and the network \
                    services that you consented to.
                    See each of them with: breeze egress
                    """
            )
        }
    }

    private static func set(forbidden: Bool, json: Bool, saying words: String) throws {
        let store = settingsStore()
        try store.write(setting, text: forbidden ? "true" : nil)
        let settings = try store.current()
        guard settings.isOffline == forbidden else {
            let origin = settings.tree.entries.first { $0.name == setting }?.origin.description
            throw BreezeError(
                .invalidSetting,
                "The settings file has it, but here \(setting) comes from the \(origin ?? "environment").",
                remedy: "Unset that variable, wherever Breeze runs."
            )
        }
        if json { return try JSONText.print(["forbidden": forbidden]) }
        try Console.print(words)
    }

    private static let setting = "privacy.offline"
}
