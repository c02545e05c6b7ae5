/// A host that is an address and no name, however it is written.
public struct NumericHost: Codable, Hashable, Sendable {
    /// Four numbers with dots, or eight groups without zeros before them, `2001:db8:0:0:0:0:0:1`.
    public let address: String
    /// Whether no other network leads there: this device, or the one it is in.
    public let isLocal: Bool

    /// - Parameter host: in lower case; IPv6 in brackets.
    init?(_ host: some StringProtocol) {
        if host.hasPrefix("[") {
            guard host.hasSuffix("]"), let groups = Self.groups(Array(host.utf8.dropFirst().dropLast()))
            else {
                return nil
            }
            address = groups.map { String($0, radix: 16) }.joined(separator: ":")
            let isLoopback = groups.dropLast().allSatisfy { $0 == 0 } && groups[7] <= 1
            // fe80::/10 and fc00::/7.
            isLocal = isLoopback || groups[0] & 0xFFC0 == 0xFE80 || groups[0] & 0xFE00 == 0xFC00
            return
        }
        guard let number = Self.number(host) else { return nil }
        let bytes = (0..<4).map { number >> (24 - 8 * $0) & 0xFF }
        address = bytes.map(String.init).joined(separator: ".")
        switch (bytes[0], bytes[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168), (172, 16...31): isLocal = true
        default: isLocal = false
        }
    }

    /// Up to four numbers, decimal, octal (`0…`) or hexadecimal (`0x…`); the last fills what the others leave (WHATWG
    /// URL, IPv4 parser).
    private static func number(_ host: some StringProtocol) -> UInt32? {
        guard host.utf8.count <= 80, host.last != ".",
            host.utf8.first.map({ $0 < 0x3A && $0 >= 0x30 }) == true
        else { return nil }
        let pieces = host.split(separator: ".", omittingEmptySubsequences: false)
        guard pieces.count <= 4 else { return nil }
        var numbers: [UInt64] = []
        for piece in pieces {
            guard let number = number(of: piece) else { return nil }
            numbers.append(number)
        }
        guard let rest = numbers.popLast(), numbers.allSatisfy({ $0 < 256 }) else { return nil }
        let room = 8 * (4 - numbers.count)
        guard rest < 1 << UInt64(room) else { return nil }
        return UInt32(numbers.reduce(0) { $0 << 8 | $1 } << UInt64(room) | rest)
    }

    private static func number(of piece: some StringProtocol) -> UInt64? {
        let (digits, radix): ([UInt8], UInt64) =
            switch true {
            case piece.hasPrefix("0x"): (Array(piece.utf8.dropFirst(2)), 16)
            case piece.hasPrefix("0") && piece.utf8.count > 1: (Array(piece.utf8.dropFirst()), 8)
            default: (Array(piece.utf8), 10)
            }
        if digits.isEmpty { return radix == 16 ? 0 : nil }
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = Hexadecimal.value(byte).map(UInt64.init), digit < radix else { return nil }
            value = value * radix + digit
            if value > UInt64(UInt32.max) { return nil }
        }
        return value
    }

    /// The eight groups of an IPv6 address (RFC 4291, 2.2); a zone is left out.
    private static func groups(_ bytes: [UInt8]) -> [UInt16]? {
        guard bytes.count <= 100 else { return nil }
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "%") }, as: UTF8.self)
        var halves: [[UInt16]] = []
        for half in text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false) {
            guard let groups = pieces(half) else { return nil }
            halves.append(groups)
        }
        if halves.count == 1 { return halves[0].count == 8 ? halves[0] : nil }
        let missing = 8 - halves[0].count - halves[1].count
        guard missing > 0 else { return nil }
        return halves[0] + Array(repeating: 0, count: missing) + halves[1]
    }

    private static func pieces(_ half: Substring) -> [UInt16]? {
        if half.isEmpty { return [] }
        var groups: [UInt16] = []
        let pieces = half.split(separator: ":", omittingEmptySubsequences: false)
        for (index, piece) in pieces.enumerated() {
            if index == pieces.count - 1, piece.contains("."), let number = number(piece) {
                groups += [UInt16(number >> 16), UInt16(number & 0xFFFF)]
            } else if (1...4).contains(piece.utf8.count),
                piece.utf8.allSatisfy({ Hexadecimal.value($0) != nil }),
                let group = UInt16(piece, radix: 16)
            {
                groups.append(group)
            } else {
                return nil
            }
        }
        return groups
    }
}

enum Hexadecimal {
    static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
