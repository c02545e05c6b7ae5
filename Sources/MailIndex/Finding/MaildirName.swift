#if Hub
/// The name of a message's file in a Maildir: `1700000000.M1P2.host:2,FS`.
struct MaildirName: Hashable, Sendable {
    /// What stays while flags change.
    var base: Substring
    /// Letters in order, each once: those of the standard in upper case, keywords in lower case.
    var flags: String

    init(_ name: String) {
        // Where a file system takes no colon, programs write one of these.
        guard let mark = name.utf8.lastIndex(where: { $0 == 58 || $0 == 59 || $0 == 33 }),
            name[mark...].dropFirst().hasPrefix("2,")
        else {
            base = name[...]
            flags = ""
            return
        }
        base = name[..<mark]
        let letters = name[mark...].utf8.dropFirst(3).filter {
            (65...90).contains($0) || (97...122).contains($0)
        }
        flags = String(decoding: Set(letters).sorted(), as: UTF8.self)
    }
}

/// A folder's name as a person reads it, from where it lies.
enum FolderName {
    /// `Lists/Charts` for the Maildir++ folder `.Lists.Charts` and for the nested one `Lists/Charts`; modified UTF-7
    /// is decoded. `INBOX` for the root itself.
    static func make(_ components: [Substring]) -> String {
        var parts: [Substring] = []
        for component in components {
            if component.hasPrefix("."), component.utf8.count > 1 {
                parts += component.dropFirst().split(separator: ".")
            } else {
                parts.append(component)
            }
        }
        return parts.isEmpty ? "INBOX" : parts.map(decode).joined(separator: "/")
    }

    /// RFC 3501, 5.1.3; what is not in that form comes back as it is.
    private static func decode(_ name: Substring) -> String {
        guard name.utf8.contains(UInt8(ascii: "&")) else { return String(name) }
        var result = ""
        var rest = name
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            guard let end = rest[mark...].firstIndex(of: "-") else { return String(name) }
            let word = rest[rest.index(after: mark)..<end]
            if word.isEmpty {
                result += "&"
            } else {
                guard let text = decode(base64: word) else { return String(name) }
                result += text
            }
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,".utf8)

    /// UTF-16 in a base64 of its own.
    private static func decode(base64 word: Substring) -> String? {
        var units: [UInt16] = []
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in word.utf8 {
            guard let digit = digits.firstIndex(of: byte) else { return nil }
            bits = bits << 6 | UInt32(digit)
            count += 6
            if count >= 16 {
                count -= 16
                units.append(UInt16(truncatingIfNeeded: bits >> UInt32(count)))
                bits &= (1 << UInt32(count)) - 1
            }
        }
        return bits == 0 ? String(validating: units, as: UTF16.self) : nil
    }
}
#endif
