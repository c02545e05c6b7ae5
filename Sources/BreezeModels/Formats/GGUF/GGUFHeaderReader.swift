/// Reads the front of a GGUF file piece by piece. Every length and count that the file states is held against
/// what is left of the file before anything is made of it.
struct GGUFHeaderReader {
    /// What is wrong, as half a sentence.
    struct Fault: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }

    private let file: FileReader
    private var loaded: [UInt8] = []
    private(set) var position = 0

    /// The largest real headers are those of vocabularies with a million entries, some 30 MB.
    static let largestHeader = 256 << 20
    private static let firstPiece = 64 << 10
    /// What a name, a key or a text may have.
    private static let longestText = 64 << 20

    init(file: FileReader) {
        self.file = file
    }

    /// Bytes after the position.
    var remaining: Int { file.size - position }

    mutating func integer<Value: FixedWidthInteger>(_: Value.Type, _ what: @autoclosure () -> String) throws
        -> Value
    {
        let size = MemoryLayout<Value>.size
        try load(size, what())
        defer { position += size }
        return loaded.withUnsafeBytes {
            Value(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Value.self))
        }
    }

    /// A number of things of which each takes at least `size` bytes.
    mutating func count(of size: Int, _ what: @autoclosure () -> String) throws -> Int {
        let count = try integer(UInt64.self, what())
        guard count <= UInt64(remaining / size) else {
            throw Fault(
                "\(what()) is given as \(count), more than the file's \(file.size) bytes can hold: "
                    + "it is cut short or damaged"
            )
        }
        return Int(count)
    }

    mutating func text(_ what: @autoclosure () -> String) throws -> String {
        let range = try textRange(what())
        // What is not UTF-8 may stand in a value, where a runtime takes it as bytes.
        return String(decoding: loaded[range], as: UTF8.self)
    }

    /// A key or a name: llama.cpp ends it at the first zero byte, so one that holds it would have two
    /// readings.
    mutating func name(_ what: @autoclosure () -> String, longest: Int) throws -> String {
        let range = try textRange(what())
        guard !range.isEmpty else { throw Fault("\(what()) is empty") }
        guard range.count <= longest else {
            throw Fault("\(what()) has \(range.count) bytes; at most \(longest) are allowed")
        }
        guard let text = String(validating: loaded[range], as: UTF8.self), !text.utf8.contains(0) else {
            throw Fault("\(what()) is not valid text")
        }
        return text
    }

    /// The value at the position; `key` names it in a fault.
    mutating func value(for key: String) throws -> GGUFValue {
        let kind = try kind("the type of \(key)")
        switch kind {
        case .string: return .string(try text(key))
        case .array: return .array(try array(for: key))
        default:
            let size = kind.size ?? 0
            try load(size, key)
            defer { position += size }
            guard let value = loaded.withUnsafeBytes({ GGUFValue(kind, $0, at: position) }) else {
                throw Fault("\(key) has no value")
            }
            return value
        }
    }

    private mutating func array(for key: String) throws -> GGUFArray {
        let kind = try kind("the element type of \(key)")
        guard kind != .array else { throw Fault("\(key) is an array of arrays, which no model has") }
        let count = try count(of: kind.size ?? 8, "the number of elements of \(key)")
        let start: Int
        if let size = kind.size {
            // No overflow: the count was held against the file's size.
            try load(count * size, key)
            start = position
            position += count * size
        } else {
            start = position
            try skipStrings(count, key)
        }
        return GGUFArray(kind: kind, count: count, bytes: loaded[start..<position])
    }

    private mutating func kind(_ what: String) throws -> GGUFValue.Kind {
        let number = try integer(UInt32.self, what)
        guard let kind = GGUFValue.Kind(rawValue: number) else {
            throw Fault("\(what) is \(number), which is none")
        }
        return kind
    }

    /// In a loop over what is loaded, and only from time to time by way of ``textRange(_:)``: vocabularies
    /// are long.
    private mutating func skipStrings(_ count: Int, _ key: String) throws {
        var left = count
        while left > 0 {
            (position, left) = loaded.withUnsafeBytes { raw in
                var (position, left) = (position, left)
                while left > 0, position + 8 <= raw.count {
                    let length = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
                    guard length <= UInt64(raw.count - position - 8) else { break }
                    position += 8 + Int(length)
                    left -= 1
                }
                return (position, left)
            }
            guard left > 0 else { return }
            _ = try textRange("element \(count - left) of \(key)")
            left -= 1
        }
    }

    private mutating func textRange(_ what: @autoclosure () -> String) throws -> Range<Int> {
        let length = try integer(UInt64.self, "the length of \(what())")
        guard length <= UInt64(remaining) else {
            throw Fault(
                "\(what()) claims \(length) bytes and \(remaining) are left: the file is cut short or damaged"
            )
        }
        guard length <= UInt64(Self.longestText) else {
            throw Fault("\(what()) has \(length) bytes; at most \(Self.longestText) are expected")
        }
        try load(Int(length), what())
        defer { position += Int(length) }
        return position..<position + Int(length)
    }

    /// Makes sure that `count` bytes from the position on are there.
    private mutating func load(_ count: Int, _ what: @autoclosure () -> String) throws {
        guard count > loaded.count - position else { return }
        guard count <= remaining else {
            throw Fault("it ends after \(file.size) bytes, in the middle of \(what()): it is cut short")
        }
        guard position + count <= Self.largestHeader else {
            throw Fault("its header is larger than \(Self.largestHeader) bytes")
        }
        // Twice as much each time, so that a long header is not copied again and again.
        let wanted = min(Self.largestHeader, max(2 * loaded.count, Self.firstPiece))
        let target = min(file.size, max(position + count, wanted))
        loaded.append(contentsOf: try file.bytes(at: loaded.count, count: target - loaded.count))
    }
}
