import BreezeCore
import Foundation

extension [UInt8] {
    mutating func append(_ value: UInt32) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    mutating func append(_ value: UInt64) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// As little-endian IEEE 754.
    mutating func append(_ values: [Float]) {
        #if _endian(little)
        values.withUnsafeBytes { append(contentsOf: $0) }
        #else
        for value in values { append(value.bitPattern) }
        #endif
    }
}

/// Reads a payload from its front; whatever is missing is a ``WireFault``.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    mutating func take(_ count: Int) throws(WireFault) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw WireFault("a payload that ends too early") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func byte() throws(WireFault) -> UInt8 {
        guard let byte = rest.popFirst() else { throw WireFault("a payload that ends too early") }
        return byte
    }

    mutating func word() throws(WireFault) -> UInt32 {
        try take(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    mutating func longWord() throws(WireFault) -> UInt64 {
        try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func floats(_ count: Int) throws(WireFault) -> [Float] {
        guard count <= rest.count / 4 else { throw WireFault("a vector that ends too early") }
        let bytes = try take(4 * count)
        return [Float](unsafeUninitializedCapacity: count) { values, filled in
            bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(values).copyMemory(from: $0) }
            #if !_endian(little)
            for index in 0..<count {
                values[index] = Float(bitPattern: UInt32(littleEndian: values[index].bitPattern))
            }
            #endif
            filled = count
        }
    }

    /// All that is left, as text.
    mutating func text() throws(WireFault) -> String {
        guard let text = String(validating: rest, as: UTF8.self) else {
            throw WireFault("a text that is not UTF-8")
        }
        rest = []
        return text
    }

    /// All that is left, as JSON.
    mutating func json<Value: Decodable>(_ type: Value.Type = Value.self) throws(WireFault) -> Value {
        defer { rest = [] }
        do { return try WireJSON.decoder.decode(type, from: Data(rest)) } catch {
            throw WireFault("no \(type) in its JSON")
        }
    }

    func finish() throws(WireFault) {
        guard rest.isEmpty else { throw WireFault("\(rest.count) bytes after a payload") }
    }
}

/// JSON as both sides write it. Numbers that JSON has no form for travel as words, so that a result with one arrives
/// as it was.
enum WireJSON {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        return try encoder.encode(value)
    }

    static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity",
            negativeInfinity: "-Infinity",
            nan: "NaN"
        )
        return decoder
    }
}
