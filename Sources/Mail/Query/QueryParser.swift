import BreezeCore

/// Builds the tree: alternatives of conjunctions of conditions. A conjunction binds closer than an
/// alternative, and needs no operator.
struct QueryParser {
    private let tokens: [QueryToken]
    private let values: QueryValues
    private var at = 0
    private(set) var notices: [QueryNotice]

    init(_ text: String, clock: QueryClock, limits: QueryLimits) throws {
        let (found, notices) = try QueryLexer.tokens(of: text, limits: limits)
        tokens = Self.settled(found)
        self.notices = notices
        values = QueryValues(clock: clock)
    }

    mutating func parse() throws -> QueryNode {
        try alternatives(in: nil) ?? .everything
    }

    /// Decides which operators in lower case are plain words: those that stand beside no field and no
    /// parenthesis, and not within parentheses.
    private static func settled(_ tokens: [QueryToken]) -> [QueryToken] {
        var settled = tokens
        var depths: [Int] = []
        var depth = 0
        for token in tokens {
            if case .close = token.kind { depth -= 1 }
            depths.append(depth)
            if case .open = token.kind { depth += 1 }
        }
        // From the right, since `and not from:x` hangs on what follows.
        for index in tokens.indices.reversed() {
            guard let word = tokens[index].word else { continue }
            let next = index + 1 < settled.count ? settled[index + 1] : nil
            let last = index > 0 ? settled[index - 1] : nil
            var isOperator = next.map { isStructure($0, before: true) } ?? false
            if case .not = tokens[index].kind {
            } else {
                isOperator =
                    isOperator || depths[index] > 0 || (last.map { isStructure($0, before: false) } ?? false)
                isOperator = isOperator && next != nil && last != nil
            }
            if isOperator {
                settled[index].word = nil
            } else {
                settled[index].kind = .value(QueryValue(word))
            }
        }
        return settled
    }

    private static func isStructure(_ token: QueryToken, before: Bool) -> Bool {
        switch token.kind {
        case .value(let value): value.prefix != nil
        case .open: before
        case .close: !before
        case .not: before && token.word == nil
        case .and, .or: false
        }
    }

    private mutating func alternatives(in prefix: QueryPrefix?) throws -> QueryNode? {
        var found: [QueryNode] = []
        while true {
            let before = at
            if let node = try conjunction(in: prefix) { found.append(node) }
            guard at < tokens.count, case .or = tokens[at].kind else { break }
            if before == at || isAtEnd(at + 1) { noteStray(at) }
            at += 1
        }
        return found.isEmpty ? nil : .any(of: found)
    }

    private func isAtEnd(_ index: Int) -> Bool {
        guard index < tokens.count else { return true }
        if case .close = tokens[index].kind { return true }
        return false
    }

    /// Up to the next alternative or the group's end.
    private mutating func conjunction(in prefix: QueryPrefix?) throws -> QueryNode? {
        var runs: [[QueryNode]] = [[]]
        let start = at
        while !isAtEnd(at) {
            switch tokens[at].kind {
            case .or: return Self.joined(runs)
            case .and:
                var isStray = at == start || isAtEnd(at + 1)
                if at + 1 < tokens.count {
                    switch tokens[at + 1].kind {
                    case .and, .or: isStray = true
                    default: break
                    }
                }
                if isStray { noteStray(at) }
                runs.append([])
                at += 1
            default:
                if let node = try condition(in: prefix) { runs[runs.count - 1].append(node) }
            }
        }
        return Self.joined(runs)
    }

    /// Within a run that no operator joins, conditions of which a message meets only one are alternatives.
    private static func joined(_ runs: [[QueryNode]]) -> QueryNode? {
        var found: [QueryNode] = []
        for run in runs {
            var places: [Int: Int] = [:]
            for node in run {
                if let kind = node.exclusiveKind {
                    if let place = places[kind] {
                        found[place] = .any(of: [found[place], node])
                        continue
                    }
                    places[kind] = found.count
                }
                found.append(node)
            }
        }
        return found.isEmpty ? nil : .all(of: found)
    }

    private mutating func condition(in prefix: QueryPrefix?) throws -> QueryNode? {
        var isNegated = false
        let start = at
        while at < tokens.count, case .not = tokens[at].kind {
            isNegated.toggle()
            at += 1
        }
        guard !isAtEnd(at), !tokens[at].isOperator else {
            noteStray(start)
            return nil
        }
        guard let node = try primary(in: prefix) else { return nil }
        return isNegated ? .negation(of: node) : node
    }

    private mutating func primary(in prefix: QueryPrefix?) throws -> QueryNode? {
        let token = tokens[at]
        at += 1
        switch token.kind {
        case .open(let inner):
            if isAtEnd(at) {
                let range =
                    token.range
                    .lowerBound..<(at < tokens.count ? tokens[at].range.upperBound : token.range.upperBound)
                let message = "There is nothing in the parentheses, and they are left out."
                notices.append(QueryNotice(kind: .nothingToFind, range: range, message: message))
            }
            let node = try alternatives(in: inner ?? prefix)
            if at < tokens.count { at += 1 }
            return node
        case .value(var value):
            if value.prefix == nil { value.prefix = prefix }
            return try values.node(value, token.range, &notices)
        default: return nil
        }
    }

    private mutating func noteStray(_ index: Int) {
        let message = "An operator has nothing to join, and is left out."
        notices.append(QueryNotice(kind: .strayOperator, range: tokens[index].range, message: message))
    }
}

extension QueryNode {
    /// A number for each kind of condition of which a message meets only one; `nil` for others.
    var exclusiveKind: Int? {
        switch self {
        case .field(.folder): return 0
        case .field(.category): return 1
        case .field(.thread): return 2
        case .field(.messageID): return 3
        case .or(let nodes):
            let kinds = Set(nodes.map(\.exclusiveKind))
            return kinds.count == 1 ? nodes.first?.exclusiveKind : nil
        default: return nil
        }
    }
}
