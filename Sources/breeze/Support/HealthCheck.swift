/// One thing that Breeze needs or can use.
struct HealthCheck: Encodable {
    enum Status: String, Encodable {
        case ok
        case missing
        /// It is there and cannot be used; ``detail`` says why.
        case broken
    }

    enum Kind: String, Encodable {
        case runtime, model, library, tool, settings, system
    }

    private enum CodingKeys: CodingKey {
        case name, kind, status, version, path, enables, remedy, detail
    }

    let name: String
    let kind: Kind
    let status: Status
    var version: String?
    var path: String?
    /// What works with it and does not without.
    let enables: String
    /// The command or step that mends it.
    var remedy: String?
    var detail: String?

    /// Every field is there, `null` where there is nothing to say, so that scripts need not ask first.
    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(kind, forKey: .kind)
        try values.encode(status, forKey: .status)
        try values.encode(version, forKey: .version)
        try values.encode(path, forKey: .path)
        try values.encode(enables, forKey: .enables)
        try values.encode(remedy, forKey: .remedy)
        try values.encode(detail, forKey: .detail)
    }

    func lines(_ style: Style) -> [String] {
        let mark =
            switch status {
            case .ok: style.good("ok      ")
            case .missing: style.warning("missing ")
            case .broken: style.bad("broken  ")
            }
        let title = [name, version].compactMap(\.self).joined(separator: " ")
        var lines = ["\(mark)\(style.bold(title))  \(style.dim("for \(enables)"))"]
        let indent = String(repeating: " ", count: 8)
        if let path { lines.append(style.dim("\(indent)\(path)")) }
        if let detail { lines.append("\(indent)\(detail)") }
        if let remedy {
            lines += remedy.split(separator: "\n").map { "\(indent)\(style.accent("mend it: "))\($0)" }
        }
        return lines
    }
}
