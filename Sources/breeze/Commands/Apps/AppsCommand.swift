import ArgumentParser
import BreezeAccess
import BreezeCore
import Foundation

struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "See which programs may use the hub, let them in, and put them out.",
        discussion: """
            A program gets in by a key, for the capabilities that you name, on the device alone unless you say otherwise. \
            What changes here counts at once, also for a hub that runs.

            Examples:
              breeze apps
              breeze apps add "Notes" --allow chat --allow embedding
              breeze apps approve 3kX9 --allow chat --requests 500 --days 30
              breeze apps revoke 3kX9
            """,
        subcommands: [List.self, Add.self, Approve.self, Refuse.self, Revoke.self, Remove.self, Key.self],
        defaultSubcommand: List.self
    )

    /// An app by its id, or the beginning of one.
    static func find(_ id: String, _ access: AccessControl) throws -> App {
        let found = access.apps().filter { $0.id == id || $0.id.hasPrefix(id) || $0.name == id }
        guard found.count <= 1 else {
            throw BreezeError(
                .invalidRequest,
                "\(found.count) apps are meant by \(id).",
                remedy: "Give the whole id: \(found.map(\.id).joined(separator: ", "))"
            )
        }
        if let only = found.first { return only }
        return try access.app(id)
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the apps, those that wait included.")
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let access = try await AccessFile.open()
            let apps = access.apps()
            if output.json { return try JSONText.print(["apps": apps]) }
            guard !apps.isEmpty else {
                return try Console.print(
                    "No app has asked. Let one in with: breeze apps add NAME --allow chat"
                )
            }
            var table = Table("ID", "NAME", "STATE", "MAY", "TODAY", "LAST USED")
            for app in apps {
                let use = access.gate.useToday(of: app.id)
                let limit = app.quota.requests.map { " of \($0)" } ?? ""
                table.add(
                    app.id,
                    app.name.printable,
                    app.state.rawValue,
                    (app.state == .waiting ? app.asked : app.granted).words,
                    "\(use.requests)\(limit)",
                    app.lastUsed.map { $0.formatted(.iso8601) } ?? "never"
                )
            }
            try table.print()
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a program in, and print its key, once."
        )
        @OptionGroup var output: OutputOptions
        @OptionGroup var terms: AppTerms
        @Argument(help: "What you call the program.") var name: String

        func run() async throws {
            let access = try await AccessFile.open()
            let approval = try terms.approval(default: AppScopes([.chat: .onDevice, .embedding: .onDevice]))
            let (app, key) = try await access.register(
                AppRequest(name: name, asked: approval.scopes),
                approval: approval
            )
            if output.json { return try JSONText.print(["id": app.id, "key": key.reveal()]) }
            try Console.print(key.reveal())
            Console.printError("\(app.name.printable) (\(app.id)) may use: \(app.granted.words).")
            Console.printError("The key is shown this once. A program takes it as its API key.")
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Allow an app exactly this, whatever it was allowed before.",
            discussion: "Without --allow it gets what it asked for, on the device alone."
        )
        @OptionGroup var output: OutputOptions
        @OptionGroup var terms: AppTerms
        @Argument(help: "Its id, or its name.") var id: String

        func run() async throws {
            let access = try await AccessFile.open()
            let app = try AppsCommand.find(id, access)
            let asked = AppScopes(app.asked.capabilities.mapValues { _ in .onDevice })
            let approved = try await access.approve(app.id, try terms.approval(default: asked))
            if output.json { return try JSONText.print(approved) }
            try Console.print("\(approved.name.printable) may use: \(approved.granted.words).")
        }
    }

    struct Refuse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Refuse an app that waits.")
        @OptionGroup var output: OutputOptions
        @Argument(help: "Its id, or its name.") var id: String

        func run() async throws {
            let access = try await AccessFile.open()
            let app = try await access.refuse(try AppsCommand.find(id, access).id)
            if output.json { return try JSONText.print(app) }
            try Console.print("\(app.name.printable) is refused.")
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take back what an app may do; what runs for it ends."
        )
        @OptionGroup var output: OutputOptions
        @Argument(help: "Its id, or its name.") var id: String

        func run() async throws {
            let access = try await AccessFile.open()
            let app = try await access.revoke(try AppsCommand.find(id, access).id)
            if output.json { return try JSONText.print(app) }
            try Console.print("\(app.name.printable) may not use the hub any more.")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget an app and its keys; what it did stays in the audit log."
        )
        @OptionGroup var output: OutputOptions
        @Argument(help: "Its id, or its name.") var id: String

        func run() async throws {
            let access = try await AccessFile.open()
            let app = try AppsCommand.find(id, access)
            try await access.remove(app.id)
            if output.json { return try JSONText.print(["removed": app.id]) }
            try Console.print("\(app.name.printable) is forgotten.")
        }
    }

    struct Key: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an app one more key, or put a new one in an old one's place.",
            discussion: """
                Examples:
                  breeze apps key Notes
                  breeze apps key Notes --replace KEY-ID
                """
        )
        @OptionGroup var output: OutputOptions
        @Option(help: ArgumentHelp("The key whose place it takes.", valueName: "key-id")) var replace: String?
        @Option(help: "What you call it.") var label = "another"
        @Argument(help: "The app's id, or its name.") var id: String

        func run() async throws {
            let access = try await AccessFile.open()
            let app = try AppsCommand.find(id, access)
            let key: IssuedKey
            if let replace {
                key = try await access.rotateKey(replace)
            } else {
                key = try await access.makeKey(for: app.id, label: label)
            }
            if output.json { return try JSONText.print(["id": key.key.id, "key": key.reveal()]) }
            try Console.print(key.reveal())
            Console.printError("The key is shown this once.")
        }
    }
}
