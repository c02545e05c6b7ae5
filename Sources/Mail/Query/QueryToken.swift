/// A piece of a query as it was typed.
struct QueryToken {
    enum Kind {
        /// With the field that its contents belong to.
        case open(QueryPrefix?)
        case close
        case and, or, not
        /// A word or a phrase, or a field's value where there is a field.
        case value(QueryValue)
    }

    var kind: Kind
    var range: Range<Int>
    /// An operator in lower case, which may be a plain word.
    var word: String?

    var isOperator: Bool {
        switch kind {
        case .and, .or, .not: true
        default: false
        }
    }
}

struct QueryValue {
    var prefix: QueryPrefix?
    /// The prefix as it was typed, in lower case.
    var name = ""
    var text: String
    var isQuoted: Bool
    /// Whether a `*` follows; the text is without it.
    var isPrefix: Bool

    /// The whole value, for a reading that knows no beginnings of words.
    var literal: String

    init(_ literal: String, prefix: QueryPrefix? = nil, name: String = "") {
        self.literal = literal
        self.prefix = prefix
        self.name = name.lowercased()
        isQuoted = false
        var scalars = literal.unicodeScalars
        while scalars.count > 1, scalars.last == "*" { scalars.removeLast() }
        text = String(scalars)
        isPrefix = scalars.count < literal.unicodeScalars.count
    }

    init(phrase: String, isPrefix: Bool, prefix: QueryPrefix?, name: String) {
        text = phrase
        literal = phrase
        self.isPrefix = isPrefix
        self.prefix = prefix
        self.name = name.lowercased()
        isQuoted = true
    }
}
