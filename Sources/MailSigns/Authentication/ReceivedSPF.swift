/// One Received-SPF header (RFC 7208, 9.1).
public struct ReceivedSPF: Codable, Hashable, Sendable {
    /// In lower case: `pass`, `softfail`.
    public let value: String
    /// Who checked, in lower case: `receiver=`, else what the comment begins with; `nil` where neither says so.
    public let receiver: String?

    private static let longest = 500

    /// - Parameter header: what follows the header's name; `nil` where it has no result.
    public init?(_ header: String) {
        let value = header.prefix { $0.isASCII && $0.isLetter }.lowercased()
        guard !value.isEmpty else { return nil }
        self.value = String(value.prefix(Self.longest))
        receiver = (Self.key(header) ?? Self.comment(header)).map { String($0.prefix(Self.longest)) }
    }

    private static func key(_ header: String) -> String? {
        var copy = header
        return copy.withUTF8 { bytes in
            var lexer = AuthenticationLexer(bytes)
            while let segment = lexer.segment() {
                for pair in segment.pairs where pair.name.lowercased() == "receiver" {
                    return pair.value.lowercased()
                }
            }
            return nil
        }
    }

    /// `(mx.example.org: domain of …)`
    private static func comment(_ header: String) -> String? {
        guard let open = header.firstIndex(of: "(") else { return nil }
        let rest = header[header.index(after: open)...]
        let name = rest.prefix { $0 != ":" && $0 != " " && $0 != ")" }
        guard name.contains("."), name.endIndex < rest.endIndex, rest[name.endIndex] == ":" else {
            return nil
        }
        return name.lowercased()
    }
}
