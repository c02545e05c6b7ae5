/// A query as a tree.
///
/// Trees made by ``all(of:)``, ``any(of:)`` and ``negation(of:)`` are in normal form, which printing and
/// parsing keep: no group of one, no group directly in one of its kind, no double negation.
public indirect enum QueryNode: Hashable, Sendable {
    case everything
    case text(QueryText)
    case field(QueryField)
    case not(QueryNode)
    case and([QueryNode])
    case or([QueryNode])

    public static func all(of nodes: [QueryNode]) -> QueryNode {
        let flat = nodes.flatMap { node in if case .and(let inner) = node { inner } else { [node] } }
        return flat.isEmpty ? .everything : flat.count == 1 ? flat[0] : .and(flat)
    }

    /// Of no nodes it finds nothing.
    public static func any(of nodes: [QueryNode]) -> QueryNode {
        let flat = nodes.flatMap { node in if case .or(let inner) = node { inner } else { [node] } }
        return flat.isEmpty ? .not(.everything) : flat.count == 1 ? flat[0] : .or(flat)
    }

    public static func negation(of node: QueryNode) -> QueryNode {
        if case .not(let inner) = node { inner } else { .not(node) }
    }

    func collectMeaning(_ words: inout [String]) {
        switch self {
        case .text(let text) where text.scope == .anywhere && !text.isPrefix: words.append(text.text)
        case .and(let nodes), .or(let nodes): for node in nodes { node.collectMeaning(&words) }
        default: break
        }
    }
}

/// Words that stand next to each other in this order, without regard to case and diacritics: a single word,
/// or a phrase.
public struct QueryText: Hashable, Sendable {
    public var scope: QueryScope
    /// As it was typed. What is no letter or digit separates words.
    public var text: String
    /// Whether the last word may go on.
    public var isPrefix: Bool

    public init(_ text: String, in scope: QueryScope = .anywhere, isPrefix: Bool = false) {
        self.scope = scope
        self.text = text
        self.isPrefix = isPrefix
    }
}

/// Where words are looked for.
public enum QueryScope: String, Codable, Hashable, Sendable, CaseIterable {
    /// Every text of a message: what the others name, but for file names.
    case anywhere
    case subject
    case body
    /// Names and addresses of senders.
    case from
    /// Of all recipients: To, Cc and Bcc.
    case to
    case cc
    case bcc
    /// Of senders and recipients.
    case contact
    /// Names of attached files.
    case attachment
}
