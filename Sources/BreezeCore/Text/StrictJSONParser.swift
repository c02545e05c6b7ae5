struct StrictJSONParser {
    typealias Fault = StrictJSON.Fault

    private static let maximumDepth = 64
    private static let maximumValues = 4_000_000

    private let bytes: [UInt8]
    private var position = 0
    private var values = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(Fault) -> StrictJSON {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw fault("it is not valid UTF-8") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw fault("more text after the document's end") }
        return value
    }

    private func fault(_ reason: String) -> Fault {
        Fault(reason: reason, offset: position)
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skipSpace()
        guard let byte = next, UInt32(byte) == character.value else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(Fault) -> StrictJSON {
        guard depth < Self.maximumDepth else { throw fault("nested too deeply") }
        values += 1
        guard values <= Self.maximumValues else { throw fault("too many values") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case nil: throw fault("the document ends too early")
        default: return try number()
        }
    }

    private mutating func literal(_ word: StaticString, _ value: StrictJSON) throws(Fault) -> StrictJSON {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[position..<end].elementsEqual(word.description.utf8) else {
            throw fault("a value was expected")
        }
        position = end
        return value
    }

    private mutating func object(depth: Int) throws(Fault) -> StrictJSON {
        position += 1
        var members: [StrictJSON.Member] = []
        if take("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw fault("a member's name was expected") }
            let offset = position
            let key = try string()
            guard take(":") else { throw fault("a colon was expected") }
            let value = try value(depth: depth + 1)
            members.append(StrictJSON.Member(key: key, value: value, offset: offset))
        } while take(",")
        guard take("}") else { throw fault("an object is not closed") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Fault) -> StrictJSON {
        position += 1
        var elements: [StrictJSON] = []
        if take("]") { return .array(elements) }
        repeat { elements.append(try value(depth: depth + 1)) } while take(",")
        guard take("]") else { throw fault("an array is not closed") }
        return .array(elements)
    }

    private mutating func number() throws(Fault) -> StrictJSON {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        guard skipDigits() else { throw fault("a value was expected") }
        if bytes[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 {
            throw fault("a number begins with 0")
        }
        let integerEnd = position
        if next == UInt8(ascii: ".") {
            position += 1
            guard skipDigits() else { throw fault("a digit was expected") }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            guard skipDigits() else { throw fault("a digit was expected") }
        }
        let digits = String(decoding: bytes[start..<position], as: UTF8.self)
        if position == integerEnd, let integer = Int(digits) { return .integer(integer) }
        guard let number = Double(digits), number.isFinite else { throw fault("a number is too large") }
        return .number(number)
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        while let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        return position > start
    }

    private mutating func string() throws(Fault) -> [UInt8] {
        position += 1
        var result: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return result
            case UInt8(ascii: "\\"):
                position += 1
                try escape(into: &result)
            case 0..<0x20:
                throw fault("a control character in a string")
            default:
                result.append(byte)
                position += 1
            }
        }
        throw fault("a string is not closed")
    }

    private mutating func escape(into result: inout [UInt8]) throws(Fault) {
        guard let byte = next else { throw fault("a string is not closed") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(byte)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"): result += String(Character(try escapedScalar())).utf8
        default: throw fault("an unknown escape in a string")
        }
    }

    private mutating func escapedScalar() throws(Fault) -> Unicode.Scalar {
        let first = try fourHexDigits()
        // Only halves of a surrogate pair are no scalars.
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, next == UInt8(ascii: "\\") else { throw fault("half of a surrogate pair") }
        position += 1
        guard next == UInt8(ascii: "u") else { throw fault("half of a surrogate pair") }
        position += 1
        let second = try fourHexDigits()
        guard (0xDC00..<0xE000).contains(second) else { throw fault("half of a surrogate pair") }
        let code = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
        guard let scalar = Unicode.Scalar(code) else { throw fault("half of a surrogate pair") }
        return scalar
    }

    private mutating func fourHexDigits() throws(Fault) -> UInt32 {
        guard position + 4 <= bytes.count else { throw fault("a string is not closed") }
        var value: UInt32 = 0
        for _ in 0..<4 {
            let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue
            guard bytes[position] < 0x80, let digit else { throw fault("a hexadecimal digit was expected") }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
