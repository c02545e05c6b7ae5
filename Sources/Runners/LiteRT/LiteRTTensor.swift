/// The type of a tensor's elements, by LiteRT's number for it. Open, since models declare more types than are
/// taken here (``float`` and ``int32``).
public struct LiteRTElementType: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let float = Self(rawValue: 1)
    public static let int32 = Self(rawValue: 2)
}

extension LiteRTElementType: CustomStringConvertible {
    /// `LiteRtElementType`, from 1 on.
    private static let names = [
        "float", "int32", "uint8", "int64", "string", "bool", "int16", "complex64", "int8", "float16",
        "double",
        "complex128", "uint64", "resource", "variant", "uint32", "uint16", "int4", "bfloat16", "int2",
    ]

    public var description: String {
        Self.names.indices.contains(rawValue - 1) ? Self.names[rawValue - 1] : "type \(rawValue)"
    }
}

/// What a model declares about one of its inputs or outputs.
public struct LiteRTTensorInfo: Hashable, Sendable {
    public let name: String
    public let elementType: LiteRTElementType
    /// `nil` stands for a dimension that each run may choose.
    public let shape: [Int?]

    public init(name: String, elementType: LiteRTElementType, shape: [Int?]) {
        self.name = name
        self.elementType = elementType
        self.shape = shape
    }
}

/// A named input or output of a run. Elements lie in row-major order.
public struct LiteRTTensor: Hashable, Sendable {
    public enum Elements: Hashable, Sendable {
        case float([Float])
        case int32([Int32])
    }

    public let name: String
    public let elements: Elements
    /// A run refuses a shape whose product is not the number of elements.
    public let shape: [Int]

    public init(_ name: String, _ elements: [Float], shape: [Int]) {
        self.name = name
        self.elements = .float(elements)
        self.shape = shape
    }

    public init(_ name: String, _ elements: [Int32], shape: [Int]) {
        self.name = name
        self.elements = .int32(elements)
        self.shape = shape
    }

    public var elementType: LiteRTElementType {
        switch elements {
        case .float: .float
        case .int32: .int32
        }
    }

    public var count: Int {
        switch elements {
        case .float(let values): values.count
        case .int32(let values): values.count
        }
    }

    /// `nil` where the elements are of another type.
    public var floats: [Float]? {
        if case .float(let values) = elements { values } else { nil }
    }

    /// `nil` where the elements are of another type.
    public var integers: [Int32]? {
        if case .int32(let values) = elements { values } else { nil }
    }

    /// Lends the elements' own memory for the duration of the call; nothing is copied.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        switch elements {
        case .float(let values): try values.withUnsafeBytes(body)
        case .int32(let values): try values.withUnsafeBytes(body)
        }
    }
}
