#if Hub
package import BreezeCore
import BreezeMail
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailJudgement
import BreezeMailSearch
import BreezeWire
package import Foundation
import Synchronization

/// The owner's mail: its index, and what searches it.
///
/// The file is opened when somebody asks for mail: most hubs have none, and vectors are in nobody's memory before the
/// first search that needs them.
package final class MailDesk: Sendable {
    struct Opened: Sendable {
        let index: MailIndex
        let vectors: MailVectors
        let search: MailSearch
        let judge: MailJudge
    }

    let file: URL
    let reading: any MailReading
    /// Makes vectors on this device.
    let embedder: any InferenceService
    private let trustedServers: @Sendable () throws -> [String]
    private let knownPhishing: URL?
    private let opened = Mutex<Opened?>(nil)

    private static let mostPlaces = 100

    /// `trustedServers` is asked when the index is opened.
    package init(
        _ file: URL,
        reading: any MailReading,
        embedder: any InferenceService,
        trustedServers: @escaping @Sendable () throws -> [String] = { [] },
        knownPhishing: URL? = nil
    ) {
        self.file = file
        self.reading = reading
        self.embedder = embedder
        self.trustedServers = trustedServers
        self.knownPhishing = knownPhishing
    }

    /// `nil` where nothing was ever indexed.
    var standing: Opened? {
        get throws {
            try opened.withLock { opened in
                if let opened { return opened }
                guard FileManager.default.fileExists(atPath: file.path) else { return nil }
                let index = try MailIndex.open(at: file)
                let vectors = MailVectors(beside: index)
                let made = Opened(
                    index: index,
                    vectors: vectors,
                    search: MailSearch(index: index, vectors: vectors, embedder: embedder),
                    judge: MailJudge(
                        index: index,
                        vectors: vectors,
                        embedder: embedder,
                        reader: reading,
                        classifier: MailClassifier(heads: try MailHeads.shipped),
                        trustedServers: try trustedServers(),
                        knownPhishing: knownPhishing
                    )
                )
                opened = made
                return made
            }
        }
    }

    /// - Throws: ``BreezeError/Code/notFound`` where nothing was ever indexed.
    var known: Opened {
        get throws {
            if let standing = try standing { return standing }
            throw BreezeError(
                .notFound,
                "No mail was indexed yet.",
                remedy: "Name a mailbox: breeze mail index PATH"
            )
        }
    }

    /// Where an index run looks: places that are there, or all that the index knows.
    func places(_ paths: [String]) async throws -> [String] {
        guard !paths.isEmpty else {
            let known = try await standing?.index.sources().map(\.path) ?? []
            guard !known.isEmpty else {
                throw BreezeError(
                    .notFound,
                    "The index knows no mailbox.",
                    remedy: "Name one first: breeze mail index PATH"
                )
            }
            return known
        }
        guard paths.count <= Self.mostPlaces else {
            throw BreezeError(
                .invalidRequest,
                "A run takes up to \(Self.mostPlaces) mailboxes.",
                remedy: "Name a folder that holds them."
            )
        }
        return try paths.map(Self.place)
    }

    private static func place(_ path: String) throws -> String {
        let home = FileManager.default.homeDirectoryForCurrentUser.path
        let whole = path.hasPrefix("~/") ? home + path.dropFirst() : path
        guard whole.hasPrefix("/"), whole.contains(where: { $0 != "/" }) else {
            throw BreezeError(
                .invalidRequest,
                "\(path.prefix(200)) is not the whole path of a mailbox.",
                remedy: "Name a Maildir, an mbox file, a message or a folder of these, from / or ~/ on."
            )
        }
        guard !whole.contains("\0"), FileManager.default.fileExists(atPath: whole) else {
            throw BreezeError(
                .notFound,
                "There is nothing at \(whole.prefix(1_000)).",
                remedy: "Name a Maildir, an mbox file, a message or a folder of these."
            )
        }
        return whole
    }

    /// A message as its sender laid it out.
    /// - Throws: ``BreezeError`` `not_found` where no copy of it is what was indexed.
    func page(of message: IndexedMessage) async throws -> MailPage {
        var fault = BreezeError(
            .notFound,
            "The message lies in no file.",
            remedy: "Its text is in the index."
        )
        for order in try await known.index.orders(for: message.id) {
            do {
                let page = try await reading.page(order)
                if page.contentID == message.contentID { return page }
                fault = BreezeError(
                    .notFound,
                    "Where the message was, there is another one now.",
                    remedy: "Bring the index up to date: breeze mail index"
                )
            } catch let error as BreezeError {
                guard error.code == .notFound else { throw error }
                fault = error
            }
        }
        throw fault
    }

    /// Why meaning cannot be searched; `nil` where an encoder of this device is there.
    func encoderFault() async -> MailFault? {
        let request = InferenceRequest(
            .embedding,
            inputs: ["mail"],
            privacy: .onDevice,
            client: "mail"
        )
        guard let decision = try? await embedder.explain(request), decision.chosen != nil else {
            return MailFault(
                message: "Search by meaning needs an encoder.",
                remedy: reading.encoderRemedy,
                code: BreezeError.Code.noRunner.rawValue
            )
        }
        return nil
    }
}

/// A failure as the panel shows it.
struct MailFault: Encodable, Hashable, Sendable {
    let message: String
    let remedy: String?
    let code: String

    init(message: String, remedy: String?, code: String) {
        (self.message, self.remedy, self.code) = (message, remedy, code)
    }

    init(_ error: BreezeError) {
        self.init(message: error.message, remedy: error.remedy, code: error.code.rawValue)
    }
}
#endif
