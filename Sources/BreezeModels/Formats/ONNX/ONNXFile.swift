import BreezeCore
import BreezeTokenizers

/// What an ONNX model states of itself, from one walk over its protobuf fields. Weights are stepped over.
struct ONNXFile {
    /// A file beside the model that holds weights.
    struct ExternalFile: Hashable {
        /// Bytes that it must have at least.
        var byteCount: Int
    }

    struct Operators: Hashable {
        /// Empty for ONNX's own.
        let domain: String
        let version: Int
    }

    private(set) var irVersion = 0
    private(set) var producer = ""
    private(set) var producerVersion = ""
    private(set) var domain = ""
    private(set) var modelVersion = 0
    private(set) var documentation = ""
    private(set) var operators: [Operators] = []
    private(set) var properties: [String: String] = [:]
    private(set) var graphName = ""
    private(set) var graphDocumentation = ""
    /// Without the weights, which old models list among their inputs.
    private(set) var inputs: [TensorDescription] = []
    private(set) var outputs: [TensorDescription] = []
    /// Weights of all graphs.
    private(set) var tensorCount = 0
    private(set) var parameterCount = 0
    private(set) var weightBytes = 0
    /// Bytes by element type.
    private(set) var bytesByType: [Int: Int] = [:]
    /// By their place as the model states it, relative to its folder.
    private(set) var externalFiles: [String: ExternalFile] = [:]

    private let file: PagedFile
    private var weightNames: Set<String> = []
    /// Graphs within graphs: loops and branches.
    private static let deepest = 16

    init(_ file: PagedFile) throws {
        self.file = file
        var hasGraph = false
        try ProtobufReader.forEachField(of: 0..<file.size, in: file) { field in
            switch (field.number, field.value) {
            case (1, .varint(let number)): irVersion = Int(truncatingIfNeeded: number)
            case (2, .bytes(let range)): producer = try file.text(range)
            case (3, .bytes(let range)): producerVersion = try file.text(range)
            case (4, .bytes(let range)): domain = try file.text(range)
            case (5, .varint(let number)): modelVersion = Int(truncatingIfNeeded: number)
            case (6, .bytes(let range)): documentation = try file.text(range)
            case (7, .bytes(let range)):
                hasGraph = true
                try readGraph(range, depth: 0)
            case (8, .bytes(let range)): operators.append(try readOperators(range))
            case (14, .bytes(let range)):
                let (key, value) = try ProtobufReader.pair(range, in: file)
                properties[key] = value
            case (25, .bytes(let range)): try readNodes(of: range, field: 7, depth: 0)
            default: break
            }
        }
        guard hasGraph else { throw FormatFault("it has no graph") }
        inputs.removeAll { weightNames.contains($0.name) }
    }

    private func readOperators(_ range: Range<Int>) throws -> Operators {
        var (domain, version) = ("", 0)
        try ProtobufReader.forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, .bytes(let text)): domain = try file.text(text)
            case (2, .varint(let number)): version = Int(truncatingIfNeeded: number)
            default: break
            }
        }
        return Operators(domain: domain, version: version)
    }

    private mutating func readGraph(_ range: Range<Int>, depth: Int) throws {
        guard depth < Self.deepest else { throw FormatFault("its graphs are nested too deeply") }
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard case .bytes(let content) = field.value else { return }
            switch field.number {
            case 1: try readNode(content, depth: depth)
            case 2 where depth == 0: graphName = try file.text(content)
            case 5: try readWeights(content, isGraphs: depth == 0)
            case 10 where depth == 0: graphDocumentation = try file.text(content)
            case 11 where depth == 0: inputs.append(try ONNXTypes(file).port(content))
            case 12 where depth == 0: outputs.append(try ONNXTypes(file).port(content))
            case 15: try readSparseWeights(content, isGraphs: depth == 0)
            default: break
            }
        }
    }

    /// The nodes of a function, which are its field 7.
    private mutating func readNodes(of range: Range<Int>, field number: Int, depth: Int) throws {
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard field.number == number, case .bytes(let node) = field.value else { return }
            try readNode(node, depth: depth)
        }
    }

    /// A node matters for its attributes: they may hold graphs, and tensors that lie in other files.
    private mutating func readNode(_ range: Range<Int>, depth: Int) throws {
        try ProtobufReader.forEachField(of: range, in: file) { field in
            guard field.number == 5, case .bytes(let attribute) = field.value else { return }
            try ProtobufReader.forEachField(of: attribute, in: file) { part in
                guard case .bytes(let content) = part.value else { return }
                switch part.number {
                case 5, 10: _ = try readTensor(content)
                case 6, 11: try readGraph(content, depth: depth + 1)
                case 22, 23: _ = try readSparse(content)
                default: break
                }
            }
        }
    }

    private mutating func readWeights(_ range: Range<Int>, isGraphs: Bool) throws {
        let tensor = try readTensor(range)
        count(tensor, elements: tensor.elementCount, isGraphs: isGraphs)
    }

    private mutating func readSparseWeights(_ range: Range<Int>, isGraphs: Bool) throws {
        guard let tensor = try readSparse(range) else { return }
        count(tensor, elements: tensor.elementCount, isGraphs: isGraphs)
    }

    /// - Returns: the values, which bear the tensor's name.
    private mutating func readSparse(_ range: Range<Int>) throws -> ONNXTensor? {
        var values: ONNXTensor?
        try ProtobufReader.forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, .bytes(let content)): values = try readTensor(content)
            case (2, .bytes(let content)): _ = try readTensor(content)
            default: break
            }
        }
        return values
    }

    private mutating func count(_ tensor: ONNXTensor, elements: Int, isGraphs: Bool) {
        tensorCount += 1
        // Wrapping: a damaged file may claim anything, and no memory is taken by these sums.
        parameterCount = parameterCount.addingOrMost(elements)
        weightBytes = weightBytes.addingOrMost(tensor.byteCount)
        bytesByType[tensor.type, default: 0] = (bytesByType[tensor.type] ?? 0).addingOrMost(tensor.byteCount)
        if isGraphs { weightNames.insert(tensor.name) }
    }

    private mutating func readTensor(_ range: Range<Int>) throws -> ONNXTensor {
        let tensor = try ONNXTensor(range, in: file)
        if let external = tensor.external {
            let end = external.offset.addingOrMost(external.length ?? tensor.byteCount)
            let known = externalFiles[external.location]?.byteCount ?? 0
            externalFiles[external.location] = ExternalFile(byteCount: max(known, end))
        }
        return tensor
    }
}

extension Int {
    /// The sum of two that are not negative, or the largest number.
    func addingOrMost(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
