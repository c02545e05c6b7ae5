/// Added tokens that are recognised in the text as it is after normalisation, so that `<UNK>` may be `<unk>`.
///
/// Only short ASCII tokens that begin with a symbol: such a symbol is rare, so that everything else in a text
/// costs nothing more, and it ends the word before it whether or not it begins a token.
struct NormalizedTokens: Sendable {
    private static let maximumLength = 32

    private var ids: [[UInt8]: Int32] = [:]
    /// Everything that some token begins with, the tokens themselves included.
    private var prefixes: Set<[UInt8]> = []

    var isEmpty: Bool { ids.isEmpty }

    static func canHold(_ token: [UInt8]) -> Bool {
        guard let first = token.first, token.count <= maximumLength else { return false }
        return isSymbol(first) && token.allSatisfy { (0x21...0x7E).contains($0) }
    }

    static func lowercased(_ token: [UInt8]) -> [UInt8] {
        token.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    static func isSymbol(_ byte: UInt8) -> Bool {
        byte < 0x80 && BertScalarRules.isPunctuation(Unicode.Scalar(byte))
    }

    /// A token that ``canHold(_:)`` accepts; `false` when it is already there.
    mutating func insert(_ token: [UInt8], id: Int32) -> Bool {
        guard ids.updateValue(id, forKey: token) == nil else { return false }
        for length in 1...token.count { prefixes.insert(Array(token.prefix(length))) }
        return true
    }

    func isPrefix(_ bytes: [UInt8]) -> Bool {
        prefixes.contains(bytes)
    }

    /// The longest token that `bytes` begins with.
    func longestPrefix(of bytes: [UInt8]) -> (id: Int32, length: Int)? {
        for length in stride(from: bytes.count, to: 0, by: -1) {
            if let id = ids[Array(bytes.prefix(length))] { return (id, length) }
        }
        return nil
    }
}
