#if Mail
import BreezeMail
import CGMime
import Foundation

/// Turns a part's bytes into text, whatever the part says of its character set.
enum TextDecoder {
    /// With `\n` as line end and without zero bytes.
    ///
    /// The declared set is believed where the bytes allow it; else they are UTF-8 where they are valid, ISO-2022-JP
    /// where they hold its escapes, and Windows-1252.
    /// - Returns: also whether the declared set was wrong or is unknown.
    static func text(_ bytes: [UInt8], charset: String?) -> (text: String, isWrong: Bool) {
        let name = charset.map(CharsetName.canonical)
        let isWide =
            name.map { $0.hasPrefix("utf-16") || $0.hasPrefix("utf-32") || $0.hasPrefix("ucs") } ?? false
        if !isWide, !bytes.contains(where: { $0 >= 0x80 || $0 == 0x1B }), name != "utf-7", name != "hz" {
            return (clean(bytes), false)
        }
        if let name, name != "utf-8",
            name != "windows-1252" || charset?.lowercased().hasSuffix("ascii") != true,
            let converted = convert(bytes, from: name)
        {
            return (clean(converted), false)
        }
        if valid(bytes) { return (clean(bytes), name != nil && name != "utf-8") }
        if name == "utf-8", isMostlyUTF8(bytes) { return (clean(bytes), true) }
        let isJapanese = bytes.contains(0x1B)
        if isJapanese, let converted = convert(bytes, from: "iso-2022-jp-3") {
            return (clean(converted), true)
        }
        return (clean(convert(bytes, from: "windows-1252") ?? latin1(bytes)), name != nil)
    }

    /// UTF-8 with line ends as they should be.
    private static func clean(_ bytes: [UInt8]) -> String {
        var start = 0
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        guard bytes.contains(where: { $0 == 13 || $0 == 0 }) else {
            return String(decoding: bytes[start...], as: UTF8.self)
        }
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        for index in start..<bytes.count {
            switch bytes[index] {
            case 0: break
            case 13: if index + 1 == bytes.count || bytes[index + 1] != 10 { kept.append(10) }
            default: kept.append(bytes[index])
            }
        }
        return String(decoding: kept, as: UTF8.self)
    }

    private static func valid(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    /// Whether more of its sequences are whole than broken: a text cut in the middle, or with some damage.
    private static func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        let broken = text.unicodeScalars.count { $0 == "\u{FFFD}" }
        let whole = text.unicodeScalars.count { $0.value >= 0x80 && $0 != "\u{FFFD}" }
        return whole > broken
    }

    private static func latin1(_ bytes: [UInt8]) -> [UInt8] {
        Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
    }

    /// UTF-8; a byte that means nothing becomes U+FFFD. `nil` where iconv does not know the set, or half of the text
    /// means nothing in it.
    private static func convert(_ bytes: [UInt8], from charset: String) -> [UInt8]? {
        guard let descriptor = g_iconv_open("UTF-8", charset), Int(bitPattern: descriptor) != -1 else {
            return nil
        }
        defer { g_iconv_close(descriptor) }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 4)
        var faults = 0
        var input = bytes
        input.withUnsafeMutableBytes { memory in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
                var from = memory.baseAddress?.assumingMemoryBound(to: CChar.self)
                var left = gsize(memory.count)
                while left > 0 {
                    var to = buffer.baseAddress
                    var room = gsize(buffer.count)
                    let outcome = g_iconv(descriptor, &from, &left, &to, &room)
                    let reason = errno
                    result += UnsafeRawBufferPointer(UnsafeMutableRawBufferPointer(buffer))
                        .prefix(buffer.count - Int(room))
                    if outcome != gsize.max || reason == E2BIG { continue }
                    // A byte that begins nothing, or what the end cut off.
                    faults += 1
                    result += [0xEF, 0xBF, 0xBD]
                    from = from.map { $0 + 1 }
                    left -= 1
                }
            }
        }
        return faults * 2 > bytes.count ? nil : result
    }
}
#endif
