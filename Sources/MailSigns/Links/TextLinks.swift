/// Finds links in plain text, as mail programs do: from `http://`, `https://` or `www.` up to space or a bracket, less
/// the punctuation at its end.
enum TextLinks {
    /// At most `limit`, in order; the text is read once.
    static func find(in text: String, limit: Int) -> [String] {
        var copy = text
        return copy.withUTF8 { bytes in
            var found: [String] = []
            var at = 0
            while at + 8 < bytes.count, found.count < limit {
                let byte = bytes[at] | 0x20
                guard byte == UInt8(ascii: "h") || byte == UInt8(ascii: "w"), begins(bytes, at) else {
                    at += 1
                    continue
                }
                let end = end(bytes, at)
                found.append(String(decoding: bytes[at..<end], as: UTF8.self))
                at = max(end, at + 1)
            }
            return found
        }
    }

    private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, _ at: Int) -> Bool {
        if at > 0, ByteText.isLetter(bytes[at - 1]) || ByteText.isDigit(bytes[at - 1]) { return false }
        if ByteText.starts(bytes, at, with: "http://") || ByteText.starts(bytes, at, with: "https://") {
            return true
        }
        guard ByteText.starts(bytes, at, with: "www.") else { return false }
        let next = bytes[at + 4]
        // A host within another, or an address.
        let isPart =
            at > 0 && [UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "@")].contains(bytes[at - 1])
        return !isPart && (ByteText.isLetter(next) || ByteText.isDigit(next) || next >= 0x80)
    }

    private static func end(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var end = start
        var open = 0
        while end < bytes.count {
            let byte = bytes[end]
            if byte <= 32 || byte == 0x7F || isBreak(byte) { break }
            // U+00A0 and the wide spaces and brackets end it too.
            if byte == 0xC2, end + 1 < bytes.count, bytes[end + 1] == 0xA0 { break }
            if byte == 0xE3, end + 2 < bytes.count, bytes[end + 1] == 0x80, bytes[end + 2] <= 0x91 { break }
            if byte == UInt8(ascii: "(") { open += 1 }
            if byte == UInt8(ascii: ")") {
                if open == 0 { break }
                open -= 1
            }
            end += 1
        }
        while end > start, isPunctuation(bytes[end - 1]) { end -= 1 }
        return end
    }

    private static func isBreak(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "`"): true
        default: false
        }
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
            UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "]"), UInt8(ascii: "}"),
            UInt8(ascii: "|"):
            true
        default: false
        }
    }
}
