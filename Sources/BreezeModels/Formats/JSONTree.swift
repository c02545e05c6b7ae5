import BreezeCore

/// A JSON document of a model's folder, in which a repeated key is an error and a whole number stays exact.
enum JSONTree: Equatable, Sendable {
    case object([String: JSONTree])
    case array([JSONTree])
    case string(String)
    case integer(Int)
    case number(Double)
    case bool(Bool)
    case null

    typealias Fault = StrictJSON.Fault

    init(parsing bytes: [UInt8]) throws(Fault) {
        self = try Self.tree(try StrictJSON(parsing: bytes))
    }

    private static func tree(_ document: StrictJSON) throws(Fault) -> JSONTree {
        switch document {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .number(let value): return .number(value)
        case .string(let bytes): return .string(String(decoding: bytes, as: UTF8.self))
        case .array(let elements):
            var trees: [JSONTree] = []
            for element in elements { trees.append(try tree(element)) }
            return .array(trees)
        case .object(let members):
            var trees: [String: JSONTree] = [:]
            for member in members {
                let key = String(decoding: member.key, as: UTF8.self)
                guard trees.updateValue(try tree(member.value), forKey: key) == nil else {
                    throw Fault(reason: "the key \"\(key.excerpt)\" stands there twice", offset: 0)
                }
            }
            return .object(trees)
        }
    }

    subscript(key: String) -> JSONTree? {
        if case .object(let members) = self { return members[key] }
        return nil
    }

    var object: [String: JSONTree]? {
        if case .object(let members) = self { return members }
        return nil
    }

    var array: [JSONTree]? {
        if case .array(let elements) = self { return elements }
        return nil
    }

    var string: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// `nil` for a number with a fraction, an exponent, or more digits than `Int` holds.
    var integer: Int? {
        if case .integer(let value) = self { return value }
        return nil
    }

    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    var bool: Bool? {
        if case .bool(let value) = self { return value }
        return nil
    }
}
