/// In JSON an object with `type` and the limits of that type: `{"type": "integer", "min": 1}`.
extension ParameterDescriptor.Kind: Codable {
    private enum TypeName: String, Codable { case string, boolean, integer, number, selection, strings }
    private enum CodingKeys: String, CodingKey { case type, min, max, options, maxCount }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func limit<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
            try values.decodeIfPresent(Value.self, forKey: key)
        }
        switch try values.decode(TypeName.self, forKey: .type) {
        case .string: self = .string
        case .boolean: self = .boolean
        case .integer: self = .integer(min: try limit(.min), max: try limit(.max))
        case .number: self = .number(min: try limit(.min), max: try limit(.max))
        case .selection: self = .selection(try values.decode([String].self, forKey: .options))
        case .strings: self = .strings(maxCount: try limit(.maxCount))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .string: try values.encode(TypeName.string, forKey: .type)
        case .boolean: try values.encode(TypeName.boolean, forKey: .type)
        case .integer(let min, let max):
            try values.encode(TypeName.integer, forKey: .type)
            try values.encodeIfPresent(min, forKey: .min)
            try values.encodeIfPresent(max, forKey: .max)
        case .number(let min, let max):
            try values.encode(TypeName.number, forKey: .type)
            try values.encodeIfPresent(min, forKey: .min)
            try values.encodeIfPresent(max, forKey: .max)
        case .selection(let options):
            try values.encode(TypeName.selection, forKey: .type)
            try values.encode(options, forKey: .options)
        case .strings(let maxCount):
            try values.encode(TypeName.strings, forKey: .type)
            try values.encodeIfPresent(maxCount, forKey: .maxCount)
        }
    }
}
