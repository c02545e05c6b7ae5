import BreezeCore

extension StrictJSON {
    /// The kind of value, in words for an error message.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    var isNull: Bool { if case .null = self { true } else { false } }

    /// `4.0` counts as 4.
    var wholeNumber: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// Null, and what holds nothing: `""`, `[]`, `{}`.
    var isEmpty: Bool {
        switch self {
        case .null: true
        case .string(let bytes): bytes.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let members): members.isEmpty
        default: false
        }
    }

    /// The document as a value, in which a repeated name is an error. Its depth is bounded, since it was parsed.
    func jsonValue(at path: WirePath) throws -> JSONValue {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .number(let value): return .number(value)
        case .string(let bytes): return .string(String(decoding: bytes, as: UTF8.self))
        case .array(let elements):
            return .array(try elements.enumerated().map { try $1.jsonValue(at: path.element($0)) })
        case .object(let members):
            var values: [String: JSONValue] = [:]
            values.reserveCapacity(members.count)
            for member in members {
                // The path of the object, not of the member: its name may be anything that a user typed.
                let value = try member.value.jsonValue(at: path)
                let name = String(decoding: member.key, as: UTF8.self)
                guard values.updateValue(value, forKey: name) == nil else {
                    throw BreezeError.field(path, "has a name twice", takes: "each name once")
                }
            }
            return .object(values)
        }
    }
}
