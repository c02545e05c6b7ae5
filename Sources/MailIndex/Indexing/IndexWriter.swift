#if Hub
import BreezeMail
import Foundation
import GRDB

/// A copy of a message as the index has it.
struct KnownPlace: Sendable {
    var id: Int64
    var message: Int64
    var directory: Int64
    var name: String
    var start: Int64?
    var length: Int64?
    var inode: Int64
    var size: Int64
    var modified: Int64
    var isGone: Bool

    init(_ row: Row) {
        id = row[0]
        message = row[1]
        directory = row[2]
        name = row[3]
        start = row[4]
        length = row[5]
        inode = row[6]
        size = row[7]
        modified = row[8]
        isGone = row[9]
    }

    static let columns = "id, message, directory, name, start, length, inode, size, modified, isGone"

    func isSame(_ stamp: FileStamp) -> Bool {
        inode == stamp.inode && size == stamp.size && modified == stamp.modified
    }
}

/// A copy of a message to be written.
struct NewPlace: Sendable {
    var directory: Int64
    var name = ""
    var start: Int64?
    var length: Int64?
    var quoting: String?
    var flags = ""
}

/// The statements of a run, within one transaction.
struct IndexWriter {
    let database: Database

    // MARK: - Directories

    func register(_ directory: FoundDirectory) throws -> Int64 {
        try database.execute(
            sql: "INSERT INTO directory (path, kind, folder) VALUES (?, ?, ?)",
            arguments: [directory.path, directory.kind.rawValue, directory.folder]
        )
        return database.lastInsertedRowID
    }

    /// What lies in it is looked for anew.
    func change(_ directory: Int64, to kind: DirectoryKind, folder: String) throws {
        try database.execute(
            sql:
                "UPDATE directory SET kind = ?, folder = ?, modified = NULL, size = 0, head = NULL WHERE id = ?",
            arguments: [kind.rawValue, folder, directory]
        )
    }

    func begin(mbox directory: Int64, head: [UInt8]) throws {
        try database.execute(
            sql: "UPDATE directory SET modified = NULL, size = 0, head = ? WHERE id = ?",
            arguments: [Data(head), directory]
        )
    }

    func finish(_ directory: Int64, modified: Int64?, size: Int64) throws {
        let statement = try database.cachedStatement(
            sql:
                "UPDATE directory SET modified = ?, size = ? WHERE id = ? AND (modified IS NOT ? OR size <> ?)"
        )
        try statement.execute(arguments: [modified, size, directory, modified, size])
    }

    // MARK: - Places

    func places(in directory: Int64) throws -> [KnownPlace] {
        try all("SELECT \(KnownPlace.columns) FROM place WHERE directory = ? AND NOT isGone", directory)
    }

    /// Those that are missed too.
    func places(withInode inode: Int64) throws -> [KnownPlace] {
        try all("SELECT \(KnownPlace.columns) FROM place WHERE inode = ? ORDER BY isGone DESC, id", inode)
    }

    private func all(_ sql: String, _ argument: Int64) throws -> [KnownPlace] {
        let statement = try database.cachedStatement(sql: sql)
        statement.setUncheckedArguments([argument])
        let rows = try Row.fetchCursor(statement)
        var found: [KnownPlace] = []
        while let row = try rows.next() { found.append(KnownPlace(row)) }
        return found
    }

    func rename(_ place: Int64, to name: String, flags: String) throws {
        let statement = try database.cachedStatement(sql: "UPDATE place SET name = ?, flags = ? WHERE id = ?")
        try statement.execute(arguments: [name, flags, place])
    }

    func miss(_ place: Int64) throws {
        let statement = try database.cachedStatement(sql: "UPDATE place SET isGone = 1 WHERE id = ?")
        try statement.execute(arguments: [place])
    }

    func move(_ place: Int64, to new: NewPlace) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE place SET directory = ?, name = ?, flags = ?, isGone = 0 WHERE id = ?"
        )
        try statement.execute(arguments: [new.directory, new.name, new.flags, place])
    }

    func insert(_ place: NewPlace, of message: Int64, _ stamp: FileStamp) throws {
        let statement = try database.cachedStatement(
            sql:
                "INSERT INTO place (message, directory, name, start, length, quoting, flags, inode, size, modified) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        statement.setUncheckedArguments([
            message, place.directory, place.name, place.start, place.length, place.quoting, place.flags,
            stamp.inode, stamp.size, stamp.modified,
        ])
        try statement.execute()
    }

    // MARK: - Messages

    /// The message with this content and id.
    func message(_ record: MessageRecord) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: "SELECT id FROM message WHERE messageID = ? AND digest = ?"
        )
        statement.setUncheckedArguments([record.messageID, record.digest])
        return try Int64.fetchOne(statement)
    }

    func insert(_ record: MessageRecord) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql:
                "INSERT INTO message (id, messageID, digest, refs, inReplyTo, baseSubject, isReply, date, zone, list, "
                + "size, textRead, textSize, hidden, links, attachments, notices) "
                + "VALUES (\(Self.nextID), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        statement.setUncheckedArguments([
            record.messageID, record.digest, record.references, record.inReplyTo, record.baseSubject.text,
            record.baseSubject.isReply, record.date?.unixSeconds, record.date?.zone, record.list, record.size,
            record.textRead, record.textSize, record.hidden, record.links, record.attachments, record.notices,
        ])
        try statement.execute()
        let id = database.lastInsertedRowID
        for sql in [Self.intoText, Self.intoWords] {
            let statement = try database.cachedStatement(sql: sql)
            statement.setUncheckedArguments([
                id, record.subject, record.sender, record.recipients, record.copies, record.files,
                record.body,
            ])
            try statement.execute()
        }
        return id
    }

    /// What was made of a message may outlive it for a while, so its id is never another one's.
    private static let nextID =
        "(SELECT max(value, (SELECT coalesce(max(id), 0) FROM message)) + 1 FROM fact WHERE name = 'lastMessage')"
    private static let intoText =
        "INSERT INTO text (id, subject, sender, recipients, copies, files, body) VALUES (?, ?, ?, ?, ?, ?, ?)"
    private static let intoWords =
        "INSERT INTO words (rowid, subject, sender, recipients, copies, files, body) VALUES (?, ?, ?, ?, ?, ?, ?)"
}
#endif
