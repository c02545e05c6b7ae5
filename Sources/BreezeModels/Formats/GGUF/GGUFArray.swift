/// An array in a GGUF file's metadata. It keeps the file's bytes and decodes an element when it is asked for:
/// a vocabulary of 150,000 tokens costs nothing until somebody reads it.
public struct GGUFArray: Hashable, Sendable {
    /// Never ``GGUFValue/Kind/array``.
    public let kind: GGUFValue.Kind
    public let count: Int
    /// As the file has them, checked: for strings each with its length in front.
    let bytes: ArraySlice<UInt8>

    init(kind: GGUFValue.Kind, count: Int, bytes: ArraySlice<UInt8>) {
        self.kind = kind
        self.count = count
        self.bytes = bytes
    }

    public init(_ strings: [String]) {
        var bytes: [UInt8] = []
        for text in strings {
            withUnsafeBytes(of: UInt64(text.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: text.utf8)
        }
        self.init(kind: .string, count: strings.count, bytes: bytes[...])
    }

    public init(_ values: [Int32]) {
        self.init(kind: .int32, count: values.count, bytes: Self.bytes(of: values))
    }

    public init(_ values: [UInt32]) {
        self.init(kind: .uint32, count: values.count, bytes: Self.bytes(of: values))
    }

    public init(_ values: [Float]) {
        self.init(kind: .float32, count: values.count, bytes: Self.bytes(of: values.map(\.bitPattern)))
    }

    private static func bytes(of values: [some FixedWidthInteger]) -> ArraySlice<UInt8> {
        values.map(\.littleEndian).withUnsafeBytes { Array($0)[...] }
    }

    /// Every element; `nil` where they are no strings. Bytes that are no UTF-8 are replaced.
    public var strings: [String]? {
        guard kind == .string else { return nil }
        var texts: [String] = []
        texts.reserveCapacity(count)
        forEachString { texts.append(String(decoding: $0, as: UTF8.self)) }
        return texts
    }

    /// Every element; `nil` where one is no whole number or does not fit.
    public var integers: [Int]? { values { $0.intValue } }

    /// Every element; `nil` where they are no numbers with a fraction.
    public var doubles: [Double]? { values { $0.doubleValue } }

    /// The bytes of each string in turn, for callers that need no `String`.
    func forEachString(_ body: (UnsafeRawBufferPointer) -> Void) {
        guard kind == .string else { return }
        bytes.withUnsafeBytes { raw in
            var position = 0
            for _ in 0..<count {
                let length = Int(raw.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian)
                let start = position + 8
                body(UnsafeRawBufferPointer(rebasing: raw[start..<start + length]))
                position = start + length
            }
        }
    }

    private func values<Value>(_ convert: (GGUFValue) -> Value?) -> [Value]? {
        guard let size = kind.size else { return nil }
        return bytes.withUnsafeBytes { raw in
            var found: [Value] = []
            found.reserveCapacity(count)
            for index in 0..<count {
                guard let value = GGUFValue(kind, raw, at: index * size).flatMap(convert) else { return nil }
                found.append(value)
            }
            return found
        }
    }
}

extension GGUFValue {
    /// A value of fixed size at `offset`, which the caller has checked; `nil` for strings and arrays.
    init?(_ kind: Kind, _ raw: UnsafeRawBufferPointer, at offset: Int) {
        func bits<Bits: FixedWidthInteger>(_: Bits.Type) -> Bits {
            Bits(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: Bits.self))
        }
        switch kind {
        case .uint8: self = .uint8(bits(UInt8.self))
        case .int8: self = .int8(bits(Int8.self))
        case .uint16: self = .uint16(bits(UInt16.self))
        case .int16: self = .int16(bits(Int16.self))
        case .uint32: self = .uint32(bits(UInt32.self))
        case .int32: self = .int32(bits(Int32.self))
        case .float32: self = .float32(Float(bitPattern: bits(UInt32.self)))
        case .bool: self = .bool(bits(UInt8.self) != 0)
        case .uint64: self = .uint64(bits(UInt64.self))
        case .int64: self = .int64(bits(Int64.self))
        case .float64: self = .float64(Double(bitPattern: bits(UInt64.self)))
        case .string, .array: return nil
        }
    }
}
