/// The header of a message: names compared without regard to case, several values a name, in the order in
/// which they came.
public struct HeaderFields: Sendable, Hashable {
    private struct Field: Sendable, Hashable {
        let name: String
        let value: String
    }

    private var fields: [Field] = []

    public init() {}

    public init(_ pairs: [(String, String)]) {
        fields = pairs.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first value; setting replaces every one, `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.same($0.name, name) }?.value }
        set {
            fields.removeAll { Self.same($0.name, name) }
            if let newValue { fields.append(Field(name: name, value: newValue)) }
        }
    }

    public func all(_ name: String) -> [String] {
        fields.filter { Self.same($0.name, name) }.map(\.value)
    }

    /// Adds a value beside those that the name has already.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    public var pairs: [(name: String, value: String)] {
        fields.map { ($0.name, $0.value) }
    }

    /// As they go over the line: name, colon, space, value, line end.
    package var byteCount: Int {
        fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    }

    /// The name of a field that cannot be sent as it is: it would end its line early, or is no name.
    var unsendable: String? {
        fields.first { field in
            field.name.isEmpty || !field.name.utf8.allSatisfy(Self.isToken)
                || field.value.utf8.contains { $0 == 13 || $0 == 10 || $0 == 0 }
        }?.name
    }

    /// RFC 9110, section 5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && left.lowercased() == right.lowercased()
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral pairs: (String, String)...) {
        self.init(pairs)
    }
}
