extension JSONValue {
    /// Reads a document that may be damaged or hostile, in which a repeated key is an error: whoever wrote it
    /// meant one of the two, and nobody can tell which.
    package init(parsing bytes: [UInt8]) throws(StrictJSON.Fault) {
        try self.init(StrictJSON(parsing: bytes))
    }

    /// Names that differ only in how accents are composed count as repeated, too.
    package init(_ document: StrictJSON) throws(StrictJSON.Fault) {
        switch document {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .number(let value): self = .number(value)
        case .string(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
        case .array(let elements):
            var values: [JSONValue] = []
            for element in elements { values.append(try JSONValue(element)) }
            self = .array(values)
        case .object(let members):
            var values: [String: JSONValue] = [:]
            for member in members {
                let key = String(decoding: member.key, as: UTF8.self)
                guard values.updateValue(try JSONValue(member.value), forKey: key) == nil else {
                    let reason = "the key \"\(key.prefix(80))\" stands there twice"
                    throw StrictJSON.Fault(reason: reason, offset: member.offset)
                }
            }
            self = .object(values)
        }
    }
}
