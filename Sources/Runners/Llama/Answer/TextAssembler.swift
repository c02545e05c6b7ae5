/// Makes text of tokens' bytes: a character is held back until its last byte has come.
struct TextAssembler {
    private var held: [UInt8] = []

    /// Bytes that are no UTF-8 become U+FFFD.
    mutating func append(_ bytes: [UInt8]) -> String {
        held += bytes
        let kept = Self.unfinished(held)
        defer { held.removeFirst(held.count - kept) }
        return String(decoding: held.dropLast(kept), as: UTF8.self)
    }

    /// The answer ended: a character that was begun is none.
    mutating func finish() -> String {
        defer { held = [] }
        return String(decoding: held, as: UTF8.self)
    }

    /// Bytes at the end that begin a character and do not end it: 0…3.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xc0 == 0x80 { continue }
            let length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
            return length > back ? back : 0
        }
        return 0
    }
}
