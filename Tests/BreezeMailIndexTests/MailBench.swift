#if Hub
import BreezeMail
import BreezeMailParser
import BreezeStore
import BreezeTestSupport
import Foundation
import GRDB
import Testing

@testable import BreezeMailIndex

/// A Maildir to change, and an index of it.
final class MailBench: Sendable {
    let folder: ScratchFolder
    var maildir: URL { folder.url.appending(path: "Mail") }
    var database: URL { folder.url.appending(path: "index/mail.sqlite") }

    static var isAvailable: Bool { GMimeMessageParser.isAvailable }

    init() throws {
        folder = try ScratchFolder()
        try FileManager.default.createDirectory(at: maildir, withIntermediateDirectories: true)
    }

    /// Writes a file and makes its folder.
    @discardableResult
    func write(_ path: String, _ text: String) throws -> URL {
        try folder.write("Mail/\(path)", text)
    }

    /// A folder that is one, whether there is mail in it or not.
    func makeFolder(_ name: String) throws {
        for part in ["cur", "new", "tmp"] {
            let url = maildir.appending(path: name.isEmpty ? part : "\(name)/\(part)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
    }

    func move(_ from: String, _ to: String) throws {
        let target = maildir.appending(path: to)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        guard rename(maildir.appending(path: from).path, target.path) == 0 else { throw POSIXError(.EIO) }
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(at: maildir.appending(path: path))
    }

    /// As if nothing had been changed here for an hour.
    func age(_ paths: [String]? = nil) {
        let all = FileManager.default.enumerator(atPath: maildir.path)?.compactMap { $0 as? String } ?? []
        for path in paths ?? ([""] + all) { Self.age(maildir.appending(path: path)) }
    }

    /// Directories alone, so many seconds ago: a directory that changes later gets another time.
    func ageDirectories(seconds: Int) {
        let all = FileManager.default.enumerator(atPath: maildir.path)?.compactMap { $0 as? String } ?? []
        for path in [""] + all {
            let url = maildir.appending(path: path)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
                Self.age(url, seconds: seconds)
            }
        }
    }

    static func age(_ url: URL, seconds: Int = 3_600) {
        // The same moment whenever it is asked for: 13 September 2020.
        let past = timespec(tv_sec: 1_600_000_000 - seconds, tv_nsec: 7)
        _ = withUnsafeBytes(of: (past, past)) { times in
            utimensat(AT_FDCWD, url.path, times.assumingMemoryBound(to: timespec.self).baseAddress, 0)
        }
    }

    @discardableResult
    func index(
        _ settings: IndexSettings = IndexSettings(),
        in database: URL? = nil,
        roots: [MailRoot]? = nil
    ) async throws -> IndexReport {
        let index = try MailIndex.open(at: database ?? self.database)
        let report = try await index.index(
            roots ?? [.path(maildir)],
            with: GMimeMessageParser(),
            settings: settings
        )
        try index.close()
        return report
    }

    func open() throws -> MailIndex { try MailIndex.open(at: database) }

    /// All that an index says of the mail, in an order that does not depend on how it came to be.
    func dump(_ database: URL? = nil) async throws -> [String] {
        let index = try MailIndex.open(at: database ?? self.database)
        let messages = try await index.list(limit: 100_000)
        var lines: [String] = []
        for message in messages {
            let places = message.places.map { "\($0.path) [\($0.folder)] \($0.flags) \($0.start ?? -1)" }
                .sorted()
            let text = try await index.text(of: message.id) ?? "nothing"
            lines.append(
                "\(message.messageID) \(message.contentID) \(message.subject) \(message.from) \(message.date as Any) "
                    + "\(message.size) \(message.textRead) \(message.attachments) \(places) \(text)"
            )
        }
        lines += try await threads(index)
        // The full-text index against the text that it is of.
        try await index.store.write { database in
            try database.execute(sql: "INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
            let left = try Int.fetchOne(
                database,
                sql: "SELECT (SELECT count(*) FROM loose) + (SELECT count(*) FROM place WHERE isGone) + "
                    + "(SELECT count(*) FROM text) - (SELECT count(*) FROM message)"
            )
            #expect(left == 0)
        }
        try index.close()
        return lines.sorted()
    }

    /// The threads with their members, by what holds in another index too.
    private func threads(_ index: MailIndex) async throws -> [String] {
        try await index.store.read { database in
            let open =
                "SELECT count(*) FROM message WHERE thread IS NULL OR thread NOT IN (SELECT id FROM thread)"
            #expect(try Int.fetchOne(database, sql: open) == 0)
            let rows = try Row.fetchAll(database, sql: "SELECT id, name, messages, first, last FROM thread")
            return try rows.map { row in
                let members = try String.fetchAll(
                    database,
                    sql: "SELECT messageID || hex(digest) FROM message WHERE thread = ? ORDER BY 1",
                    arguments: [row["id"] as Int64]
                )
                #expect(members.count == row["messages"])
                return "thread \(row["name"] as String) \(row["first"] as Int64? ?? -1) "
                    + "\(row["last"] as Int64? ?? -1) \(members)"
            }
        }
    }

    /// What an index that never saw anything else says of the same mail.
    func cleanDump(roots: [MailRoot]? = nil) async throws -> [String] {
        let other = folder.url.appending(path: "clean-\(UUID().uuidString)/mail.sqlite")
        try await index(in: other, roots: roots)
        return try await dump(other)
    }

    static func message(_ number: Int, body: String = "Some words.", extra: String = "") -> String {
        """
        From: Sender \(number % 7) <sender\(number % 7)@example.org>
        To: reader@example.net
        Subject: Number \(number)
        Date: Mon, 02 Nov 2026 10:\(10 + number % 50):00 +0000
        Message-ID: <m\(number)@example.org>
        \(extra)
        \(body) word\(number)

        """
    }
}
#endif
