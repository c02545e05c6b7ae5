import BreezeCore

/// A JSON document as a tokenizer needs it: strings stay bytes and objects keep every member.
///
/// A Swift dictionary keyed by `String` would merge tokens that differ only in how accents are composed.
enum FileJSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    /// A number with a fraction or an exponent, or one beyond `Int`: no tokenizer's field needs its value.
    case otherNumber
    /// Valid UTF-8.
    case string([UInt8])
    case array([FileJSON])
    case object([Member])

    struct Member: Sendable {
        let key: [UInt8]
        let value: FileJSON
    }

    /// The member of that name; `nil` where there is none, or its value is `null`.
    subscript(name: String) -> FileJSON? {
        guard case .object(let members) = self else { return nil }
        guard let value = members.last(where: { $0.key.elementsEqual(name.utf8) })?.value else { return nil }
        if case .null = value { return nil }
        return value
    }

    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    var bytes: [UInt8]? { if case .string(let value) = self { value } else { nil } }
    var string: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
    var array: [FileJSON]? { if case .array(let value) = self { value } else { nil } }
    var members: [Member]? { if case .object(let value) = self { value } else { nil } }
}
