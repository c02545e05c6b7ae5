#if Hub
import BreezeCore
import BreezeFiles
public import BreezeMailIndex
import BreezeVectors
public import Foundation
import GRDB
import Synchronization

/// What made the vectors of an index.
struct EncoderFact: Codable, Hashable, Sendable {
    var model: String
    var dimension: Int
    var splitter: Int
    /// Counts up with each change of any of these, and where the same model answers otherwise than before.
    var epoch: Int

    /// `nil` until something was embedded.
    static func read(_ database: Database) throws -> EncoderFact? {
        let json = try String.fetchOne(database, sql: "SELECT value FROM fact WHERE name = 'encoder'")
        return json.flatMap { try? JSONDecoder().decode(EncoderFact.self, from: Data($0.utf8)) }
    }

    func write(_ database: Database) throws {
        let json = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        try database.execute(
            sql: "INSERT OR REPLACE INTO fact VALUES ('encoder', ?)",
            arguments: [json]
        )
    }

    /// Of the store, which holds vectors of one index and one encoder alone.
    func name(identity: String) -> String { "\(model.prefix(80))/\(splitter).\(epoch)/\(identity)" }
}

/// Stands for a passage among vectors: since no message gets another's number and its text never changes, a vector can
/// be stale, and never be another passage's.
struct PassageID: Hashable, Sendable {
    var message: Int64
    var number: Int

    init(message: Int64, number: Int) {
        self.message = message
        self.number = number
    }

    init(_ rawValue: Int64) {
        message = rawValue >> 12
        number = Int(rawValue & 4_095)
    }

    var rawValue: Int64 { message << 12 | Int64(number) }
    /// No message's: what the encoder said of a text that never changes.
    static let probe = PassageID(message: 0, number: 0)
}

/// The vectors of an index's passages, in a folder beside its file. One process writes them, any number search.
public final class MailVectors: Sendable {
    public let folder: URL
    private let state = Mutex(State())
    /// How long what another process writes may go unseen.
    private static let freshness = Duration.seconds(2)

    private struct State {
        var store: (name: String, store: VectorStore)?
        var read: (name: String, index: VectorIndex, at: ContinuousClock.Instant)?
    }

    public init(beside index: MailIndex) {
        folder = index.url.deletingLastPathComponent().appending(
            path: index.url.lastPathComponent + ".vectors",
            directoryHint: .isDirectory
        )
    }

    /// Opens them to write, or makes them; those of another encoder are removed.
    func store(_ fact: EncoderFact, identity: String) throws -> VectorStore {
        let name = fact.name(identity: identity)
        return try state.withLock { state in
            if let open = state.store, open.name == name { return open.store }
            state.store = nil
            let store = try Self.open(folder, fact, name)
            state.store = (name, store)
            return store
        }
    }

    /// A damaged folder is as good as none: its vectors are made anew.
    private static func open(_ folder: URL, _ fact: EncoderFact, _ name: String) throws -> VectorStore {
        do {
            return try VectorStore(
                folder,
                dimension: fact.dimension,
                encoder: name,
                others: .startAnew
            )
        } catch let error as BreezeError {
            guard error.code == .invalidFile || error.code == .unsupported else { throw error }
            try FileManager.default.removeItem(at: folder)
            return try VectorStore(folder, dimension: fact.dimension, encoder: name)
        }
    }

    /// Lets another process write.
    func closeStore() {
        state.withLock { $0 = State() }
    }

    /// What can be searched now; `nil` where there is nothing of this encoder.
    func index(_ fact: EncoderFact, identity: String) throws -> VectorIndex? {
        let name = fact.name(identity: identity)
        return try state.withLock { state in
            if let open = state.store, open.name == name { return open.store.index }
            if let read = state.read, read.name == name, .now - read.at < Self.freshness { return read.index }
            state.read = nil
            do {
                // A row that the disk spoilt is at worst a bad hit, and checking them all takes longer than a search.
                let index = try VectorStore.read(
                    folder,
                    dimension: fact.dimension,
                    encoder: name,
                    isVerified: false
                )
                state.read = (name, index, .now)
                return index
            } catch let error as BreezeError {
                if [.unavailable, .invalidParameter].contains(error.code) { return nil }
                throw error
            }
        }
    }
}
#endif
