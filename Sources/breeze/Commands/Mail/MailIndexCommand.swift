import ArgumentParser
import BreezeCore
import BreezeMailIndex
import Foundation

struct MailIndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Bring the index up to what lies in mailboxes, new ones or those that it knows.",
        discussion: """
            A Maildir, an mbox file, a file of one message, a folder of any of these, or - for one message on standard \
            input. Ctrl-C loses nothing: the next call goes on. After the words come the meanings, for which an encoder \
            is needed, and with them every message's category and whether it is spam or phishing.

            Examples:
              breeze mail index ~/Mail archive.mbox
              breeze mail index                          what it knows, again
              breeze mail index --words                  without meanings, for now
            """
    )

    @OptionGroup var options: EngineOptions
    @Flag(help: "Words alone: meanings and verdicts wait for the next call without.") var words = false
    @Argument(help: "Mailboxes; without any, all that were ever given.", completion: .file())
    var paths: [String] = []

    func run() async throws {
        let index = try MailPlace.open()
        let run = MailIndexing(index: index, options: options)
        let counts = try await run.read(try await roots(in: index))
        let outcome = words ? nil : try await run.process()
        let status = try await index.status()
        if options.json {
            return try JSONText.print(MailIndexing.Report(counts, messages: status.messages, outcome))
        }
        try Console.print(MailIndexing.sentence(counts, messages: status.messages))
    }

    private func roots(in index: MailIndex) async throws -> [MailRoot] {
        guard !paths.isEmpty else {
            let known = try await index.status().roots
            guard !known.isEmpty else {
                throw ValidationError("Name a mailbox: breeze mail index ~/Mail")
            }
            return known.map { .path(URL(filePath: $0)) }
        }
        return try paths.map { path in
            if path == "-" { return .message([UInt8](try StandardInput.read(limit: 128 << 20))) }
            guard FileManager.default.fileExists(atPath: path) else {
                throw BreezeError(
                    .inputOutput,
                    "There is nothing at \(path).",
                    remedy: "Name a Maildir, an mbox file, a message or a folder of these."
                )
            }
            return .path(URL(filePath: path))
        }
    }
}

struct MailWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Keep the index up to date until Ctrl-C.",
        discussion: """
            Looks at the mailboxes that the index knows, and says a line where something changed.

            Examples:
              breeze mail watch
              breeze mail watch --every 300 --json
            """
    )

    @OptionGroup var options: EngineOptions
    @Option(help: ArgumentHelp("Seconds between two looks.", valueName: "seconds")) var every = 30.0

    func validate() throws {
        guard every >= 1, every <= 86_400 else { throw ValidationError("--every takes 1 to 86400 seconds.") }
    }

    func run() async throws {
        let index = try MailPlace.open()
        let run = MailIndexing(index: index, options: options)
        while true {
            let status = try await index.status()
            guard !status.roots.isEmpty else {
                throw BreezeError(
                    .invalidRequest,
                    "The index knows no mailbox.",
                    remedy: "Name one first: breeze mail index ~/Mail"
                )
            }
            let counts = try await run.read(status.roots.map { .path(URL(filePath: $0)) })
            if counts.hasChanges {
                let outcome = try await run.process()
                let messages = try await index.status().messages
                if options.json {
                    try Console.print(
                        JSONText.line(MailIndexing.Report(counts, messages: messages, outcome))
                    )
                } else {
                    try Console.print(MailIndexing.sentence(counts, messages: messages))
                }
            }
            try await Task.sleep(for: .seconds(every))
        }
    }
}

extension IndexProgress {
    fileprivate var hasChanges: Bool { new + changed + moved + copies + deleted > 0 }
}
