/// A message's bytes, read as crudely as telling messages apart needs: nothing is decoded.
public struct RawMessage: Sendable {
    private let bytes: [UInt8]
    /// Behind the first empty line; the end where there is none.
    private let body: Int

    /// A header that stands further behind is none that anybody waits for.
    private static let longestHeader = 64 << 10

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        body = Self.bodyStart(bytes)
    }

    /// The Message-ID without its angle brackets; `nil` where there is none in the first 64 KiB of the headers.
    public var messageID: String? {
        let head = bytes[..<min(body, Self.longestHeader)]
        let lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let name = Array("message-id:".utf8)
        func isNamed(_ line: ArraySlice<UInt8>) -> Bool {
            line.count >= name.count && zip(line, name).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
        }
        guard let at = lines.firstIndex(where: isNamed) else { return nil }
        // A folded line begins with white space, and goes on with what it folds.
        let rest = lines[(at + 1)...].prefix { $0.first == 32 || $0.first == 9 }
        let value = ([lines[at].dropFirst(name.count)] + rest).joined()
        guard let start = value.firstIndex(of: UInt8(ascii: "<")) else { return nil }
        let id = value[value.index(after: start)...]
        guard let end = id.firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let text = id[..<end].filter { !Self.isSpace($0) }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    /// Equal for bodies that differ in white space alone, within one run of a program; `nil` where there is no body,
    /// since messages without one are not the same message.
    public var bodyFingerprint: Int? {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count - body)
        var isPending = false
        for byte in bytes[body...] {
            if Self.isSpace(byte) {
                isPending = !text.isEmpty
                continue
            }
            if isPending { text.append(32) }
            isPending = false
            text.append(byte)
        }
        guard !text.isEmpty else { return nil }
        var hasher = Hasher()
        text.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private static func bodyStart(_ bytes: [UInt8]) -> Int {
        var (at, isLineEmpty) = (0, true)
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\n"):
                if isLineEmpty { return at + 1 }
                isLineEmpty = true
            case UInt8(ascii: "\r"): break
            default: isLineEmpty = false
            }
            at += 1
        }
        return bytes.count
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
