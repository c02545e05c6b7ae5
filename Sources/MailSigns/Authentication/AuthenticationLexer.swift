/// Cuts a header into segments at its semicolons, and those into pairs of a name and a value; comments and quoted
/// strings may hold anything. Every byte is seen once.
struct AuthenticationLexer {
    struct Segment {
        /// The first word that is no pair: who wrote the header.
        var server: String?
        var pairs: [(name: String, value: String)] = []
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0

    /// Comments deeper than these are no nesting of anybody's.
    private static let deepest = 50
    private static let mostPairs = 50

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Up to the next semicolon; `nil` at the end.
    mutating func segment() -> Segment? {
        guard at < bytes.count else { return nil }
        var segment = Segment()
        while true {
            skip()
            guard at < bytes.count else { return segment }
            if bytes[at] == UInt8(ascii: ";") {
                at += 1
                return segment
            }
            if bytes[at] == UInt8(ascii: "=") {
                // A value without a name.
                at += 1
                skip()
                _ = word(isName: false)
                continue
            }
            var name = word(isName: true)
            skip()
            // Comments may stand around the marks within a name.
            while at < bytes.count, bytes[at] == UInt8(ascii: ".") || bytes[at] == UInt8(ascii: "/") {
                name.unicodeScalars.append(Unicode.Scalar(bytes[at]))
                at += 1
                skip()
                name += word(isName: true)
                skip()
            }
            guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else {
                if segment.server == nil, segment.pairs.isEmpty, !name.isEmpty {
                    segment.server = name.lowercased()
                }
                continue
            }
            at += 1
            skip()
            let value = word(isName: false)
            if !name.isEmpty, segment.pairs.count < Self.mostPairs { segment.pairs.append((name, value)) }
        }
    }

    /// Space and comments.
    private mutating func skip() {
        while at < bytes.count {
            if bytes[at] <= 32 {
                at += 1
            } else if bytes[at] == UInt8(ascii: "(") {
                comment()
            } else {
                return
            }
        }
    }

    /// One that nobody closes goes on to the end.
    private mutating func comment() {
        var depth = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\\"): at += 1
            case UInt8(ascii: "("): depth = min(depth + 1, Self.deepest)
            case UInt8(ascii: ")"): depth -= 1
            default: break
            }
            at += 1
            if depth == 0 { return }
        }
        at = bytes.count
    }

    /// A name ends at `=`; a value may hold one, as signatures do. Either may be quoted in part.
    private mutating func word(isName: Bool) -> String {
        var word: [UInt8] = []
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") {
                quoted(&word)
                continue
            }
            if byte <= 32 || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "(") { break }
            if isName, byte == UInt8(ascii: "=") { break }
            word.append(byte)
            at += 1
        }
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func quoted(_ word: inout [UInt8]) {
        at += 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            if bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count { at += 1 }
            word.append(bytes[at])
            at += 1
        }
        at = min(at + 1, bytes.count)
    }
}
