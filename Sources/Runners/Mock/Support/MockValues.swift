import BreezeCore

/// The values of a runner's parameters: the request's, else the schema's defaults. The engine has checked
/// them already; a runner that is called directly checks for itself.
struct MockValues {
    private var values: [String: JSONValue] = [:]

    init(_ configuration: InferenceConfig, schema: ParameterSchema, runner: String) throws {
        values.reserveCapacity(schema.parameters.count)
        for descriptor in schema.parameters {
            let name = descriptor.name
            guard let asked = configuration[parameter: name] ?? descriptor.defaultValue else { continue }
            switch descriptor.kind.check(asked) {
            case .valid(let value): values[name] = value
            case .outOfRange(_, let reason), .wrong(let reason):
                throw BreezeError(
                    .invalidParameter,
                    "\(name): \(reason).",
                    remedy: "See what \(runner) takes: breeze runners --json"
                )
            }
        }
    }

    func integer(_ name: String) -> Int? { values[name]?.intValue }
    func number(_ name: String) -> Double? { values[name]?.doubleValue }
    func boolean(_ name: String) -> Bool { values[name]?.boolValue ?? false }
    func string(_ name: String) -> String? { values[name]?.stringValue }
    func strings(_ name: String) -> [String] { values[name]?.arrayValue?.compactMap(\.stringValue) ?? [] }
}
