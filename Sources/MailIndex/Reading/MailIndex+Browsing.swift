#if Hub
import BreezeMail
import BreezeStore
import Foundation
import GRDB

extension MailIndex {
    /// In the order of their names.
    public func folders() async throws -> [MailFolder] {
        try await store.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT folder, count(*), sum(isUnread) FROM
                        (SELECT DISTINCT folder, message, \(Listing.isUnread("message")) AS isUnread
                        FROM place JOIN directory ON directory.id = directory)
                    GROUP BY folder ORDER BY folder
                    """
            )
            return rows.map { MailFolder(name: $0[0], messages: $0[1], unread: $0[2] ?? 0) }
        }
    }

    /// What was given to be indexed, in the order of the paths.
    public func sources() async throws -> [MailSourceCount] {
        try await store.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT path, (SELECT count(*) FROM place JOIN directory ON directory.id = directory
                        WHERE directory.path = source.path
                        OR substr(directory.path, 1, length(source.path) + 1) = source.path || '/')
                    FROM source ORDER BY path
                    """
            )
            return rows.map { MailSourceCount(path: $0[0], places: $0[1]) }
        }
    }

    /// A page. By threads each stands where its newest message of the folder does, or the newest that is warned of.
    public func listing(
        _ filter: ListingFilter = ListingFilter(),
        isByThread: Bool,
        limit: Int,
        offset: Int
    ) async throws -> MessageList {
        try await store.read { database in
            try Listing(database).page(filter, isByThread: isByThread, limit: limit, offset: offset)
        }
    }

    /// Of those categories that there is mail of.
    public func categories() async throws -> [CategoryCount] {
        try await store.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT value, count(*), sum(isUnread) FROM
                        (SELECT id, row_number() OVER (inThread ORDER BY date DESC, id DESC) AS rank,
                            max(\(Listing.isUnread("message.id"))) OVER inThread AS isUnread
                        FROM message WINDOW inThread AS (PARTITION BY coalesce(thread, -id))) AS newest
                    JOIN result ON result.message = newest.id AND kind = 'category' WHERE rank = 1 GROUP BY value
                    """
            )
            return rows.map { CategoryCount(category: $0[0], messages: $0[1], unread: $0[2] ?? 0) }
        }
    }

    public func warnings() async throws -> WarningCount {
        try await store.read { database in
            func count(_ value: String) throws -> Int {
                try Int.fetchOne(
                    database,
                    sql: "SELECT count(*) FROM result WHERE kind = 'warning' AND value = ?",
                    arguments: [value]
                ) ?? 0
            }
            return WarningCount(spam: try count("spam"), phishing: try count("phishing"))
        }
    }

    /// The messages of a thread as they are shown: each answer below what it answers. Empty where there is no such
    /// thread.
    public func thread(_ number: Int64) async throws -> [ThreadedMessage] {
        try await store.read { try Listing($0).thread(number) }
    }
}

/// Reads lists within one snapshot.
private struct Listing {
    private let database: Database

    /// Unicode scalars.
    private static let previewLength = 160
    /// What is read for it: space and quoted lines stand between words.
    private static let previewSource = 1_000

    init(_ database: Database) {
        self.database = database
    }

    static func isUnread(_ message: String) -> String {
        "NOT EXISTS (SELECT 1 FROM place AS copy WHERE copy.message = \(message) AND instr(copy.flags, 'S'))"
    }

    func page(_ filter: ListingFilter, isByThread: Bool, limit: Int, offset: Int) throws -> MessageList {
        let (conditions, arguments) = Self.conditions(filter)
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT id, thread, (SELECT value FROM result WHERE result.message = id AND kind = 'category')
                FROM message \(conditions) ORDER BY date DESC, id DESC
                """,
            arguments: arguments
        )
        var (entries, seen, passed) = ([ListedMessage](), Set<Int64>(), 0)
        while let row = try rows.next() {
            if isByThread, let thread = row[1] as Int64?, !seen.insert(thread).inserted { continue }
            if let category = filter.category, row[2] != category { continue }
            if passed < offset {
                passed += 1
                continue
            }
            guard entries.count < limit else { return MessageList(entries: entries, isMore: true) }
            if let entry = try read(row[0], isByThread: isByThread) { entries.append(entry) }
        }
        return MessageList(entries: entries, isMore: false)
    }

    /// The category is none of them: of a thread that of the newest message counts, which has to be seen for it.
    private static func conditions(_ filter: ListingFilter) -> (String, StatementArguments) {
        var (conditions, arguments) = ([String](), StatementArguments())
        if let folder = filter.folder {
            conditions.append(
                "EXISTS (SELECT 1 FROM place JOIN directory ON directory.id = place.directory "
                    + "WHERE place.message = message.id AND folder = ?)"
            )
            arguments += [folder]
        }
        if let warning = filter.warning {
            let value = warning == .any ? "" : "AND value = ?"
            conditions.append("id IN (SELECT message FROM result WHERE kind = 'warning' \(value))")
            if warning != .any { arguments += [warning.rawValue] }
        }
        return (conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "), arguments)
    }

    func thread(_ number: Int64) throws -> [ThreadedMessage] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, messageID, refs, inReplyTo, baseSubject, isReply, date FROM message WHERE thread = ?
                ORDER BY id
                """,
            arguments: [number]
        )
        var index = ThreadIndex()
        let messages = rows.map { row in
            ThreadMessage(
                key: row[0],
                messageID: row[1],
                references: (row[2] as String).split(separator: "\n").map(String.init),
                inReplyTo: (row[3] as String).split(separator: "\n").map(String.init),
                subject: row[4],
                isReply: row[5],
                date: row[6]
            )
        }
        return try index.insert(messages).threads.flatMap(\.rows).compactMap { row in
            try read(row.key, isByThread: false).map { ThreadedMessage(message: $0, depth: row.depth) }
        }
    }

    private static let sql = """
        SELECT text.subject, sender, date, zone, message.thread, coalesce(thread.messages, 1),
            coalesce(json_array_length(attachments), 0), substr(body, 1, \(previewSource)),
            \(isUnread("message.id")),
            EXISTS (SELECT 1 FROM place WHERE place.message = message.id AND instr(flags, 'F')),
            (SELECT folder FROM place JOIN directory ON directory.id = directory
                WHERE place.message = message.id ORDER BY isGone, place.id LIMIT 1),
            EXISTS (SELECT 1 FROM message AS other WHERE other.thread = message.thread AND \(isUnread("other.id"))),
            (SELECT value FROM result WHERE result.message = message.id AND kind = 'category'),
            (SELECT value FROM result WHERE result.message = message.id AND kind = 'warning')
        FROM message JOIN text ON text.id = message.id LEFT JOIN thread ON thread.id = message.thread
        WHERE message.id = ?
        """

    private func read(_ id: Int64, isByThread: Bool) throws -> ListedMessage? {
        let statement = try database.cachedStatement(sql: Self.sql)
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return nil }
        return ListedMessage(
            id: id,
            subject: row[0],
            from: AddressLine.addresses(row[1]),
            date: (row[2] as Int64?).map { MailDate(unixSeconds: $0, zone: row[3] ?? 0) },
            folder: row[10] ?? "",
            isUnread: row[8] || (isByThread && row[11]),
            isFlagged: row[9],
            attachments: row[6],
            preview: Self.preview(row[7]),
            thread: row[4],
            threadCount: row[5],
            category: row[12],
            warning: row[13]
        )
    }

    private static func preview(_ text: String) -> String {
        let own = text.split(separator: "\n").filter { !$0.hasPrefix(">") }
        let words = own.joined(separator: " ").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return String(String.UnicodeScalarView(words.unicodeScalars.prefix(previewLength)))
    }
}
#endif
