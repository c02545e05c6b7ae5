/// What may stand before a colon: our own fields, and notmuch's and mu's under their names.
enum QueryPrefix: Hashable {
    case text(QueryScope)
    case date, since, until, before, size, larger, smaller
    case has, state, folder, path, list, category, thread, messageID, type
    /// A field of notmuch or mu that nothing here answers to.
    case unsupported

    /// `name` in any case; letters alone in lower case, so that `C:` stays a drive.
    init?(_ name: String) {
        guard let found = Self.names[name.utf8.count == 1 ? name : name.lowercased()] else { return nil }
        self = found
    }

    /// Whether a message has exactly one of it, so that two in a row can only be alternatives.
    var isExclusive: Bool {
        switch self {
        case .folder, .path, .category, .thread, .messageID: true
        default: false
        }
    }

    static let names: [String: QueryPrefix] = [
        "subject": .text(.subject), "s": .text(.subject), "body": .text(.body), "b": .text(.body),
        "from": .text(.from), "f": .text(.from), "to": .text(.to), "t": .text(.to), "recip": .text(.to),
        "cc": .text(.cc), "c": .text(.cc), "bcc": .text(.bcc), "h": .text(.bcc), "contact": .text(.contact),
        "attachment": .text(.attachment), "file": .text(.attachment), "filename": .text(.attachment),
        "j": .text(.attachment),
        "date": .date, "d": .date, "since": .since, "after": .since, "until": .until, "before": .before,
        "size": .size, "z": .size, "larger": .larger, "smaller": .smaller,
        "has": .has, "is": .state, "tag": .state, "flag": .state, "g": .state, "x": .state, "label": .state,
        "in": .folder, "folder": .path, "path": .path, "maildir": .path, "m": .path,
        "list": .list, "v": .list, "category": .category, "thread": .thread, "w": .thread,
        "id": .messageID, "mid": .messageID, "msgid": .messageID, "i": .messageID,
        "mimetype": .type, "mime": .type, "y": .type,
        "prio": .unsupported, "p": .unsupported, "changed": .unsupported, "k": .unsupported,
        "embed": .unsupported, "e": .unsupported, "lastmod": .unsupported, "query": .unsupported,
        "property": .unsupported, "sexp": .unsupported,
    ]
}
