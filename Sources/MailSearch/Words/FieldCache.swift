#if Hub
import BreezeMail
import BreezeMailIndex
import GRDB
import Synchronization

/// What fields say of messages, kept from one search to the next.
///
/// What depends on copies holds as long as the index's own count of changes. Dates need none: a message's never changes
/// and its number is never another's, so new ones are added, and those of messages that are gone do no harm.
final class FieldCache: Sendable {
    private struct Known {
        var changes: Int64
        var messages: MessageSet
    }

    private struct State {
        var dates: DateColumn?
        var wasAsked = false
        var sets: [QueryField: Known] = [:]
    }

    private let state = Mutex(State())
    /// A set takes a bit a message.
    private static let mostSets = 64

    /// Messages that `find` finds, unless that is known of the index as `database` sees it.
    func messages(
        _ field: QueryField,
        _ database: Database,
        find: () throws -> MessageSet
    ) throws -> MessageSet {
        let changes = try Self.changes(database)
        if let known = state.withLock({ $0.sets[field] }), known.changes == changes { return known.messages }
        let found = try find()
        state.withLock { state in
            if state.sets.count >= Self.mostSets { state.sets = [:] }
            state.sets[field] = Known(changes: changes, messages: found)
        }
        return found
    }

    /// `nil` the first time: reading every date takes longer than looking one range up.
    func dated(within range: QueryRange, _ database: Database) throws -> MessageSet? {
        try state.withLock { state in
            guard state.wasAsked else {
                state.wasAsked = true
                return nil
            }
            var dates = state.dates.take() ?? DateColumn()
            defer { state.dates = dates }
            try dates.update(database)
            return dates.messages(within: range)
        }
    }

    private static func changes(_ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT value FROM fact WHERE name = 'changes'")
        return try Int64.fetchOne(statement) ?? 0
    }
}

/// Dates by the numbers of messages.
struct DateColumn {
    /// Seconds since 1970; ``none`` where there is no date, or no message.
    private var seconds: [Int64] = [none]
    private static let none = Int64.min

    /// Adds those of messages that came since.
    mutating func update(_ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT id, date FROM message WHERE id > ? ORDER BY id"
        )
        let rows = try Row.fetchCursor(statement, arguments: [seconds.count - 1])
        while let row = try rows.next() {
            let gap = row[0] as Int - seconds.count
            if gap > 0 { seconds.append(contentsOf: repeatElement(Self.none, count: gap)) }
            seconds.append(row[1] ?? Self.none)
        }
    }

    func messages(within range: QueryRange) -> MessageSet {
        let (lower, upper) = (max(range.lower ?? .min, Self.none + 1), range.upper ?? .max)
        return MessageSet(count: seconds.count) { lower <= seconds[$0] && seconds[$0] <= upper }
    }
}
#endif
