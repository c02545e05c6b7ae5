/// The type of a tensor's elements, by the number that ONNX gives it. Open, since models declare more types
/// than sessions here take (``float`` and ``int64``).
public struct OnnxElementType: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let float = Self(rawValue: 1)
    public static let int64 = Self(rawValue: 7)
}

extension OnnxElementType: CustomStringConvertible {
    /// `TensorProto.DataType` of the ONNX specification, from 1 on.
    private static let names = [
        "float", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16", "double",
        "uint32", "uint64", "complex64", "complex128", "bfloat16",
    ]

    public var description: String {
        Self.names.indices.contains(rawValue - 1) ? Self.names[rawValue - 1] : "type \(rawValue)"
    }
}

/// What a model declares about one of its inputs or outputs.
public struct OnnxValueInfo: Hashable, Sendable {
    public let name: String
    /// `nil` for what is no tensor (a sequence, a map).
    public let elementType: OnnxElementType?
    /// `nil` stands for a dimension that each run may choose.
    public let shape: [Int?]

    public init(name: String, elementType: OnnxElementType?, shape: [Int?]) {
        self.name = name
        self.elementType = elementType
        self.shape = shape
    }
}

/// A named input or output of a run. Elements lie in row-major order.
public struct OnnxTensor: Hashable, Sendable {
    public enum Elements: Hashable, Sendable {
        case float([Float])
        case int64([Int64])
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

    public init(_ name: String, _ elements: [Int64], shape: [Int]) {
        self.name = name
        self.elements = .int64(elements)
        self.shape = shape
    }

    public var elementType: OnnxElementType {
        switch elements {
        case .float: .float
        case .int64: .int64
        }
    }

    public var count: Int {
        switch elements {
        case .float(let values): values.count
        case .int64(let values): values.count
        }
    }

    /// `nil` where the elements are of another type.
    public var floats: [Float]? {
        if case .float(let values) = elements { values } else { nil }
    }

    /// `nil` where the elements are of another type.
    public var integers: [Int64]? {
        if case .int64(let values) = elements { values } else { nil }
    }

    /// Lends the elements' own memory for the duration of the call; nothing is copied.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        switch elements {
        case .float(let values): try values.withUnsafeBytes(body)
        case .int64(let values): try values.withUnsafeBytes(body)
        }
    }
}
