/// Finds keys that services mark with a prefix, and JSON web tokens. Case matters here, and only characters that
/// stand in such keys count.
struct SecretMatcher: Sendable {
    private struct Token: Sendable {
        var start = 0
        var end = 0
        var count = 0
        /// The first ``SecretMatcher/headLength`` characters.
        var head: [UInt8] = []
        var isUpper = true
        var isAlphanumeric = true
        var hasDigit = false

        func begins(with prefix: String) -> Bool { head.starts(with: prefix.utf8) }
    }

    private struct Kind: Sendable {
        let rule: String
        let prefixes: [String]
        let lengths: ClosedRange<Int>
        var isUpper = false
    }

    private static let headLength = 12

    /// From the services' own documents and secret scanners: prefix and length in characters.
    private static let kinds: [Kind] = [
        Kind(rule: "secret.aws", prefixes: ["AKIA", "ASIA"], lengths: 20...20, isUpper: true),
        Kind(rule: "secret.github", prefixes: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], lengths: 40...255),
        Kind(rule: "secret.github", prefixes: ["github_pat_"], lengths: 82...255),
        Kind(rule: "secret.gitlab", prefixes: ["glpat-"], lengths: 26...64),
        Kind(rule: "secret.google", prefixes: ["AIza"], lengths: 39...39),
        Kind(
            rule: "secret.slack",
            prefixes: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-"],
            lengths: 24...255
        ),
        Kind(rule: "secret.stripe", prefixes: ["sk_live_", "rk_live_"], lengths: 32...255),
        Kind(rule: "secret.npm", prefixes: ["npm_"], lengths: 40...40),
        Kind(rule: "secret.openai", prefixes: ["sk-"], lengths: 40...255),
    ]

    private var token: Token?
    /// Tokens of one JSON web token so far: parts that a single dot joins.
    private var parts: [Token] = []

    mutating func read(_ symbol: Symbol, into findings: inout [RuleFinding]) {
        let plain = symbol.plain
        if symbol.isAlphanumeric || plain == UInt8(ascii: "_") || plain == UInt8(ascii: "-") {
            extend(symbol)
        } else {
            guard token != nil || !parts.isEmpty else { return }
            close(into: &findings, joins: plain == UInt8(ascii: "."))
        }
    }

    private mutating func extend(_ symbol: Symbol) {
        if token == nil { token = Token(start: symbol.start) }
        token?.end = symbol.end
        token?.count += 1
        if let count = token?.count, count <= Self.headLength { token?.head.append(symbol.plain) }
        if symbol.isDigit {
            token?.hasDigit = true
        } else if !symbol.isAlphanumeric {
            token?.isAlphanumeric = false
        } else if symbol.plain >= 0x61 {
            token?.isUpper = false
        }
    }

    private mutating func close(into findings: inout [RuleFinding], joins: Bool) {
        defer { token = nil }
        guard let closed = token else {
            parts = []
            return
        }
        if let kind = Self.kinds.first(where: { Self.matches(closed, $0) }) {
            report(kind.rule, closed.start..<closed.end, into: &findings)
        }
        readPart(closed, joins: joins, into: &findings)
    }

    private static let beginnings = (kinds.flatMap(\.prefixes) + ["eyJ"]).map { Array($0.utf8) }

    private static func matches(_ token: Token, _ kind: Kind) -> Bool {
        kind.lengths.contains(token.count) && token.hasDigit
            && (!kind.isUpper || token.isUpper && token.isAlphanumeric)
            && kind.prefixes.contains { token.begins(with: $0) }
    }

    /// `{"` in base64 is `eyJ`: so begin the header and the claims, which are JSON. What follows is the
    /// signature.
    private mutating func readPart(_ part: Token, joins: Bool, into findings: inout [RuleFinding]) {
        if parts.count == 2, part.count >= 16 {
            report("secret.jwt", parts[0].start..<part.end, into: &findings)
            parts = []
        } else if joins, parts.count < 2, part.begins(with: "eyJ"), part.count >= 10 {
            parts.append(part)
        } else {
            parts = []
        }
    }

    private func report(_ rule: String, _ span: Range<Int>, into findings: inout [RuleFinding]) {
        findings.append(
            RuleFinding(rule: rule, category: GuardianRules.Category.secret, risk: 0.95, span: span)
        )
    }

    mutating func finish(into findings: inout [RuleFinding]) {
        close(into: &findings, joins: false)
        parts = []
    }

    /// A word that may be a key: it begins like one.
    var openStart: Int? {
        if let first = parts.first { return first.start }
        guard let token else { return nil }
        let mayBegin = Self.beginnings.contains { prefix in
            token.head.starts(with: prefix) || prefix.starts(with: token.head)
        }
        return mayBegin ? token.start : nil
    }
}
