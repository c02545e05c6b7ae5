import BreezeCore

/// One method of a program as the file has it: values, and which of them go in and out.
struct ExecuTorchPlan {
    private let table: FlatBufferReader.Table
    private let name: String
    private let values: [Value]
    private let inputs: [Int32]
    private let outputs: [Int32]
    /// Names of tensors that lie in another file.
    let externalTensors: [String]

    private enum Field {
        static let name = 0, values = 2, inputs = 3, outputs = 4, delegates = 7, memory = 8
    }

    private enum Value {
        case constant(JSONValue)
        case tensor(shape: [TensorDimension]?, elementType: String?)
        case other(String)
    }

    init(_ table: FlatBufferReader.Table) throws {
        var (values, external): ([Value], [String]) = ([], [])
        try table.vector(Field.values)?.forEachTable { entry in
            values.append(try Self.value(entry, &external))
        }
        self.table = table
        self.values = values
        externalTensors = external
        name = try table.text(Field.name) ?? ""
        inputs = try table.vector(Field.inputs)?.integers() ?? []
        outputs = try table.vector(Field.outputs)?.integers() ?? []
    }

    func method() throws -> ExecuTorchFile.Method {
        var backends: [String] = []
        try table.vector(Field.delegates)?.forEachTable { backends.append(try $0.text(0) ?? "") }
        let memory: [Int64] = try table.vector(Field.memory, width: 8)?.integers() ?? []
        return ExecuTorchFile.Method(
            name: name,
            inputs: try ports(inputs, "input"),
            outputs: try ports(outputs, "output"),
            constants: try constants(),
            backends: Set(backends).sorted(),
            plannedMemory: memory.reduce(0) { $0.addingOrMost(Int(max(0, $1))) }
        )
    }

    /// A method without inputs whose outputs are all plain values.
    private func constants() throws -> [JSONValue]? {
        guard inputs.isEmpty, !outputs.isEmpty else { return nil }
        var found: [JSONValue] = []
        for index in outputs {
            guard case .constant(let value) = try value(at: index) else { return nil }
            found.append(value)
        }
        return found
    }

    /// Values have no names: they are numbered as the program counts them.
    private func ports(_ indices: [Int32], _ word: String) throws -> [TensorDescription] {
        try indices.enumerated().map { place, index in
            let name = "\(word)\(place)"
            switch try value(at: index) {
            case .tensor(let shape, let type):
                return TensorDescription(name: name, shape: shape, elementType: type)
            case .constant(let value):
                return TensorDescription(name: name, elementType: Self.word(for: value))
            case .other(let kind): return TensorDescription(name: name, elementType: kind)
            }
        }
    }

    private func value(at index: Int32) throws -> Value {
        guard values.indices.contains(Int(index)) else {
            throw FormatFault("an input or output is value \(index) of \(values.count)")
        }
        return values[Int(index)]
    }

    private static func word(for value: JSONValue) -> String {
        switch value {
        case .integer: "int64"
        case .bool: "bool"
        case .number: "float64"
        case .string: "string"
        default: "none"
        }
    }

    /// An `EValue`: the kind of the union, and the table of that kind.
    private static func value(_ entry: FlatBufferReader.Table, _ external: inout [String]) throws -> Value {
        let kind: UInt8 = try entry.integer(0)
        guard kind > 1, let content = try entry.table(1) else { return .constant(.null) }
        switch kind {
        case 2: return .constant(.integer(Int(try content.integer(0, default: Int64(0)))))
        case 3: return .constant(.bool(try content.integer(0, default: UInt8(0)) != 0))
        case 4:
            let number = try content.double(0)
            return .constant(number.isFinite ? .number(number) : .string("\(number)"))
        case 5: return try tensor(content, &external)
        case 6: return .constant(.string(try content.text(0) ?? ""))
        case 7...11: return .other(lists[Int(kind) - 7])
        default: throw FormatFault("a value is of the unknown kind \(kind)")
        }
    }

    private static let lists = [
        "sequence(int64)", "sequence(float64)", "sequence(bool)", "sequence(tensor)",
        "sequence(optional(tensor))",
    ]

    private static func tensor(
        _ table: FlatBufferReader.Table,
        _ external: inout [String]
    ) throws -> Value {
        let sizes: [Int32] = try table.vector(2)?.integers() ?? []
        let dynamism: Int8 = try table.integer(8)
        if let extra = try table.table(9), try extra.integer(2, default: Int8(0)) == 1 {
            external.append(try extra.text(1) ?? "")
        }
        let shape: [TensorDimension] = try sizes.map { size in
            guard size >= 0 else { throw FormatFault("a tensor has a dimension of \(size)") }
            switch dynamism {
            // The sizes are an upper bound, or nothing at all.
            case 1: return .range(from: 0, to: Int(size))
            case 2: return .open
            default: return .fixed(Int(size))
            }
        }
        return .tensor(shape: shape, elementType: typeName(Int(try table.integer(0, default: Int8(0)))))
    }

    /// c10's `ScalarType`, under the product's own names.
    private static func typeName(_ number: Int) -> String? {
        let names = [
            "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex32",
            "complex64", "complex128", "bool", "qint8", "quint8", "qint32", "bfloat16", "quint4x2",
            "quint2x4", "bits1x8", "bits2x4", "bits4x2", "bits8", "bits16", "float8e5m2", "float8e4m3fn",
            "float8e5m2fnuz", "float8e4m3fnuz", "uint16", "uint32", "uint64",
        ]
        return names.indices.contains(number) ? names[number] : nil
    }
}
