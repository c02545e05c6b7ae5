/// `TensorProto.DataType` of onnx.proto.
enum ONNXElementType {
    /// The names are the product's own for element types, the numbers' places the format's.
    private static let table: [(name: String, bits: Int)] = [
        ("undefined", 0), ("float32", 32), ("uint8", 8), ("int8", 8), ("uint16", 16), ("int16", 16),
        ("int32", 32), ("int64", 64), ("string", 0), ("bool", 8), ("float16", 16), ("float64", 64),
        ("uint32", 32), ("uint64", 64), ("complex64", 64), ("complex128", 128), ("bfloat16", 16),
        ("float8e4m3fn", 8), ("float8e4m3fnuz", 8), ("float8e5m2", 8), ("float8e5m2fnuz", 8), ("uint4", 4),
        ("int4", 4), ("float4e2m1", 4), ("float8e8m0", 8), ("uint2", 2), ("int2", 2), ("float6e2m3", 6),
        ("float6e3m2", 6),
    ]

    /// `nil` for 0 and for numbers that are not known.
    static func name(_ number: Int) -> String? {
        table.indices.contains(number) && number > 0 ? table[number].name : nil
    }

    /// 0 for texts and for what is not known.
    static func bits(_ number: Int) -> Int { table.indices.contains(number) ? table[number].bits : 0 }
}
