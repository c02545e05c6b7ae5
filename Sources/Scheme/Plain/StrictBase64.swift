package import BreezeCore

/// Base64 in which one text stands for one byte string: unused bits are zero, and nothing but the alphabet is read.
package enum StrictBase64 {
    /// RFC 4648 section 5, without padding.
    package static func url(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var held: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            held = held << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(urlLetters[Int(held >> bits & 63)])
            }
        }
        if bits > 0 { text.append(urlLetters[Int(held << (6 - bits) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// `limit` is the most bytes; looked at before anything is decoded.
    /// - Throws: ``BreezeError`` `.payloadTooLarge`, `.invalidEncoding`.
    package static func bytes(ofURL text: some Collection<UInt8>, limit: Int) throws(BreezeError) -> [UInt8] {
        guard text.count <= (limit * 8 + 5) / 6 else {
            throw SchemeFault.tooLarge("A value of the URL has more than \(limit) bytes")
        }
        guard let bytes = decoded(text, values: urlValues) else {
            throw SchemeFault.encoding("another character, a wrong length, or bits that are not zero")
        }
        return bytes
    }

    /// RFC 4648 section 4, with padding; `nil` for everything else.
    static func bytes(ofPadded text: [UInt8]) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return decoded(text.dropLast(padding), values: paddedValues)
    }

    private static let common = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    private static let urlLetters = common + Array("-_".utf8)
    private static let urlValues = values(of: urlLetters)
    private static let paddedValues = values(of: common + Array("+/".utf8))
    private static let unknown: UInt8 = 0xFF

    /// What each byte stands for.
    private static func values(of letters: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: unknown, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }

    private static func decoded(_ text: some Collection<UInt8>, values: [UInt8]) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var held: UInt32 = 0
        var bits: UInt32 = 0
        for letter in text {
            let value = values[Int(letter)]
            guard value != unknown else { return nil }
            held = held << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> bits))
                held &= 1 << bits - 1
            }
        }
        return held == 0 ? bytes : nil
    }
}
