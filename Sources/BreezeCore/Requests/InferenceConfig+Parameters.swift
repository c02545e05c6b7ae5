extension InferenceConfig {
    /// The values that take part in the three-tier configuration, by the name they have in a
    /// ``ParameterSchema``.
    /// ``guidedOutput``, ``tools`` and ``toolChoice`` are part of the question and not of its tuning.
    private enum Field: Sendable {
        case number(any WritableKeyPath<InferenceConfig, Double?> & Sendable)
        case integer(any WritableKeyPath<InferenceConfig, Int?> & Sendable)
        case strings(any WritableKeyPath<InferenceConfig, [String]?> & Sendable)
    }

    private static let fields: [(name: String, field: Field)] = [
        ("temperature", .number(\.temperature)), ("topP", .number(\.topP)), ("topK", .integer(\.topK)),
        ("minP", .number(\.minP)), ("repetitionPenalty", .number(\.repetitionPenalty)),
        ("frequencyPenalty", .number(\.frequencyPenalty)), ("presencePenalty", .number(\.presencePenalty)),
        ("seed", .integer(\.seed)), ("maxTokens", .integer(\.maxTokens)), ("stop", .strings(\.stop)),
        ("contextSize", .integer(\.contextSize)), ("logprobs", .integer(\.logprobs)),
        ("keepAlive", .number(\.keepAlive)), ("timeout", .number(\.timeout)),
    ]
    private static let fieldsByName = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.field) })

    /// Names of the standard parameters, in a fixed order.
    public static let standardParameterNames: [String] = fields.map(\.name)

    /// What kind of value a standard parameter takes, its limits apart, which each runner sets; `nil` for
    /// other names.
    public static func kind(ofStandardParameter name: String) -> ParameterDescriptor.Kind? {
        switch fieldsByName[name] {
        case .number: .number()
        case .integer: .integer()
        case .strings: .strings()
        case nil: nil
        }
    }

    /// Every parameter that is set, standard ones first and in their fixed order.
    public var parameters: [(name: String, value: JSONValue)] {
        let standard = Self.fields.compactMap { name, field in
            value(of: field).map { (name: name, value: $0) }
        }
        return standard + additional.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    private func value(of field: Field) -> JSONValue? {
        switch field {
        case .number(let path): self[keyPath: path].map { .number($0) }
        case .integer(let path): self[keyPath: path].map { .integer($0) }
        case .strings(let path): self[keyPath: path].map { .array($0.map { .string($0) }) }
        }
    }

    /// A parameter by name; unknown names live in ``additional``. Setting a value of the wrong kind clears a
    /// standard parameter: check it against its ``ParameterDescriptor`` first.
    public subscript(parameter name: String) -> JSONValue? {
        get {
            if let field = Self.fieldsByName[name] { value(of: field) } else { additional[name] }
        }
        set {
            switch Self.fieldsByName[name] {
            case .number(let path): self[keyPath: path] = newValue?.doubleValue
            case .integer(let path): self[keyPath: path] = newValue?.intValue
            case .strings(let path):
                self[keyPath: path] = newValue?.arrayValue?.compactMap(\.stringValue)
            case nil: additional[name] = newValue
            }
        }
    }
}
