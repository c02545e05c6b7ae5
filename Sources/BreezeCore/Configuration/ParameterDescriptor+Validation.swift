extension ParameterDescriptor.Kind {
    public enum Verdict: Hashable, Sendable {
        /// The value in its canonical form: `4.0` for an integer is `4`, `1` for a number is `1.0`.
        case valid(JSONValue)
        case outOfRange(nearest: JSONValue, reason: String)
        case wrong(reason: String)
    }

    /// Holds `value` against this kind.
    public func check(_ value: JSONValue) -> Verdict {
        switch self {
        case .string:
            return value.stringValue == nil ? .wrong(reason: expected("a string", value)) : .valid(value)
        case .boolean:
            return value.boolValue == nil ? .wrong(reason: expected("true or false", value)) : .valid(value)
        case .integer(let min, let max):
            guard let number = value.intValue else { return .wrong(reason: expected("an integer", value)) }
            return Self.range(number, min, max) { .integer($0) }
        case .number(let min, let max):
            guard let number = value.doubleValue, number.isFinite else {
                return .wrong(reason: expected("a number", value))
            }
            return Self.range(number, min, max) { .number($0) }
        case .selection(let options):
            guard let option = value.stringValue, options.contains(option) else {
                return .wrong(reason: expected("one of \(options.joined(separator: ", "))", value))
            }
            return .valid(value)
        case .strings(let maxCount):
            return Self.strings(value, maxCount: maxCount)
        }
    }

    private func expected(_ what: String, _ value: JSONValue) -> String {
        "it must be \(what), not \(value.stringValue.map { "\"\($0)\"" } ?? value.kindName)"
    }

    private static func range<Number: Comparable>(
        _ number: Number,
        _ min: Number?,
        _ max: Number?,
        _ wrap: (Number) -> JSONValue
    ) -> Verdict {
        if let min, number < min {
            return .outOfRange(nearest: wrap(min), reason: "\(number) is below the least, \(min)")
        }
        if let max, number > max {
            return .outOfRange(nearest: wrap(max), reason: "\(number) is above the most, \(max)")
        }
        return .valid(wrap(number))
    }

    private static func strings(_ value: JSONValue, maxCount: Int?) -> Verdict {
        // One string stands for a list of one, as in the published wire formats.
        let list = value.stringValue.map { [JSONValue.string($0)] } ?? value.arrayValue
        guard let list, list.allSatisfy({ $0.stringValue?.isEmpty == false }) else {
            return .wrong(reason: "it must be a list of strings, none of them empty")
        }
        if let maxCount, list.count > maxCount {
            return .outOfRange(
                nearest: .array(Array(list.prefix(maxCount))),
                reason: "\(list.count) strings are more than \(maxCount)"
            )
        }
        return .valid(.array(list))
    }
}
