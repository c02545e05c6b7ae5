import ArgumentParser
import BreezeCore
import BreezeSecrets
import Foundation

struct SecretsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secrets",
        abstract: "Keep, list, remove and check the keys of services.",
        discussion: """
            A key comes from the environment or systemd's credentials, else from the system's store (Keychain, \
            Secret Service) where it is unlocked, else from a sealed file. No command shows a key or a part of one.

            Names: huggingface, kaggle, picovoice, openrouter, brave, openai, and custom:NAME for any other.

            Examples:
              breeze secrets set huggingface              asks for it, and shows nothing of what is typed
              pass show kaggle | breeze secrets set kaggle    a pair is two lines: user name, then key
              breeze secrets list
              breeze secrets test huggingface
              breeze secrets remove huggingface
            """,
        subcommands: [Set.self, List.self, Remove.self, Test.self]
    )
}

extension SecretsCommand {
    private struct Change: Encodable {
        let name: String
        let stores: [CredentialSource]
        let notes: [String]

        init(_ change: SecretsService.Change) {
            (name, stores, notes) = (change.name, change.stores, change.notes)
        }
    }

    private static func report(_ change: SecretsService.Change, _ verb: String, json: Bool) throws {
        if json { return try JSONText.print(Change(change)) }
        let places = change.stores.map(\.description).joined(separator: " and ")
        try Console.print("\(verb) \(places.printable).")
        for note in change.notes { Console.printError("note: \(note.printable)") }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Keep a key: typed at a prompt, or piped in.",
            discussion: """
                A key is never taken as an argument. Piped in, it is one line; a pair is two.

                Examples:
                  breeze secrets set huggingface
                  breeze secrets set custom:my-server < key.txt
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The service's name.") var name: String
        @Argument(parsing: .allUnrecognized, help: .hidden) var rest: [String] = []

        func run() async throws {
            // What else there is may be the key itself, so that no message repeats it.
            guard rest.isEmpty else {
                throw ValidationError(
                    "A key is not taken as an argument: the shell would keep it in its history, and every process "
                        + "could see it. Leave it away, and type it at the prompt or pipe it in."
                )
            }
            let secrets = Credentials.service()
            let service = try secrets.services.named(name)
            let texts = try CredentialInput.read(service)
            let change = try await secrets.set(service, to: texts)
            try SecretsCommand.report(change, "The \(service.title) credential is kept in", json: output.json)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the services, and where the key of each comes from.",
            discussion: """
                Example:
                  breeze secrets list --json
                """
        )

        @OptionGroup var output: OutputOptions

        private struct Report: Encodable {
            let secrets: [CredentialStatus]
            let stores: [SecretStoreStatus]
        }

        func run() async throws {
            let secrets = Credentials.service()
            let report = Report(secrets: await secrets.list(), stores: await secrets.stores())
            if output.json { return try JSONText.print(report) }
            var table = Table("NAME", "FROM", "FOR")
            for status in report.secrets {
                table.add(status.name, (status.sources.first?.description ?? "-").printable, status.purpose)
            }
            try table.print()
            try Console.print("")
            for line in report.stores.lines { try Console.print(line.printable) }
            for status in report.secrets {
                for note in status.notes { Console.printError("note: \(note.printable)") }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a key from wherever Breeze keeps it.",
            discussion: """
                What the environment gives is not Breeze's to remove.

                Example:
                  breeze secrets remove huggingface
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The service's name.") var name: String

        func run() async throws {
            let secrets = Credentials.service()
            let service = try secrets.services.named(name)
            let change = try await secrets.remove(service)
            let verb = "The \(service.title) credential was removed from"
            try SecretsCommand.report(change, verb, json: output.json)
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Ask a service whether it takes the key.",
            discussion: """
                Sends the key to its service, and to nobody else; the request costs nothing.

                Example:
                  breeze secrets test huggingface
                """
        )

        @OptionGroup var options: EngineOptions
        @Argument(help: "The service's name.") var name: String

        private struct Report: Encodable {
            let name: String
            let isAccepted = true
            let account: String?
            let source: CredentialSource
        }

        func run() async throws {
            let secrets = Credentials.service()
            let service = try secrets.services.named(name)
            let credential = try await secrets.require(service, ask: CredentialInput.prompt)
            let check = try Credentials.check(flags: options.settings)
            switch try await check(credential) {
            case .accepted(let account):
                if options.json {
                    return try JSONText.print(
                        Report(name: service.name, account: account, source: credential.source)
                    )
                }
                let whose = account.map { " (\($0.printable))" } ?? ""
                let source = credential.source.description.printable
                try Console.print("\(service.title) takes \(source)\(whose).")
            case .refused:
                throw BreezeError.authRequired(
                    service: service.name,
                    "\(service.title) refuses \(credential.source).",
                    remedy: service.remedy
                )
            case .notCheckable(let why):
                throw BreezeError(.unsupported, why, remedy: "Use it: a wrong one is reported then.")
            }
        }
    }
}
