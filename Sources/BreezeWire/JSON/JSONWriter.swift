/// Writes one JSON text into bytes, in the order of the calls. Commas are its own affair; that what is opened gets
/// closed is the closures'.
///
/// `JSONEncoder` builds a tree and looks up each key's container, which costs more than all the rest of an answer.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init(reserving capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        open(UInt8(ascii: "{"))
        try members(&self)
        close(UInt8(ascii: "}"))
    }

    package mutating func array(_ elements: (inout JSONWriter) throws -> Void) rethrows {
        open(UInt8(ascii: "["))
        try elements(&self)
        close(UInt8(ascii: "]"))
    }

    package mutating func value(_ value: some JSONWritable) {
        value.write(to: &self)
    }

    /// `name` is written as it is: it holds nothing that JSON escapes.
    package mutating func field(_ name: StaticString, _ value: some JSONWritable) {
        key(name)
        value.write(to: &self)
    }

    /// Writes nothing where there is no value.
    package mutating func field(_ name: StaticString, ifPresent value: (some JSONWritable)?) {
        if let value { field(name, value) }
    }

    package mutating func object(
        _ name: StaticString,
        _ members: (inout JSONWriter) throws -> Void
    ) rethrows {
        key(name)
        try object(members)
    }

    package mutating func array(
        _ name: StaticString,
        _ elements: (inout JSONWriter) throws -> Void
    ) rethrows {
        key(name)
        try array(elements)
    }

    package mutating func field(null name: StaticString) {
        key(name)
        null()
    }

    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func key(escaping name: String) {
        text(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func null() { literal("null") }

    /// A value that is JSON already.
    package mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
        needsComma = true
    }

    mutating func literal(_ word: String) {
        separate()
        bytes.append(contentsOf: word.utf8)
        needsComma = true
    }

    mutating func text(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { escape($0) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    /// RFC 8259, section 7: quotation mark, reverse solidus and control characters; all else stands as it is. So no
    /// line break ever stands inside, which event streams and NDJSON rely on.
    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for (index, byte) in text.enumerated()
        where byte < 0x20 || byte == 0x22 || byte == 0x5C || byte > 0xC1 {
            let (name, length) = byte > 0xC1 ? Self.lineEnd(text[index...]) : (nil, 1)
            guard byte < 0xC2 || name != nil else { continue }
            bytes.append(contentsOf: text[start..<index])
            bytes.append(UInt8(ascii: "\\"))
            if let name { bytes.append(contentsOf: name.utf8) } else { escapeCharacter(byte) }
            start = index + length
        }
        bytes.append(contentsOf: text[start...])
    }

    /// Line ends that JSON allows as they are, at which clients that read lines would part an object: Ollama's in Python.
    private static func lineEnd(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> (name: String?, length: Int) {
        if text.starts(with: [0xC2, 0x85]) { return ("u0085", 2) }
        if text.starts(with: [0xE2, 0x80, 0xA8]) { return ("u2028", 3) }
        if text.starts(with: [0xE2, 0x80, 0xA9]) { return ("u2029", 3) }
        return (nil, 1)
    }

    private mutating func escapeCharacter(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            let digit = byte & 0x0F
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}

extension JSONWriter {
    /// One object as bytes.
    package static func object(_ members: (inout JSONWriter) throws -> Void) rethrows -> [UInt8] {
        var writer = JSONWriter(reserving: 1_024)
        try writer.object(members)
        return writer.bytes
    }
}
