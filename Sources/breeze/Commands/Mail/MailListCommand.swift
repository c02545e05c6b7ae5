import ArgumentParser
import BreezeCore
import BreezeMail
import BreezeMailIndex
import BreezeMailSearch
import Foundation

struct MailStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "What the index holds, and of which mailboxes."
    )
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let status = try await MailPlace.open().status()
        if output.json { return try JSONText.print(status) }
        try Console.print(
            "\(status.messages) messages in \(status.threads) threads, \(status.places) copies; "
                + "the index takes \(Quantity.bytes(Int64(status.bytes)))."
        )
        for root in status.roots { try Console.print("mailbox  \(root.printable)") }
        for (folder, count) in status.folders.sorted(by: { $0.key < $1.key }) {
            try Console.print("folder   \(folder.isEmpty ? "(top)" : folder.printable)  \(count)")
        }
        if status.roots.isEmpty { try Console.print("Name a mailbox: breeze mail index ~/Mail") }
    }
}

struct MailListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List messages, the newest first.",
        discussion: """
            Examples:
              breeze mail list
              breeze mail list --folder Lists/Charts --limit 50 --offset 50
            """
    )
    @OptionGroup var output: OutputOptions
    @Option(help: "Of this folder alone, as breeze mail status names it.") var folder: String?
    @Option(help: "Messages at most.") var limit = 30
    @Option(help: "Messages that are passed over.") var offset = 0

    func validate() throws {
        guard (0...100_000).contains(limit), offset >= 0 else {
            throw ValidationError("--limit takes 0 to 100000, and --offset 0 or more.")
        }
    }

    func run() async throws {
        let messages = try await MailPlace.open().list(folder: folder, limit: limit, offset: offset)
        if output.json { return try JSONText.print(messages) }
        for message in messages {
            try Console.print(MailText.head(message.id, message.date, message.from, message.subject))
        }
        if messages.isEmpty { try Console.print("No messages.") }
    }
}

struct MailShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a message as the index has it: headers, text, attachments by name.",
        discussion: """
            Examples:
              breeze mail show 412
              breeze mail show '<20261102.7@example.org>' --json
            """
    )
    @OptionGroup var output: OutputOptions
    @Argument(help: "Its number in the index, or its Message-ID.") var message: String

    func run() async throws {
        let index = try MailPlace.open()
        let found = try await MailPlace.find(message, in: index)
        let text = try await index.text(of: found.id) ?? ""
        if output.json { return try JSONText.print(ExportedMessage(message: found, text: text)) }
        for line in MailText.lines(found, text: text) { try Console.print(line) }
    }
}
