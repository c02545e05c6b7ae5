import ArgumentParser
import BreezeCore
import BreezeMailIndex
import Foundation

struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail",
        abstract: "Index your mail on this device, and find it by words and by meaning.",
        discussion: """
            Mail is read where it lies, never sent, and never changed but by breeze mail export with a mark that you \
            name. Everything about it stays on this device, whatever you consented to elsewhere.

            Examples:
              breeze mail index ~/Mail
              breeze mail search "the lighthouse tour that Ada planned"
              breeze mail search --mode words 'from:ada subject:tour date:2026..'
              breeze mail show 412
              breeze mail classify suspicious.eml
            """,
        subcommands: [
            MailIndexCommand.self, MailWatchCommand.self, MailStatusCommand.self, MailListCommand.self,
            MailShowCommand.self, MailSearchCommand.self, MailSimilarCommand.self, MailExportCommand.self,
            MailClassifyCommand.self, MailTrainCommand.self,
        ]
    )
}

/// Where the index lies.
enum MailPlace {
    static func file(_ paths: BreezePaths) -> URL { paths.data.appending(path: "mail/mail.sqlite") }

    static func open() throws -> MailIndex {
        let paths = BreezePaths(environment: ProcessInfo.processInfo.environment)
        let index = try MailIndex.open(at: file(paths))
        if let notice = index.notice { Console.printError("note: \(notice)".printable) }
        return index
    }

    /// A message by its number in the index, or by its Message-ID.
    static func find(_ name: String, in index: MailIndex) async throws -> IndexedMessage {
        if let number = Int64(name), let found = try await index.message(number) { return found }
        let id = name.hasPrefix("<") && name.hasSuffix(">") ? String(name.dropFirst().dropLast()) : name
        if let found = try await index.messages(withID: id).first { return found }
        throw BreezeError(
            BreezeError.Code(rawValue: "not_found"),
            "The index has no message \(name.prefix(200)).",
            remedy: "Numbers and ids stand in: breeze mail list"
        )
    }
}
