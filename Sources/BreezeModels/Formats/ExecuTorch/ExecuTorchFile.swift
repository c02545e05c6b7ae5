import BreezeCore

/// What a `.pte` program states of itself: ExecuTorch's `program.fbs`, read without weights and without the
/// back ends' data.
struct ExecuTorchFile {
    struct Method {
        let name: String
        let inputs: [TensorDescription]
        let outputs: [TensorDescription]
        /// What it answers without computing anything: the program's way to state numbers and texts about
        /// itself. `nil` for a method that computes.
        let constants: [JSONValue]?
        /// Back ends to which parts are delegated.
        let backends: [String]
        /// Bytes of the memory that its tensors are planned into.
        let plannedMemory: Int
    }

    let version: Int
    let methods: [Method]
    /// Weights that the program keeps itself.
    let constantCount: Int
    /// Tensors that lie in a `.ptd` file, whose name the program does not state.
    let externalTensors: [String]

    private enum Field {
        static let version = 0, plans = 1, constantBuffer = 2, constantSegment = 5
    }

    init(_ file: PagedFile) throws {
        let size = try Self.programSize(of: file)
        let root = try FlatBufferReader(file, size: size).root()
        version = Int(try root.integer(Field.version, default: UInt32(0)))
        var (methods, external): ([Method], Set<String>) = ([], [])
        try root.vector(Field.plans)?.forEachTable { plan in
            let plan = try ExecuTorchPlan(plan)
            methods.append(try plan.method())
            external.formUnion(plan.externalTensors)
        }
        guard !methods.isEmpty else { throw FormatFault("it has no method") }
        self.methods = methods
        externalTensors = external.sorted()
        let inline = try root.vector(Field.constantBuffer)?.count ?? 0
        let offsets = try root.table(Field.constantSegment)?.vector(1, width: 8)?.count ?? 0
        // The first of either stands for tensors without content.
        constantCount = max(0, max(inline, offsets) - 1)
    }

    /// Programs with segments state behind the identifier where the flatbuffer ends.
    private static func programSize(of file: PagedFile) throws -> Int {
        guard file.size >= 32, try file.bytes(8..<12) == Array("eh00".utf8) else { return file.size }
        let length: UInt32 = try file.integer(at: 12)
        let size: UInt64 = try file.integer(at: 16)
        let segments: UInt64 = try file.integer(at: 24)
        guard length >= 24, size <= UInt64(file.size), segments <= UInt64(file.size) else {
            throw FormatFault("its header states \(size) bytes, and it has \(file.size): it is cut short")
        }
        return Int(size)
    }
}
