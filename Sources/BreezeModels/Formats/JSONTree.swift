/// A JSON value that keeps what Foundation's readers lose: a repeated key is an error here, and a whole
/// number stays exact. Reads files that strangers made, so depth is capped and every fault is an error.
enum JSONTree: Equatable, Sendable {
    case object([String: JSONTree])
    case array([JSONTree])
    case string(String)
    case integer(Int)
    case number(Double)
    case bool(Bool)
    case null

    /// Why the text is not JSON, with the byte where reading stopped.
    struct Fault: Error, Equatable {
        let message: String
        let offset: Int
    }

    /// - Throws: ``Fault``.
    init(parsing bytes: [UInt8]) throws {
        var parser = JSONParser(bytes: bytes)
        self = try parser.document()
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
