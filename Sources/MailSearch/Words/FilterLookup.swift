#if Hub
import BreezeMail
import GRDB

/// The columns of the full-text index, by what a query calls them.
enum WordColumns {
    /// Cc and Bcc share a column.
    static let scopes: [QueryScope: [String]] = [
        .anywhere: ["subject", "sender", "recipients", "copies", "body"],
        .subject: ["subject"], .body: ["body"], .from: ["sender"], .to: ["recipients", "copies"],
        .cc: ["copies"], .bcc: ["copies"], .contact: ["sender", "recipients", "copies"],
        .attachment: ["files"],
    ]
}

/// What a query demands, apart into one expression of words, which is searched last, and everything else.
struct SplitFilter: Sendable {
    /// An FTS5 expression.
    var words: String?
    var rest: [QueryFilter]

    init(_ filter: QueryFilter) {
        (words, rest) = (nil, [])
        let parts = if case .and(let parts) = filter { parts } else { [filter] }
        for part in parts {
            switch part {
            case .match(let expression) where words == nil: words = expression
            case .everything: break
            default: rest.append(part)
            }
        }
    }
}

/// Finds all messages that meet a condition.
struct FilterLookup {
    private var fields: FieldLookup
    var notices: [SearchNotice] { fields.notices }

    init(_ database: Database, _ cache: FieldCache) {
        fields = FieldLookup(database, cache)
    }

    mutating func messages(_ filter: QueryFilter) throws -> MessageSet {
        switch filter {
        case .everything: return .all
        case .match(let expression):
            return try MessageSet(
                fields.database,
                "SELECT rowid FROM words WHERE words MATCH ?",
                [expression]
            )
        case .field(let field): return try fields.messages(field)
        case .not(let inner): return try messages(inner).inverted
        case .and(let filters): return try messages(allOf: filters)
        case .or(let filters):
            return try filters.reduce(.none) { try $0.union(messages($1)) }
        }
    }

    /// `nil` is every message.
    mutating func allowed(_ filters: [QueryFilter]) throws -> MessageSet? {
        filters.isEmpty ? nil : try messages(allOf: filters)
    }

    /// Of no conditions every message.
    mutating func messages(allOf filters: [QueryFilter]) throws -> MessageSet {
        try filters.reduce(.all) { try $0.intersection(messages($1)) }
    }
}
#endif
