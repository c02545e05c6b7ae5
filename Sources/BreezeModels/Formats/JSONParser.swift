/// A recursive-descent reader of RFC 8259, for ``JSONTree``.
struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    /// No model file nests deeper than a handful of levels; the stack must not depend on the file.
    private static let deepest = 32

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws -> JSONTree {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw fault("text after the value") }
        return value
    }

    private mutating func value(depth: Int) throws -> JSONTree {
        guard depth < Self.deepest else { throw fault("nested deeper than \(Self.deepest) levels") }
        skipSpace()
        switch peek {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws -> JSONTree {
        position += 1
        var members: [String: JSONTree] = [:]
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw fault("expected a key") }
            let start = position
            let key = try string()
            guard take(":") else { throw fault("expected a colon") }
            let value = try value(depth: depth + 1)
            if members.updateValue(value, forKey: key) != nil {
                throw JSONTree.Fault(message: "the key \"\(key.excerpt)\" stands there twice", offset: start)
            }
        } while take(",")
        guard take("}") else { throw fault("expected a comma or a closing brace") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws -> JSONTree {
        position += 1
        var elements: [JSONTree] = []
        if take("]") { return .array(elements) }
        repeat { elements.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw fault("expected a comma or a closing bracket") }
        return .array(elements)
    }

    private mutating func literal(_ word: StaticString, _ value: JSONTree) throws -> JSONTree {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count,
            word.withUTF8Buffer({ bytes[position..<end].elementsEqual($0) })
        else { throw fault("not a JSON value") }
        position = end
        return value
    }

    private mutating func number() throws -> JSONTree {
        let start = position
        if peek == UInt8(ascii: "-") { position += 1 }
        let leading = position
        try digits()
        if position - leading > 1, bytes[leading] == UInt8(ascii: "0") {
            throw fault("a number begins with 0")
        }
        var whole = true
        if peek == UInt8(ascii: ".") {
            whole = false
            position += 1
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            whole = false
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if whole, let value = Int(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw fault("a number out of range") }
        return .number(value)
    }

    private mutating func digits() throws {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else {
            throw fault(start == bytes.count ? "the text ends early" : "not a JSON value")
        }
    }

    private mutating func string() throws -> String {
        position += 1
        var units: [UInt8] = []
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: units, as: UTF8.self) else { throw fault("not UTF-8") }
                return text
            case UInt8(ascii: "\\"): try escape(into: &units)
            case ..<0x20: throw fault("a control character in a string")
            default: units.append(byte)
            }
        }
        throw fault("a string has no end")
    }

    private mutating func escape(into units: inout [UInt8]) throws {
        guard let byte = peek else { throw fault("a string has no end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(byte)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "u"): units += String(Character(try escapedScalar())).utf8
        default: throw fault("an unknown escape")
        }
    }

    private mutating func escapedScalar() throws -> Unicode.Scalar {
        let first = try hexadecimal()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard (0xD800..<0xDC00).contains(first), peek == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw fault("half of a surrogate pair") }
        position += 2
        let second = try hexadecimal()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("half of a surrogate pair") }
        return scalar
    }

    private mutating func hexadecimal() throws -> UInt32 {
        guard position + 4 <= bytes.count,
            bytes[position..<position + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw fault("a \\u escape without four hexadecimal digits") }
        position += 4
        return value
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func fault(_ message: String) -> JSONTree.Fault {
        JSONTree.Fault(message: position < bytes.count ? message : "the text ends early", offset: position)
    }
}

extension String {
    /// Short and printable, for a message about a file that a stranger made.
    var excerpt: String {
        let printable = String(
            unicodeScalars.prefix(80).map {
                $0.properties.isWhitespace || $0.value < 32 ? " " : Character($0)
            }
        )
        return unicodeScalars.count > 80 ? printable + "…" : printable
    }
}
