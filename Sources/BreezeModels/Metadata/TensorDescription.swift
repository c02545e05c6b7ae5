/// An input or output of a model, as the model states it.
public struct TensorDescription: Codable, Hashable, Sendable {
    public var name: String
    /// Outermost dimension first, empty for a scalar; `nil` where the rank is not stated, and for what is no
    /// tensor.
    public var shape: [TensorDimension]?
    /// `float32`, `int64`, `bool`, `string`; `image` and containers (`sequence(int64)`, `map(string,float64)`)
    /// where the format has them; `nil` where it is not stated.
    public var elementType: String?

    public init(name: String, shape: [TensorDimension]? = nil, elementType: String? = nil) {
        self.name = name
        self.shape = shape
        self.elementType = elementType
    }
}

/// A dimension of a shape. In JSON a number, a name, `null` where it is open, or `{"from", "to"}`.
public enum TensorDimension: Hashable, Sendable {
    case fixed(Int)
    /// Open, and equal wherever the model uses the same name: `batch`.
    case named(String)
    case open
    /// Open within bounds; `to` is `nil` where there is no upper one.
    case range(from: Int, to: Int?)
}

extension TensorDimension: Codable {
    private enum CodingKeys: String, CodingKey { case from, to }

    public init(from decoder: any Decoder) throws {
        if let values = try? decoder.container(keyedBy: CodingKeys.self) {
            let from = try values.decode(Int.self, forKey: .from)
            self = .range(from: from, to: try values.decodeIfPresent(Int.self, forKey: .to))
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .open
        } else if let size = try? value.decode(Int.self) {
            self = .fixed(size)
        } else {
            self = .named(try value.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .range(let from, let to):
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encode(from, forKey: .from)
            try values.encodeIfPresent(to, forKey: .to)
        case .fixed(let size):
            var value = encoder.singleValueContainer()
            try value.encode(size)
        case .named(let name):
            var value = encoder.singleValueContainer()
            try value.encode(name)
        case .open:
            var value = encoder.singleValueContainer()
            try value.encodeNil()
        }
    }
}
