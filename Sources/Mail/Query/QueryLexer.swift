/// Cuts a query into tokens. Whatever it meets is a token of some kind.
struct QueryLexer {
    private let scalars: [Unicode.Scalar]
    private let limits: QueryLimits
    private var at = 0
    private var tokens: [QueryToken] = []
    private var notices: [QueryNotice] = []
    private var depth = 0
    private var terms = 0

    private init(_ text: String, limits: QueryLimits) {
        // No text has it, and SQLite's ends at it.
        scalars = text.unicodeScalars.filter { $0.value != 0 }
        self.limits = limits
    }

    static func tokens(of text: String, limits: QueryLimits) throws -> ([QueryToken], [QueryNotice]) {
        let length = text.unicodeScalars.count
        guard length <= limits.length else {
            throw QueryFault.error(
                "The query has \(length) characters, and \(limits.length) are read.",
                limits.length..<length,
                "at most \(limits.length) characters"
            )
        }
        var lexer = QueryLexer(text, limits: limits)
        while lexer.skipSpace() { try lexer.readToken() }
        if lexer.depth > 0 {
            let end = lexer.scalars.count
            lexer.notices.append(
                QueryNotice(
                    kind: .unbalanced,
                    range: end..<end,
                    message: "A parenthesis is not closed; it ends here."
                )
            )
        }
        return (lexer.tokens, lexer.notices)
    }

    private mutating func skipSpace() -> Bool {
        while at < scalars.count, scalars[at].properties.isWhitespace { at += 1 }
        return at < scalars.count
    }

    private mutating func readToken() throws {
        let start = at
        switch scalars[at] {
        case "(": try open(nil, from: start)
        case ")" where depth > 0:
            at += 1
            depth -= 1
            try add(.close, from: start)
        case "-" where isNegation:
            at += 1
            try add(.not, from: start)
        case let quote where Self.closings[quote] != nil: try add(phrase(prefix: nil, name: ""), from: start)
        default: try readWord(from: start)
        }
    }

    /// A dash before something, and not before another dash.
    private var isNegation: Bool {
        let next = at + 1
        guard next < scalars.count else { return false }
        return !scalars[next].properties.isWhitespace && scalars[next] != "-"
            && !(scalars[next] == ")" && depth > 0)
    }

    private mutating func open(_ prefix: QueryPrefix?, from start: Int) throws {
        depth += 1
        guard depth <= limits.depth else {
            throw QueryFault.error(
                "The query has parentheses in more than \(limits.depth) levels.",
                at..<at + 1,
                "at most \(limits.depth) levels"
            )
        }
        at += 1
        try add(.open(prefix), from: start)
    }

    private mutating func add(_ kind: QueryToken.Kind, from start: Int, word: String? = nil) throws {
        if case .value = kind {
            terms += 1
            guard terms <= limits.terms else {
                throw QueryFault.error(
                    "The query has more than \(limits.terms) words and conditions.",
                    start..<scalars.count,
                    "at most \(limits.terms) words and conditions"
                )
            }
        }
        tokens.append(QueryToken(kind: kind, range: start..<at, word: word))
    }

    private mutating func readWord(from start: Int) throws {
        if let (name, prefix) = prefix() {
            let value = at + name.unicodeScalars.count + 1
            if let prefix, prefix != .unsupported {
                at = value
                if value < scalars.count, scalars[value] == "(" { return try open(prefix, from: start) }
                if value < scalars.count, Self.closings[scalars[value]] != nil {
                    return try add(phrase(prefix: prefix, name: name), from: start)
                }
                let text = bareWord()
                if !text.isEmpty {
                    return try add(.value(QueryValue(text, prefix: prefix, name: name)), from: start)
                }
                note(.unknownValue, start..<at, "Nothing follows “\(name):”; it is read as a word.")
                return try add(.value(QueryValue(name)), from: start)
            }
            if value < scalars.count, Self.closings[scalars[value]] != nil {
                at = value
                noteUnknown(name, prefix, start..<value)
                return try add(.value(QueryValue(name)), from: start)
            }
            let text = bareWord()
            if prefix != nil || Self.seemsField(name, text) { noteUnknown(name, prefix, start..<at) }
            return try add(.value(QueryValue(text)), from: start)
        }
        let text = bareWord()
        try addWord(text, from: start)
    }

    private mutating func addWord(_ text: String, from start: Int) throws {
        switch text {
        case "AND", "&&": try add(.and, from: start)
        case "OR", "||": try add(.or, from: start)
        case "NOT": try add(.not, from: start)
        case "and": try add(.and, from: start, word: text)
        case "or": try add(.or, from: start, word: text)
        case "not": try add(.not, from: start, word: text)
        default:
            if ["XOR", "NEAR", "ADJ"].contains(text) || text.hasPrefix("NEAR/") || text.hasPrefix("ADJ/") {
                note(.strayOperator, start..<at, "\(text) is no operator here and is read as a word.")
            }
            try add(.value(QueryValue(text)), from: start)
        }
    }

    /// The letters before a colon, and what field they are.
    private func prefix() -> (name: String, prefix: QueryPrefix?)? {
        var end = at
        while end < scalars.count, scalars[end].isASCII, scalars[end].properties.isAlphabetic { end += 1 }
        guard end > at, end < scalars.count, scalars[end] == ":" else { return nil }
        let name = String(String.UnicodeScalarView(scalars[at..<end]))
        return (name, QueryPrefix(name))
    }

    /// Whether a word with a colon was meant as a field: no URL, no time, and a colon in the middle.
    private static func seemsField(_ name: String, _ text: String) -> Bool {
        let value = text.dropFirst(name.count + 1)
        return name.count > 1 && !value.isEmpty && !value.hasPrefix("//") && name.lowercased() != "mailto"
    }

    private mutating func noteUnknown(_ name: String, _ prefix: QueryPrefix?, _ range: Range<Int>) {
        let fault = prefix == nil ? "There is no field “\(name):”" : "“\(name):” is not understood here"
        note(.unknownField, range, "\(fault); it is read as text.")
    }

    /// Up to the next space, or the parenthesis that closes a group.
    private mutating func bareWord() -> String {
        let start = at
        var inner = 0
        while at < scalars.count, !scalars[at].properties.isWhitespace {
            if scalars[at] == "(" { inner += 1 }
            if scalars[at] == ")" {
                if inner == 0, depth > 0 { break }
                inner -= 1
            }
            at += 1
        }
        return String(String.UnicodeScalarView(scalars[start..<at]))
    }

    /// What closes a quote that opens with a character.
    private static let closings: [Unicode.Scalar: Set<Unicode.Scalar>] = [
        "\"": ["\""], "“": ["”", "“", "\""], "„": ["“", "”", "\""], "«": ["»"],
    ]

    /// A doubled quote is one within the phrase.
    private mutating func phrase(prefix: QueryPrefix?, name: String) -> QueryToken.Kind {
        let start = at
        let closing = Self.closings[scalars[at]] ?? []
        at += 1
        var text = String.UnicodeScalarView()
        var isClosed = false
        while at < scalars.count {
            let scalar = scalars[at]
            at += 1
            guard closing.contains(scalar) else {
                text.append(scalar)
                continue
            }
            if scalar == "\"", scalars[start] == "\"", at < scalars.count, scalars[at] == "\"" {
                text.append(scalar)
                at += 1
                continue
            }
            isClosed = true
            break
        }
        if !isClosed { note(.unbalanced, start..<at, "A quote is not closed; the phrase goes to the end.") }
        let isPrefix = isClosed && at < scalars.count && scalars[at] == "*"
        if isPrefix { at += 1 }
        return .value(QueryValue(phrase: String(text), isPrefix: isPrefix, prefix: prefix, name: name))
    }

    private mutating func note(_ kind: QueryNotice.Kind, _ range: Range<Int>, _ message: String) {
        notices.append(QueryNotice(kind: kind, range: range, message: message))
    }
}
