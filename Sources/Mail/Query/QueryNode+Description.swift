/// The canonical form.
extension QueryNode: CustomStringConvertible {
    /// Reads as the same tree again, whatever the time.
    public var description: String {
        switch self {
        case .everything: return "*"
        case .text(let text): return text.description
        case .field(let field): return field.description
        case .not(let node): return "-" + node.grouped
        case .or(let nodes): return nodes.map(\.grouped).joined(separator: " OR ")
        case .and(let nodes):
            // Without an operator two folders would be alternatives.
            let kinds = nodes.compactMap(\.exclusiveKind)
            let isExplicit = Set(kinds).count < kinds.count
            return nodes.map(\.grouped).joined(separator: isExplicit ? " AND " : " ")
        }
    }

    private var grouped: String {
        switch self {
        case .and, .or: "(\(description))"
        default: description
        }
    }
}

extension QueryText: CustomStringConvertible {
    public var description: String {
        let name = scope == .anywhere ? "" : scope.rawValue + ":"
        return name + Self.quoted(text) + (isPrefix ? "*" : "")
    }

    private static let operators: Set = ["and", "or", "not", "xor", "near", "adj"]

    /// Bare where it reads as one word.
    static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let isPlain = scalars.enumerated().allSatisfy { offset, scalar in
            WordFolding.isWordScalar(scalar) || (offset > 0 && ".@_-'".unicodeScalars.contains(scalar))
        }
        if isPlain, !scalars.isEmpty, !operators.contains(text.lowercased()) { return text }
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in scalars {
            quoted.append(scalar)
            if scalar == "\"" { quoted.append(scalar) }
        }
        return String(quoted) + "\""
    }
}

extension QueryField: CustomStringConvertible {
    public var description: String {
        switch self {
        case .date(let range): "date:" + range.text { "@\($0)" }
        case .size(let range): "size:" + range.text { "\($0)" }
        case .has(let possession): "has:" + possession.rawValue
        case .flag(let flag): "is:" + flag.rawValue
        case .tag(let tag): "tag:" + QueryText.quoted(tag)
        case .folder(let folder): folder.description
        case .list(let list): "list:" + QueryText.quoted(list.name)
        case .category(let category): "category:" + QueryText.quoted(category)
        case .thread(let thread): "thread:" + QueryText.quoted(thread)
        case .messageID(let id): "id:" + QueryText.quoted(id)
        case .type(let type): "mimetype:" + QueryText.quoted(type.pattern)
        }
    }
}

extension QueryRange {
    fileprivate func text(_ print: (Int64) -> String) -> String {
        "\(lower.map(print) ?? "")..\(upper.map(print) ?? "")"
    }
}

extension QueryFolder: CustomStringConvertible {
    public var description: String {
        let path = path.joined(separator: "/") + (isDeep ? "/**" : "")
        return (isWhole ? "folder:" : "in:") + QueryText.quoted(path)
    }
}
