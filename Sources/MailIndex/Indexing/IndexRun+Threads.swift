#if Hub
import BreezeMail
import BreezeStore
import GRDB

/// A row of the table `thread`. Its number is its lowest message's, which another message of it takes over.
struct ThreadRow: Equatable {
    var name: String
    var subject: String
    var messages = 0
    var first: Int64?
    var last: Int64?

    mutating func add(_ date: Int64?) {
        messages += 1
        guard let date else { return }
        first = min(first ?? date, date)
        last = max(last ?? date, date)
    }
}

extension IndexRun {
    /// Puts all messages into threads anew where one came or went: a message may join threads that stood apart, and
    /// part them when it goes. Writes what has changed.
    func thread() throws {
        guard let rule = settings.threading else { return }
        let isOpen = try store.readNow { database in
            try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM message WHERE thread IS NULL)")
        }
        guard isOpen == true else { return }
        let (messages, before, known) = try store.readNow { database in
            let (messages, before) = try Self.messages(database)
            return (messages, before, try Self.threads(database))
        }
        var index = ThreadIndex(subjectRule: rule)
        var numbers: [Int64: Int64] = [:]
        var names: [Int64: String] = [:]
        for thread in index.insert(messages).threads {
            guard let number = thread.rows.lazy.map(\.key).min() else { continue }
            for row in thread.rows { numbers[row.key] = number }
            names[number] = thread.id.rawValue
        }
        var rows: [Int64: ThreadRow] = [:]
        for message in messages {
            let number = numbers[message.key] ?? message.key
            let new = ThreadRow(name: names[number] ?? "", subject: message.subject)
            rows[number, default: new].add(message.date)
        }
        let moved = messages.filter { before[$0.key] != numbers[$0.key] }.map(\.key)
        try store.writeNow { database in
            try Self.write(rows, over: known, database)
            let update = try database.cachedStatement(sql: "UPDATE message SET thread = ? WHERE id = ?")
            for message in moved { try update.execute(arguments: [numbers[message] ?? message, message]) }
        }
    }

    private static func write(
        _ rows: [Int64: ThreadRow],
        over known: [Int64: ThreadRow],
        _ database: Database
    ) throws {
        let remove = try database.cachedStatement(sql: "DELETE FROM thread WHERE id = ?")
        for number in known.keys where rows[number] == nil { try remove.execute(arguments: [number]) }
        let insert = try database.cachedStatement(
            sql:
                "INSERT OR REPLACE INTO thread (id, name, subject, messages, first, last) VALUES (?, ?, ?, ?, ?, ?)"
        )
        for (number, row) in rows where known[number] != row {
            try insert.execute(arguments: [number, row.name, row.subject, row.messages, row.first, row.last])
        }
    }

    /// In order of their ids: the first of a thread gives it its number.
    private static func messages(_ database: Database) throws -> ([ThreadMessage], [Int64: Int64]) {
        var messages: [ThreadMessage] = []
        var before: [Int64: Int64] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql:
                "SELECT id, messageID, refs, inReplyTo, baseSubject, isReply, date, thread FROM message ORDER BY id"
        )
        while let row = try rows.next() {
            let message = ThreadMessage(
                key: row[0],
                messageID: row[1],
                references: (row[2] as String).split(separator: "\n").map(String.init),
                inReplyTo: (row[3] as String).split(separator: "\n").map(String.init),
                subject: row[4],
                isReply: row[5],
                date: row[6]
            )
            before[message.key] = row[7]
            messages.append(message)
        }
        return (messages, before)
    }

    private static func threads(_ database: Database) throws -> [Int64: ThreadRow] {
        var known: [Int64: ThreadRow] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT id, name, subject, messages, first, last FROM thread"
        )
        while let row = try rows.next() {
            known[row[0]] = ThreadRow(
                name: row[1],
                subject: row[2],
                messages: row[3],
                first: row[4],
                last: row[5]
            )
        }
        return known
    }
}
#endif
