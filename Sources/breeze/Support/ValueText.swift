import BreezeCore

extension JSONValue {
    /// As JSON, except that a string stands without quotes.
    var text: String {
        stringValue ?? (try? JSONText.line(self)) ?? kindName
    }
}

extension ParameterDescriptor.Kind {
    /// What it takes, for people.
    var words: String {
        switch self {
        case .string: "a text"
        case .boolean: "true or false"
        case .integer(let min, let max): Self.range("an integer", min, max)
        case .number(let min, let max): Self.range("a number", min, max)
        case .selection(let options): "one of \(options.joined(separator: ", "))"
        case .strings(let count): count.map { "a list of up to \($0) texts" } ?? "a list of texts"
        }
    }

    private static func range<Number>(_ what: String, _ min: Number?, _ max: Number?) -> String {
        switch (min, max) {
        case (let min?, let max?): "\(what) from \(min) to \(max)"
        case (let min?, nil): "\(what), at least \(min)"
        case (nil, let max?): "\(what), at most \(max)"
        case (nil, nil): what
        }
    }
}
