#if Hub
package import BreezeCore
package import BreezeMail
import BreezeStore
import Foundation
import GRDB

/// What a process that reads one message for another one is told: where a copy of it lies. One line of JSON.
package struct PageOrder: Codable, Sendable {
    package var path: String
    /// Of an mbox file.
    package var entry: MboxEntry?

    package init(path: String, entry: MboxEntry? = nil) {
        self.path = path
        self.entry = entry
    }

    /// For the parser, opened as the index opens what may be mail; `nil` where nothing lies there any more.
    /// - Throws: ``BreezeError`` `.inputOutput`
    package func source() throws -> MailSource? {
        let url = URL(filePath: path)
        if let entry {
            return FileManager.default.fileExists(atPath: path) ? .mbox(url, entry) : nil
        }
        switch try MailFile.read(path)?.1 {
        case .bytes(let bytes): return .bytes(bytes)
        case .large: return .file(url)
        case nil: return nil
        }
    }
}

/// What it answers: a line of JSON.
package enum PageWord: Codable, Sendable {
    case page(MailPage)
    case failed(BreezeError)
}

extension MailIndex {
    /// Where the copies of a message lie; empty for one that came without a file.
    package func orders(for id: Int64) async throws -> [PageOrder] {
        try await store.read { database in
            try Row.fetchAll(
                database,
                sql: "\(PageOrder.sql) AND message = ? ORDER BY isGone, place.id LIMIT 8",
                arguments: [DirectoryKind.input.rawValue, id]
            )
            .map(PageOrder.init)
        }
    }

    /// Where a copy of each message lies; without those that came without a file.
    package func places(of messages: [Int64]) async throws -> [Int64: PageOrder] {
        try await store.read { database in
            let list = messages.map(String.init).joined(separator: ",")
            let rows = try Row.fetchAll(
                database,
                sql: "\(PageOrder.sql) AND message IN (\(list)) ORDER BY isGone DESC, place.id DESC",
                arguments: [DirectoryKind.input.rawValue]
            )
            // Of several the last one counts, which is the first that is there.
            return Dictionary(rows.map { ($0["message"], PageOrder($0)) }) { _, last in last }
        }
    }
}

extension PageOrder {
    fileprivate static let sql = """
        SELECT message, path, name, start, length, quoting FROM place JOIN directory ON directory.id = directory
        WHERE kind <> ?
        """

    fileprivate init(_ row: Row) {
        let (folder, name): (String, String) = (row["path"], row["name"])
        self.init(path: name.isEmpty ? folder : "\(folder)/\(name)")
        guard let start = row["start"] as Int64?, let length = row["length"] as Int64? else { return }
        let quoting = (row["quoting"] as String?).flatMap(MboxQuoting.init) ?? .none
        entry = MboxEntry(offset: start, start: start, length: length, quoting: quoting)
    }
}
#endif
