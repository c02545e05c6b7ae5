import ArgumentParser
import BreezeAccess
import BreezeCore
import BreezeScheme
import BreezeSchemeStore
import Foundation

struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "See which programs may use the hub, let them in, and put them out.",
        discussion: """
            A program gets in by a key, for the capabilities that you name, on the device alone unless you say otherwise. \
            What changes here counts at once, also for a hub that runs. Apps that ask by breezeapp:// are listed too, with \
            what they wait for.

            Examples:
              breeze apps
              breeze apps add "Notes" --allow chat --allow embedding
              breeze apps approve 3kX9 --allow chat --requests 500 --days 30
              breeze apps revoke 3kX9
              breeze apps answer 7QLM once
            """,
        subcommands: [
            List.self, Add.self, Approve.self, Refuse.self, Revoke.self, Remove.self, Key.self, Answer.self,
        ],
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
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the apps, those that wait included."
        )
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let access = try await AccessFile.open()
            let apps = access.apps()
            let byURL = try SchemeApps()
            let (paired, questions) = (try byURL.all(), try byURL.questions())
            if output.json {
                return try JSONText.print(
                    Report(
                        apps: apps,
                        paired: paired.map(ShownSchemeApp.init),
                        questions: questions.map(ShownQuestion.init)
                    )
                )
            }
            if apps.isEmpty, paired.isEmpty, questions.isEmpty {
                return try Console.print(
                    "No app has asked. Let one in with: breeze apps add NAME --allow chat"
                )
            }
            if !apps.isEmpty { try print(apps, access) }
            if !paired.isEmpty { try print(paired) }
            for question in questions { try print(question) }
        }

        private struct Report: Encodable {
            let apps: [App]
            /// Those that ask by URL.
            let paired: [ShownSchemeApp]
            /// Those of them that wait for an answer.
            let questions: [ShownQuestion]
        }

        private func print(_ paired: [SchemeApp]) throws {
            var table = Table("ASKS BY URL", "NAME", "STATE", "MAY", "ANSWERS GO TO")
            for app in paired {
                table.add(
                    app.id.text,
                    app.name.printable,
                    app.isOver ? "revoked" : "paired",
                    SchemeApp.words(app.granted),
                    "\(app.callback.name)://"
                )
            }
            try table.print()
        }

        private func print(_ standing: SchemeStore.StandingQuestion) throws {
            let words = standing.question.answers.map(\.word) + ["refuse"]
            try Console.print("\nQuestion \(standing.id) waits for you:")
            for line in standing.question.lines { try Console.print("  \(line)") }
            try Console.print("  breeze apps answer \(standing.id) \(words.joined(separator: "|"))")
        }

        private func print(_ apps: [App], _ access: AccessControl) throws {
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
            commandName: "add",
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
            commandName: "approve",
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
        static let configuration = CommandConfiguration(
            commandName: "refuse",
            abstract: "Refuse an app that waits."
        )
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
            commandName: "revoke",
            abstract: "Take back what an app may do; what runs for it ends."
        )
        @OptionGroup var output: OutputOptions
        @Argument(help: "Its id, or its name; of one that asks by URL its id or its callback.") var id: String

        func run() async throws {
            let byURL = try SchemeApps()
            if let app = try byURL.find(id) {
                try byURL.revoke(app)
                if output.json { return try JSONText.print(["revoked": app.id.text]) }
                return try Console.print("\(app.name.printable) may not ask by URL any more.")
            }
            let access = try await AccessFile.open()
            let app = try await access.revoke(try AppsCommand.find(id, access).id)
            if output.json { return try JSONText.print(app) }
            try Console.print("\(app.name.printable) may not use the hub any more.")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Forget an app and its keys; what it did stays in the audit log."
        )
        @OptionGroup var output: OutputOptions
        @Argument(help: "Its id, or its name; of one that asks by URL its id or its callback.") var id: String

        func run() async throws {
            let byURL = try SchemeApps()
            if let app = try byURL.find(id) {
                try byURL.remove(app)
                if output.json { return try JSONText.print(["removed": app.id.text]) }
                return try Console.print("\(app.name.printable) is forgotten.")
            }
            let access = try await AccessFile.open()
            let app = try AppsCommand.find(id, access)
            try await access.remove(app.id)
            if output.json { return try JSONText.print(["removed": app.id]) }
            try Console.print("\(app.name.printable) is forgotten.")
        }
    }

    struct Answer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "answer",
            abstract: "Answer an app that asked by URL.",
            discussion: """
                A request may run this once, or the app may be paired, which has it show a code that is to be \
                compared. What nobody answers within two minutes is refused.

                Examples:
                  breeze apps                       what waits
                  breeze apps answer 7QLM once
                  breeze apps answer 7QLM pair
                  breeze apps answer 7QLM refuse
                """
        )
        @OptionGroup var output: OutputOptions
        @Argument(help: "The question's id, or the beginning of it.") var id: String
        @Argument(help: "once, pair or refuse.") var answer: String

        func run() async throws {
            try SchemeApps().answer(id, answer)
            if output.json { return try JSONText.print(["answered": answer]) }
            try Console.print("Answered.")
        }
    }

    struct Key: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "key",
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
