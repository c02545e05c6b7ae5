import BreezeTokenizers

/// Reads the types of an ONNX graph's inputs and outputs.
struct ONNXTypes {
    private let file: PagedFile
    /// Sequences of maps of tensors.
    private static let deepest = 8

    init(_ file: PagedFile) { self.file = file }

    /// A `ValueInfoProto`.
    func port(_ range: Range<Int>) throws -> TensorDescription {
        var port = TensorDescription(name: "")
        try ProtobufReader.forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, .bytes(let text)): port.name = try file.text(text)
            case (2, .bytes(let type)): (port.elementType, port.shape) = try read(type, depth: 0)
            default: break
            }
        }
        return port
    }

    private typealias Found = (elementType: String?, shape: [TensorDimension]?)

    /// A `TypeProto`: a tensor, or a container that names what it holds.
    private func read(_ range: Range<Int>, depth: Int) throws -> Found {
        guard depth < Self.deepest else { throw FormatFault("a type is nested too deeply") }
        var found: Found = (nil, nil)
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard case .bytes(let content) = field.value else { return }
            switch field.number {
            case 1, 8: found = try readTensor(content)
            case 4: found = (try container("sequence", content, depth), nil)
            case 9: found = (try container("optional", content, depth), nil)
            case 5: found = (try map(content, depth), nil)
            case 7: found = ("opaque", nil)
            default: break
            }
        }
        return found
    }

    private func readTensor(_ range: Range<Int>) throws -> Found {
        var found: Found = (nil, nil)
        try ProtobufReader.forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, .varint(let number)):
                found.elementType = ONNXElementType.name(Int(truncatingIfNeeded: number))
            case (2, .bytes(let shape)): found.shape = try readShape(shape)
            default: break
            }
        }
        return found
    }

    private func readShape(_ range: Range<Int>) throws -> [TensorDimension] {
        var shape: [TensorDimension] = []
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard field.number == 1, case .bytes(let content) = field.value else { return }
            var dimension = TensorDimension.open
            try ProtobufReader.forEachField(of: content, in: file) { part in
                switch (part.number, part.value) {
                // Some exporters write -1 for an open one.
                case (1, .varint(let size)):
                    dimension = Int(exactly: size).map(TensorDimension.fixed) ?? .open
                case (2, .bytes(let text)): dimension = .named(try file.text(text))
                default: break
                }
            }
            shape.append(dimension)
        }
        return shape
    }

    private func container(_ word: String, _ range: Range<Int>, _ depth: Int) throws -> String {
        var inner = ""
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard field.number == 1, case .bytes(let content) = field.value else { return }
            inner = try read(content, depth: depth + 1).elementType ?? ""
        }
        return "\(word)(\(inner))"
    }

    private func map(_ range: Range<Int>, _ depth: Int) throws -> String {
        var (key, value) = ("", "")
        try ProtobufReader.forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, .varint(let number)): key = ONNXElementType.name(Int(truncatingIfNeeded: number)) ?? ""
            case (2, .bytes(let content)): value = try read(content, depth: depth + 1).elementType ?? ""
            default: break
            }
        }
        return "map(\(key),\(value))"
    }
}
