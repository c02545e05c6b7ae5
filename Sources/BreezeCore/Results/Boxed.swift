/// A value that lies apart from the struct that holds it. Each step on the way of a request keeps copies of requests and
/// results for as long as the answer grows; what is large and seldom looked at is one pointer in these.
indirect enum Boxed<Value> {
    case value(Value)

    init(_ value: Value) { self = .value(value) }

    var value: Value {
        get {
            switch self {
            case .value(let value): value
            }
        }
        set { self = .value(newValue) }
    }
}

extension Boxed: Sendable where Value: Sendable {}
extension Boxed: Equatable where Value: Equatable {}
extension Boxed: Hashable where Value: Hashable {}

/// As if nothing were around it.
extension Boxed: Encodable where Value: Encodable {
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Boxed: Decodable where Value: Decodable {
    init(from decoder: any Decoder) throws { self = .value(try Value(from: decoder)) }
}

// What there is none of has no member, as with any other optional.
extension KeyedEncodingContainer {
    mutating func encode<Value: Encodable>(_ boxed: Boxed<Value?>, forKey key: Key) throws {
        try encodeIfPresent(boxed.value, forKey: key)
    }
}

extension KeyedDecodingContainer {
    func decode<Value: Decodable>(_ type: Boxed<Value?>.Type, forKey key: Key) throws -> Boxed<Value?> {
        .value(try decodeIfPresent(Value.self, forKey: key))
    }
}
