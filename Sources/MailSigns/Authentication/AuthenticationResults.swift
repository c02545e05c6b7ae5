/// One Authentication-Results header (RFC 8601, and RFC 7001 before it), as a receiver wrote it.
///
/// Any text may be given: what is malformed is read as far as it goes, in time that grows with its length alone.
public struct AuthenticationResults: Codable, Hashable, Sendable {
    /// Who wrote it, in lower case; `nil` where it does not say so.
    public let server: String?
    /// In the order of the header, at most 50.
    public let results: [Result]

    /// What one method found.
    public struct Result: Codable, Hashable, Sendable {
        /// In lower case, without its version: `spf`, `dkim`, `dmarc`.
        public let method: String
        /// In lower case: `pass`, `fail`, `bestguesspass`.
        public let value: String
        /// By names in lower case, `smtp.mailfrom`, `header.d`, `reason`; the first of a name counts. At most 20, and
        /// 500 bytes of each.
        public let properties: [String: String]
    }

    private static let mostResults = 50
    private static let mostProperties = 20
    private static let longestValue = 500

    /// - Parameter header: what follows the header's name.
    public init(_ header: String) {
        var server: String?
        var results: [Result] = []
        var copy = header
        copy.withUTF8 { bytes in
            var lexer = AuthenticationLexer(bytes)
            var isFirst = true
            while results.count < Self.mostResults, let segment = lexer.segment() {
                if isFirst { server = segment.server }
                if let result = Self.result(segment) { results.append(result) }
                isFirst = false
            }
        }
        self.server = server
        self.results = results
    }

    private static func result(_ segment: AuthenticationLexer.Segment) -> Result? {
        guard let first = segment.pairs.first else { return nil }
        let method = first.name.prefix { $0 != "/" }.lowercased()
        guard !method.isEmpty, !first.value.isEmpty else { return nil }
        var properties: [String: String] = [:]
        for pair in segment.pairs.dropFirst() where properties.count < mostProperties {
            let name = pair.name.lowercased()
            if properties[name] == nil { properties[name] = String(pair.value.prefix(longestValue)) }
        }
        let value = String(first.value.lowercased().prefix(longestValue))
        return Result(method: method, value: value, properties: properties)
    }
}
