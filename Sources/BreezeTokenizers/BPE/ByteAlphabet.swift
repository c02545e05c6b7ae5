/// The characters that stand for bytes in GPT-2's vocabulary and its descendants': printable Latin-1 for itself,
/// the other 68 bytes by U+0100 and on, in order.
enum ByteAlphabet {
    private static let scalars: [UInt32] = {
        var next: UInt32 = 0x100
        return (0..<256).map { byte in
            if (0x21...0x7E).contains(byte) || (0xA1...0xAC).contains(byte) || byte >= 0xAE {
                return UInt32(byte)
            }
            defer { next += 1 }
            return next
        }
    }()

    private static let bytes: [UInt32: UInt8] = Dictionary(
        uniqueKeysWithValues: scalars.enumerated().map { ($1, UInt8($0)) }
    )

    /// The character of a byte, as UTF-8.
    static func symbol(of byte: UInt8) -> [UInt8] {
        var symbol: [UInt8] = []
        UTF8Decoding.append(scalars[Int(byte)], to: &symbol)
        return symbol
    }

    /// `<0x0A>`
    static func fallback(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return Array("<0x".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)], 0x3E]
    }

    /// What a token stands for; `nil` where one of its characters stands for no byte.
    static func decoded(_ token: [UInt8]) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(token.count)
        var position = 0
        while position < token.count {
            let (value, length) = UTF8Decoding.scalar(in: token, at: position)
            guard let byte = bytes[value] else { return nil }
            decoded.append(byte)
            position += length
        }
        return decoded
    }

    /// The same, with the token itself where it is no such text.
    static func bytes(of token: [UInt8]) -> [UInt8] {
        decoded(token) ?? token
    }
}
