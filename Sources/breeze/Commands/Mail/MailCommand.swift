import ArgumentParser
import BreezeCore
import BreezeEngine
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailJudgement
import BreezeMailSearch
import BreezeMailSigns
import Foundation

struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail",
        abstract: "Index your mail on this device, find it by words and by meaning, and see what it is.",
        discussion: """
            Mail is read where it lies, never sent, and never changed but by breeze mail export with a mark that you \
            name. Everything about it stays on this device, whatever you consented to elsewhere.

            Examples:
              breeze mail index ~/Mail
              breeze mail search "the lighthouse tour that Ada planned"
              breeze mail search --mode words 'from:ada subject:tour date:2026..'
              breeze mail show 412
              breeze mail category                          what is new, by category
              breeze mail spam                              what to beware of, and why
              breeze mail correct 412 --category updates
              breeze mail classify suspicious.eml
            """,
        subcommands: [
            MailIndexCommand.self, MailWatchCommand.self, MailStatusCommand.self, MailListCommand.self,
            MailShowCommand.self, MailSearchCommand.self, MailSimilarCommand.self, MailExportCommand.self,
            MailCategoryCommand.self, MailSpamCommand.self, MailCorrectCommand.self,
            MailPhishingListCommand.self,
            MailClassifyCommand.self, MailEvalCommand.self, MailTrainCommand.self,
        ]
    )
}

/// Where the index lies.
enum MailPlace {
    static func file(_ paths: BreezePaths) -> URL { paths.data.appending(path: "mail/mail.sqlite") }

    /// The owner's list of known phishing domains, where they imported one.
    static func knownPhishing(_ paths: BreezePaths) -> URL {
        paths.data.appending(path: "mail/known-phishing.txt")
    }

    static func open() throws -> MailIndex {
        let paths = BreezePaths(environment: ProcessInfo.processInfo.environment)
        let index = try MailIndex.open(at: file(paths))
        if let notice = index.notice { Console.printError("note: \(notice)".printable) }
        return index
    }

    /// What judges the mail of an index, on this device.
    static func judge(_ index: MailIndex, _ composition: Composition) throws -> MailJudge {
        let list = knownPhishing(composition.paths)
        if FileManager.default.fileExists(atPath: list.path) {
            do { _ = try KnownPhishing(contentsOf: list) } catch let error as BreezeError {
                Console.printError("note: \(error.message) Mail is judged without it.".printable)
            }
        }
        return MailJudge(
            index: index,
            vectors: MailVectors(beside: index),
            embedder: composition.engine,
            reader: MailIndexerProcess(),
            classifier: MailClassifier(heads: try MailHeads.shipped),
            trustedServers: try composition.settings.current().trustedMailServers,
            knownPhishing: list
        )
    }

    /// A message by its number in the index, or by its Message-ID.
    static func find(_ name: String, in index: MailIndex) async throws -> IndexedMessage {
        if let number = Int64(name), let found = try await index.message(number) { return found }
        let id = name.hasPrefix("<") && name.hasSuffix(">") ? String(name.dropFirst().dropLast()) : name
        if let found = try await index.messages(withID: id).first { return found }
        throw BreezeError(
            .notFound,
            "The index has no message \(name.prefix(200)).",
            remedy: "Numbers and ids stand in: breeze mail list"
        )
    }
}

extension EngineSettings {
    /// Mail servers whose Authentication-Results are believed; empty is the topmost one's.
    var trustedMailServers: [String] {
        (tree["mail", "trustedServers"]?.arrayValue ?? []).compactMap(\.stringValue)
    }
}
