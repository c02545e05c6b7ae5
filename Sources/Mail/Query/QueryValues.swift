import BreezeCore

/// Reads what stands behind a field's colon.
struct QueryValues {
    let clock: QueryClock

    func node(_ value: QueryValue, _ range: Range<Int>, _ notices: inout [QueryNotice]) throws -> QueryNode? {
        func text(_ reason: String) -> QueryNode? {
            notices.append(QueryNotice(kind: .unknownValue, range: range, message: reason))
            return self.text(value, in: .anywhere, range, &notices)
        }
        let literal = value.literal
        switch value.prefix {
        case nil, .unsupported: return self.text(value, in: .anywhere, range, &notices)
        case .text(let scope): return self.text(value, in: scope, range, &notices)
        case .date: return .field(.date(try dates(literal, range, &notices)))
        case .since: return .field(.date(QueryRange(try span(literal, range).start, nil)))
        case .until: return .field(.date(QueryRange(nil, try span(literal, range).end - 1)))
        case .before: return .field(.date(QueryRange(nil, try span(literal, range).start - 1)))
        case .size: return .field(.size(try sizes(literal, range, &notices)))
        case .larger: return .field(.size(QueryRange(try bytes(literal, range), nil)))
        case .smaller: return .field(.size(QueryRange(nil, try bytes(literal, range))))
        case .has:
            if let found = Self.possessions[literal.lowercased()] { return .field(.has(found)) }
            return text("“has:” knows attachment, link and list; “\(literal)” is read as text.")
        case .state: return state(value) ?? text("Nothing follows “\(value.name):”.")
        case .folder: return .field(.folder(Self.folder(literal, isWhole: false)))
        case .path: return .field(.folder(Self.folder(literal, isWhole: true)))
        case .list:
            let list = QueryList(Self.bare(literal))
            return list.matches(list.name) ? .field(.list(list)) : text("“\(literal)” names no list.")
        case .category:
            guard !literal.isEmpty else { return text("Nothing follows “\(value.name):”.") }
            return .field(.category(literal.lowercased()))
        case .thread:
            guard !literal.isEmpty, !literal.hasPrefix("{") else {
                return text("A query within “thread:” is not understood here, and is read as text.")
            }
            return .field(.thread(Self.bare(literal)))
        case .messageID:
            let id = Self.bare(literal)
            return id.isEmpty ? text("“\(literal)” is no message id.") : .field(.messageID(id))
        case .type:
            return literal.isEmpty ? text("“\(literal)” is no type.") : .field(.type(QueryType(literal)))
        }
    }

    /// `nil` where nothing in it can be looked for.
    private func text(
        _ value: QueryValue,
        in scope: QueryScope,
        _ range: Range<Int>,
        _ notices: inout [QueryNotice]
    ) -> QueryNode? {
        if value.text == "*", !value.isQuoted, scope == .anywhere { return .everything }
        func note(_ kind: QueryNotice.Kind, _ message: String) {
            notices.append(QueryNotice(kind: kind, range: range, message: message))
        }
        guard value.text.unicodeScalars.contains(where: WordFolding.isWordScalar) else {
            note(.nothingToFind, "“\(value.text)” has no letter or digit to look for, and is left out.")
            return nil
        }
        if !value.isQuoted, value.prefix != nil, value.text.hasPrefix("/"), value.text.hasSuffix("/") {
            note(.unknownValue, "Regular expressions are not understood here; it is read as text.")
        } else if !value.isQuoted, value.text.contains("*") {
            note(.strayOperator, "A * counts at the end of a word alone.")
        }
        return .text(QueryText(value.text, in: scope, isPrefix: value.isPrefix))
    }

    private static let possessions: [String: QueryPossession] = [
        "attachment": .attachment, "attachments": .attachment, "attach": .attachment, "file": .attachment,
        "link": .link, "links": .link, "url": .link, "list": .list,
    ]
    private static let flags: [String: QueryFlag] = [
        "unread": .unread, "unseen": .unread, "read": .read, "seen": .read, "flagged": .flagged,
        "starred": .flagged,
        "replied": .replied, "answered": .replied, "passed": .passed, "forwarded": .passed, "draft": .draft,
        "trashed": .trashed, "deleted": .trashed, "new": .new,
    ]
    /// mu's short forms.
    private static let shortFlags = [
        "a": "attach", "d": "draft", "f": "flagged", "l": "list", "n": "new", "p": "passed", "r": "replied",
        "s": "seen",
        "t": "trashed", "u": "unread", "x": "encrypted", "z": "signed",
    ]

    private func state(_ value: QueryValue) -> QueryNode? {
        var name = value.literal.lowercased()
        if value.name == "flag" || value.name == "g" { name = Self.shortFlags[name] ?? name }
        guard !name.isEmpty else { return nil }
        if let flag = Self.flags[name] { return .field(.flag(flag)) }
        if let possession = Self.possessions[name], name != "file" { return .field(.has(possession)) }
        return .field(.tag(name))
    }

    /// `Lists/Kanu`, Maildir++'s `.Lists.Kanu`, mu's `/Lists/Kanu`, notmuch's `Lists/Kanu/**`.
    static func folder(_ text: String, isWhole: Bool) -> QueryFolder {
        let isWhole = isWhole || text.hasPrefix("/")
        var path = text.split(separator: "/")
        while let first = path.first, first.hasPrefix(".") {
            path.replaceSubrange(0..<1, with: first.split(separator: "."))
        }
        var isDeep = false
        while path.last == "**" {
            path.removeLast()
            isDeep = true
        }
        // A Maildir's own folders, which notmuch's paths have.
        while isWhole, path.count > 1, path.last == "cur" || path.last == "new" { path.removeLast() }
        return QueryFolder(path.map(String.init), isWhole: isWhole, isDeep: isDeep)
    }

    /// Without the brackets that a header has around an id.
    private static func bare(_ id: String) -> String {
        var id = Substring(id)
        while id.hasPrefix("<"), id.hasSuffix(">"), id.utf8.count > 1 { id = id.dropFirst().dropLast() }
        return String(id)
    }

    /// Splits `a..b`; without dots both ends are the same.
    private static func ends(_ text: String) -> (lower: String, upper: String, isRange: Bool) {
        guard let dots = text.firstRange(of: "..") else { return (text, text, false) }
        let upper = String(text[dots.upperBound...])
        let lower = String(text[..<dots.lowerBound])
        return (lower, upper == "!" ? lower : upper, true)
    }

    private func dates(_ text: String, _ range: Range<Int>, _ notices: inout [QueryNotice]) throws
        -> QueryRange
    {
        let (lower, upper, _) = Self.ends(text)
        guard !lower.isEmpty || !upper.isEmpty else { throw noDate(text, range) }
        let first = lower.isEmpty ? nil : try span(lower, range)
        let last = upper.isEmpty ? nil : try span(upper, range)
        if let first, let last, first.start >= last.end {
            noteReversed(range, &notices)
            return QueryRange(last.start, first.end - 1)
        }
        return QueryRange(first?.start, last.map { $0.end - 1 })
    }

    private func span(_ text: String, _ range: Range<Int>) throws -> DateWords.Span {
        if text.hasPrefix("@") {
            guard let second = Int64(text.dropFirst()), second.magnitude < 1 << 60 else {
                throw noDate(text, range)
            }
            return (second, second + 1)
        }
        guard text.utf8.count <= 100, let span = DateWords(text)?.span(clock) else {
            throw noDate(text, range)
        }
        return span
    }

    private func noDate(_ text: String, _ range: Range<Int>) -> any Error {
        QueryFault.error(
            "“\(text)” is no date.",
            range,
            "a date such as 2020-01-31, january, yesterday, last_week or 2020-01..2020-03"
        )
    }

    private func noteReversed(_ range: Range<Int>, _ notices: inout [QueryNotice]) {
        let message = "The range ends before it begins; it is read the other way round."
        notices.append(QueryNotice(kind: .reversedRange, range: range, message: message))
    }

    /// One size alone is the least; `>` and `<` may stand before it.
    private func sizes(_ text: String, _ range: Range<Int>, _ notices: inout [QueryNotice]) throws
        -> QueryRange
    {
        if let sign = text.first, sign == ">" || sign == "<" {
            let size = try bytes(String(text.dropFirst().drop { $0 == "=" }), range)
            return sign == ">" ? QueryRange(size, nil) : QueryRange(nil, size)
        }
        let (lower, upper, isRange) = Self.ends(text)
        guard !lower.isEmpty || !upper.isEmpty else { throw noSize(text, range) }
        let least = lower.isEmpty ? nil : try bytes(lower, range)
        guard isRange else { return QueryRange(least, nil) }
        let most = upper.isEmpty ? nil : try bytes(upper, range)
        if let least, let most, least > most {
            noteReversed(range, &notices)
            return QueryRange(most, least)
        }
        return QueryRange(least, most)
    }

    /// `10`, `10b`, `10k`, `1.5M`, `2G`; a thousand of each is the next, as in mu.
    private func bytes(_ text: String, _ range: Range<Int>) throws -> Int64 {
        let number = text.prefix { ($0.isASCII && $0.isNumber) || $0 == "." }
        let factors: [String: Double] = [
            "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9,
        ]
        guard let value = Double(number), let factor = factors[text.dropFirst(number.count).lowercased()],
            value * factor < 1e15
        else { throw noSize(text, range) }
        return Int64(value * factor)
    }

    private func noSize(_ text: String, _ range: Range<Int>) -> any Error {
        QueryFault.error("“\(text)” is no size.", range, "a size such as 500, 10k, 2M or 10k..2M")
    }
}
