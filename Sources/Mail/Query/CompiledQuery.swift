/// A query in the two forms that an index understands: FTS5 expressions and conditions on fields.
///
/// The expressions are complete and need no escaping: everything that was typed stands in them as a quoted
/// string, and they are bound as values, never put into SQL.
public struct CompiledQuery: Hashable, Sendable {
    /// What a message must meet. Words that stand together are one ``QueryFilter/match(_:)``.
    public var filter: QueryFilter
    /// An FTS5 expression of all wanted words, any of which is enough, to order what ``filter`` finds; `nil`
    /// where the query wants no words.
    public var ranking: String?

    /// `columns` are the FTS5 columns of each scope; a scope without any is looked for in all of them.
    public init(_ node: QueryNode, columns: [QueryScope: [String]]) {
        let compiler = QueryCompiler(columns: columns)
        filter = compiler.filter(node)
        var wanted: [String] = []
        compiler.collectWanted(node, &wanted)
        ranking = wanted.isEmpty ? nil : wanted.joined(separator: " OR ")
    }
}

/// A condition on a message.
public indirect enum QueryFilter: Hashable, Sendable {
    case everything
    /// Whether the message's row of the FTS5 table matches the expression.
    case match(String)
    case field(QueryField)
    case not(QueryFilter)
    case and([QueryFilter])
    case or([QueryFilter])
}

extension QueryNode {
    /// The same, but of the plain single words that all had to be there, any is enough: for a ranked search
    /// with plain language. Phrases, fields and words that are not wanted stay as they are.
    public var relaxed: QueryNode {
        guard case .and(let nodes) = self else { return self }
        func isPlain(_ node: QueryNode) -> Bool {
            guard case .text(let text) = node else { return false }
            return text.scope == .anywhere && !text.text.contains(where: \.isWhitespace)
        }
        let plain = nodes.filter(isPlain)
        guard plain.count > 1, let first = nodes.firstIndex(where: isPlain) else { return self }
        var rest = nodes.filter { !isPlain($0) }
        rest.insert(.any(of: plain), at: first)
        return .all(of: rest)
    }
}

struct QueryCompiler {
    let columns: [QueryScope: [String]]

    func filter(_ node: QueryNode) -> QueryFilter {
        if let words = expression(node) { return .match(words.text) }
        switch node {
        case .everything, .text: return .everything
        case .field(let field): return .field(field)
        case .not(let inner): return .not(filter(inner))
        case .or(let nodes):
            let (words, rest) = parted(nodes) { expression($0) }
            return .or(matches(words, " OR ") + rest.map(filter))
        case .and(let nodes):
            let (words, others) = parted(nodes) { expression($0) }
            // FTS5 subtracts from what it has found: words that are not wanted go with those that are.
            let (unwanted, rest) = words.isEmpty ? ([], others) : parted(others) { self.unwanted($0) }
            if let wanted = group(words, " AND "), let unwanted = group(unwanted, " OR "),
                let both = group([wanted, unwanted], " NOT ")
            {
                return .and([.match(both.text)] + rest.map(filter))
            }
            return .and(matches(words, " AND ") + unwanted.map { .not(.match($0.text)) } + rest.map(filter))
        }
    }

    /// Expressions in one, or each alone where that would be too deep.
    private func matches(_ words: [Expression], _ operation: String) -> [QueryFilter] {
        if words.isEmpty { return [] }
        if let one = group(words, operation) { return [.match(one.text)] }
        return words.map { .match($0.text) }
    }

    private func parted(_ nodes: [QueryNode], _ read: (QueryNode) -> Expression?) -> (
        [Expression], [QueryNode]
    ) {
        var (words, rest): ([Expression], [QueryNode]) = ([], [])
        for node in nodes {
            if let expression = read(node) { words.append(expression) } else { rest.append(node) }
        }
        return (words, rest)
    }

    private struct Expression {
        var text: String
        /// Parentheses within each other.
        var depth = 0
    }

    /// SQLite's parser holds a hundred symbols, and a level here takes up to four of them.
    private static let maxDepth = 16

    /// `nil` where a node is more than wanted words and words that are not wanted beside them, or is too
    /// deep.
    private func expression(_ node: QueryNode) -> Expression? {
        switch node {
        case .text(let text): return Expression(text: term(text))
        case .or(let nodes):
            let (words, rest) = parted(nodes) { expression($0) }
            return rest.isEmpty ? group(words, " OR ") : nil
        case .and(let nodes):
            let (words, others) = parted(nodes) { expression($0) }
            let (unwanted, rest) = parted(others) { self.unwanted($0) }
            guard rest.isEmpty, let wanted = group(words, " AND ") else { return nil }
            if unwanted.isEmpty { return wanted }
            return group(unwanted, " OR ").flatMap { group([wanted, $0], " NOT ") }
        default: return nil
        }
    }

    private func group(_ expressions: [Expression], _ operation: String) -> Expression? {
        if expressions.count < 2 { return expressions.first }
        let depth = 1 + (expressions.map(\.depth).max() ?? 0)
        guard depth <= Self.maxDepth else { return nil }
        return Expression(
            text: "(" + expressions.map(\.text).joined(separator: operation) + ")",
            depth: depth
        )
    }

    private func unwanted(_ node: QueryNode) -> Expression? {
        if case .not(let inner) = node { expression(inner) } else { nil }
    }

    func collectWanted(_ node: QueryNode, _ wanted: inout [String]) {
        switch node {
        case .text(let text):
            let term = term(text)
            if !wanted.contains(term) { wanted.append(term) }
        case .and(let nodes), .or(let nodes): for node in nodes { collectWanted(node, &wanted) }
        default: break
        }
    }

    private func term(_ text: QueryText) -> String {
        let names = columns[text.scope] ?? []
        let filter = names.isEmpty ? "" : "{" + names.map(Self.string).joined(separator: " ") + "} : "
        return filter + Self.string(text.text) + (text.isPrefix ? " *" : "")
    }

    /// An FTS5 string. Scalars and not characters are doubled: a quote with an accent is still a quote to
    /// SQLite, and its text ends at a null.
    private static func string(_ text: String) -> String {
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars where scalar.value != 0 {
            quoted.append(scalar)
            if scalar == "\"" { quoted.append(scalar) }
        }
        quoted.append("\"")
        return String(quoted)
    }
}
