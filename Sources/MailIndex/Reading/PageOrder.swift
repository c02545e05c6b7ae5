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
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT path, name, start, length, quoting FROM place JOIN directory ON directory.id = directory
                    WHERE message = ? AND kind <> ? ORDER BY isGone, place.id LIMIT 8
                    """,
                arguments: [id, DirectoryKind.input.rawValue]
            )
            return rows.map { row in
                let (folder, name): (String, String) = (row[0], row[1])
                var order = PageOrder(path: name.isEmpty ? folder : "\(folder)/\(name)")
                if let start = row[2] as Int64?, let length = row[3] as Int64? {
                    let quoting = (row[4] as String?).flatMap(MboxQuoting.init) ?? .none
                    order.entry = MboxEntry(offset: start, start: start, length: length, quoting: quoting)
                }
                return order
            }
        }
    }
}
#endif
