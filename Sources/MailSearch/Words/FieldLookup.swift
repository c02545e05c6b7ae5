#if Hub
import BreezeMail
import BreezeMailIndex
import GRDB

/// Looks the fields of a query up in the index.
struct FieldLookup {
    let database: Database
    private let cache: FieldCache
    /// Fields that nothing answers to.
    private(set) var notices: [SearchNotice] = []

    init(_ database: Database, _ cache: FieldCache) {
        self.database = database
        self.cache = cache
    }

    mutating func messages(_ field: QueryField) throws -> MessageSet {
        switch field {
        case .date(let range): return try cache.dated(within: range, database) ?? within(range, "date")
        case .tag(let tag):
            let message = "This index keeps no tags: “tag:\(tag)” finds nothing."
            if !notices.contains(where: { $0.message == message }) {
                notices.append(SearchNotice(.unknownField, message))
            }
            return .none
        case .category(let category): return try CategoryLookup(database: database).messages(category)
        case .thread(let name): return try thread(name)
        case .messageID(let id): return try ids("SELECT id FROM message WHERE messageID = ?", [id])
        case .size, .has, .flag, .folder, .list, .type:
            return try cache.messages(field, database) { try kept(field) }
        }
    }

    /// By what only changes with messages and their copies.
    private func kept(_ field: QueryField) throws -> MessageSet {
        switch field {
        case .size(let range): try within(range, "size")
        case .has(let possession): try ids(Self.sql(possession))
        case .flag(let flag): try flagged(flag)
        case .folder(let folder): try lying(in: folder)
        case .list(let list): try sent(to: list)
        case .type(let type): try holding(type)
        case .date, .tag, .category, .thread, .messageID: .none
        }
    }

    private func ids(_ sql: String, _ arguments: StatementArguments = []) throws -> MessageSet {
        try MessageSet(database, sql, arguments)
    }

    private func within(_ range: QueryRange, _ column: String) throws -> MessageSet {
        try ids(
            "SELECT id FROM message WHERE \(column) >= ? AND \(column) <= ?",
            [range.lower ?? Int64.min, range.upper ?? Int64.max]
        )
    }

    private static func sql(_ possession: QueryPossession) -> String {
        switch possession {
        case .attachment: "SELECT id FROM message WHERE attachments IS NOT NULL"
        case .link: "SELECT id FROM message WHERE links > 0"
        case .list: "SELECT id FROM message WHERE list IS NOT NULL"
        }
    }

    /// A state of one copy is a state of the message.
    private func flagged(_ flag: QueryFlag) throws -> MessageSet {
        let letter: String
        switch flag {
        case .unread: return try flagged(.read).inverted
        case .new: return try lying { $0.isMaildir && $0.path.hasSuffix("/new") }
        case .read: letter = "S"
        case .flagged: letter = "F"
        case .replied: letter = "R"
        case .passed: letter = "P"
        case .draft: letter = "D"
        case .trashed: letter = "T"
        }
        return try ids("SELECT message FROM place WHERE instr(flags, ?)", [letter])
    }

    private func lying(in folder: QueryFolder) throws -> MessageSet {
        try lying { folder.matches($0.folder.split(separator: "/").map(String.init)) }
    }

    private func lying(
        where isMeant: ((path: String, folder: String, isMaildir: Bool)) -> Bool
    ) throws -> MessageSet {
        let rows = try Row.fetchAll(database, sql: "SELECT id, path, folder, kind FROM directory")
        let meant = rows.filter {
            isMeant((path: $0[1], folder: $0[2], isMaildir: $0[3] == DirectoryKind.messages.rawValue))
        }
        return try ids(
            "SELECT message FROM place WHERE directory IN (SELECT value FROM json_each(?))",
            [Self.json(meant.map { $0[0] as Int64 })]
        )
    }

    private func sent(to list: QueryList) throws -> MessageSet {
        let names = try String.fetchAll(
            database,
            sql: "SELECT DISTINCT list FROM message WHERE list IS NOT NULL"
        )
        var found = MessageSet.none
        for name in names where list.matches(name) {
            found = found.union(try ids("SELECT id FROM message WHERE list = ?", [name]))
        }
        return found
    }

    private func thread(_ name: String) throws -> MessageSet {
        try ids(
            """
            SELECT id FROM message WHERE thread IN (SELECT id FROM thread WHERE name = :name
                UNION SELECT thread FROM message WHERE messageID = :name)
            UNION SELECT id FROM message WHERE messageID = :name
            """,
            ["name": name]
        )
    }

    private func holding(_ type: QueryType) throws -> MessageSet {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT message.id, json_extract(value, '$.type') FROM message, json_each(attachments) "
                + "WHERE attachments IS NOT NULL"
        )
        var found = MessageSet.none
        while let row = try rows.next() {
            if let name = row[1] as String?, type.matches(name.lowercased()) { found.insert(row[0]) }
        }
        return found
    }

    static func json(_ ids: some Sequence<Int64>) -> String {
        "[" + ids.map(String.init).joined(separator: ",") + "]"
    }
}

/// The category that a message counts to: the person's word for it, its sender or its list, else the classifier's.
struct CategoryLookup {
    let database: Database

    func messages(_ category: String) throws -> MessageSet {
        var found = try MessageSet(
            database,
            "SELECT message FROM result WHERE kind = 'category' AND value = ?",
            [category]
        )
        let corrections = try Row.fetchAll(
            database,
            sql: "SELECT key, value FROM correction WHERE kind = 'category'"
        )
        // What is said of one message outranks what is said of its sender, and that what is said of a list.
        for key in [list, sender, message] {
            for row in corrections {
                let meant = try key(row["key"])
                let isThis = (row["value"] as String).lowercased() == category
                found = isThis ? found.union(meant) : found.subtracting(meant)
            }
        }
        return found
    }

    private func list(_ key: String) throws -> MessageSet {
        try MessageSet(database, "SELECT id FROM message WHERE list = ?", [key])
    }

    private func message(_ key: String) throws -> MessageSet {
        try MessageSet(database, "SELECT id FROM message WHERE messageID = ?", [key])
    }

    private func sender(_ key: String) throws -> MessageSet {
        guard key.contains("@") else { return .none }
        let phrase = "sender : \"" + key.replacing("\"", with: "\"\"").replacing("\0", with: "") + "\""
        return try MessageSet(
            database,
            "SELECT id FROM text WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?) "
                + "AND (sender = ? OR instr(lower(sender), ?))",
            [phrase, key, "<" + key.lowercased() + ">"]
        )
    }
}

extension MessageSet {
    /// The ids that a statement answers with.
    init(_ database: Database, _ sql: String, _ arguments: StatementArguments = []) throws {
        self = .none
        let statement = try database.cachedStatement(sql: sql)
        let rows = try Int64.fetchCursor(statement, arguments: arguments)
        while let id = try rows.next() { insert(id) }
    }
}
#endif
