/// Classes of bytes that the scheme's grammar names.
enum SchemeText {
    static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// 1 to 40 of `a–z 0–9 _ -`.
    static func isCapability(_ name: some Collection<UInt8>) -> Bool {
        (1...40).contains(name.count)
            && name.allSatisfy {
                isLower($0) || isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            }
    }

    /// 1 to 64 of `A–Z a–z 0–9 . _ -`.
    static func isRequestID(_ id: some Collection<UInt8>) -> Bool {
        (1...64).contains(id.count)
            && id.allSatisfy { isLower($0) || isUpper($0) || isDigit($0) || "._-".utf8.contains($0) }
    }

    /// Whether it may stand in a URL of the scheme; `#` may not.
    static func isURLByte(_ byte: UInt8) -> Bool {
        isLower(byte) || isUpper(byte) || isDigit(byte) || "-._~:/?@!$&'()*+,;=%".utf8.contains(byte)
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }
}
