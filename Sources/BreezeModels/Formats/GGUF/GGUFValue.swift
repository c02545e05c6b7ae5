/// A value of a GGUF file's metadata, in the type in which the file states it.
public enum GGUFValue: Hashable, Sendable {
    /// The raw value is the file's own.
    public enum Kind: UInt32, CaseIterable, Sendable {
        case uint8 = 0
        case int8 = 1
        case uint16 = 2
        case int16 = 3
        case uint32 = 4
        case int32 = 5
        case float32 = 6
        case bool = 7
        case string = 8
        case array = 9
        case uint64 = 10
        case int64 = 11
        case float64 = 12

        /// Bytes of one value; `nil` where it varies.
        var size: Int? {
            switch self {
            case .uint8, .int8, .bool: 1
            case .uint16, .int16: 2
            case .uint32, .int32, .float32: 4
            case .uint64, .int64, .float64: 8
            case .string, .array: nil
            }
        }
    }

    case uint8(UInt8)
    case int8(Int8)
    case uint16(UInt16)
    case int16(Int16)
    case uint32(UInt32)
    case int32(Int32)
    case float32(Float)
    case bool(Bool)
    case string(String)
    case array(GGUFArray)
    case uint64(UInt64)
    case int64(Int64)
    case float64(Double)

    public var kind: Kind {
        switch self {
        case .uint8: .uint8
        case .int8: .int8
        case .uint16: .uint16
        case .int16: .int16
        case .uint32: .uint32
        case .int32: .int32
        case .float32: .float32
        case .bool: .bool
        case .string: .string
        case .array: .array
        case .uint64: .uint64
        case .int64: .int64
        case .float64: .float64
        }
    }

    public var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    public var boolValue: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    public var arrayValue: GGUFArray? {
        if case .array(let array) = self { array } else { nil }
    }

    /// A whole number of any width, where it fits.
    public var intValue: Int? {
        switch self {
        case .uint8(let value): Int(value)
        case .int8(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint64(let value): Int(exactly: value)
        case .int64(let value): Int(value)
        default: nil
        }
    }

    /// A number with a fraction, of either width.
    public var doubleValue: Double? {
        switch self {
        case .float32(let value): Double(value)
        case .float64(let value): value
        default: nil
        }
    }
}
