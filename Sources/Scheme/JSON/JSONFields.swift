import BreezeCore

/// The members of one object whose names are all known; `null` is the same as absent.
///
/// Names are compared byte for byte: in Swift the Kelvin sign equals a K, and `top\u{212A}` would pass for `topK`.
struct JSONFields {
    private let value: StrictJSON
    private let path: String

    /// `path` is where the object stands, for messages: `request.messages`.
    init(_ value: StrictJSON, at path: String, knowing names: [String]) throws(BreezeError) {
        guard let members = value.members else { throw SchemeFault.request("\(path) is not an object") }
        for member in members where !names.contains(where: { member.key.elementsEqual($0.utf8) }) {
            throw SchemeFault.request("\(path) has a member that nobody knows")
        }
        self.value = value
        self.path = path
    }

    func required<Field>(_ name: String, _ field: Field?) throws(BreezeError) -> Field {
        guard let field else { throw SchemeFault.request("\(path).\(name) is missing") }
        return field
    }

    func text(_ name: String) throws(BreezeError) -> String? {
        try read(name, "a text") { $0.string }
    }

    func number(_ name: String) throws(BreezeError) -> Double? {
        try read(name, "a number") { value in
            switch value {
            case .integer(let value): Double(value)
            case .number(let value): value
            default: nil
            }
        }
    }

    func whole(_ name: String) throws(BreezeError) -> Int? {
        try read(name, "a whole number of 64 bits") { $0.integer }
    }

    func flag(_ name: String) throws(BreezeError) -> Bool? {
        try read(name, "true or false") { $0.bool }
    }

    /// Bytes that stand there as base64 with padding.
    func data(_ name: String) throws(BreezeError) -> [UInt8]? {
        try read(name, "base64") { $0.bytes.flatMap(StrictBase64.bytes(ofPadded:)) }
    }

    func dataList(_ name: String) throws(BreezeError) -> [[UInt8]]? {
        try read(name, "a list of base64 texts") { value in
            Self.list(value) { $0.bytes.flatMap(StrictBase64.bytes(ofPadded:)) }
        }
    }

    func choice<Choice: RawRepresentable<String>>(_ name: String) throws(BreezeError) -> Choice? {
        try read(name, "one of its words") { $0.string.flatMap(Choice.init(rawValue:)) }
    }

    func texts(_ name: String) throws(BreezeError) -> [String]? {
        try read(name, "a list of texts") { value in Self.list(value) { $0.string } }
    }

    func json(_ name: String) throws(BreezeError) -> JSONValue? {
        try read(name, "JSON") { try? JSONValue($0) }
    }

    func object(_ name: String) throws(BreezeError) -> StrictJSON? {
        try read(name, "an object") { $0.members == nil ? nil : $0 }
    }

    /// Objects that are alike, each read by its own members.
    func list<Element>(
        _ name: String,
        of names: [String],
        _ element: (JSONFields) throws(BreezeError) -> Element
    ) throws(BreezeError) -> [Element]? {
        guard let values = try read(name, "a list", { $0.array }) else { return nil }
        var elements: [Element] = []
        for value in values {
            elements.append(try element(JSONFields(value, at: "\(path).\(name)", knowing: names)))
        }
        return elements
    }

    private func read<Field>(
        _ name: String,
        _ kind: String,
        _ field: (StrictJSON) -> Field?
    ) throws(BreezeError) -> Field? {
        guard let value = value[name] else { return nil }
        guard let field = field(value) else { throw SchemeFault.request("\(path).\(name) is not \(kind)") }
        return field
    }

    /// `nil` where one is none of them; a `null` is.
    private static func list<Element>(
        _ value: StrictJSON,
        _ element: (StrictJSON) -> Element?
    ) -> [Element]? {
        guard let values = value.array else { return nil }
        let elements = values.compactMap(element)
        return elements.count == values.count ? elements : nil
    }
}
