/// The walk through a model's tables: every offset leads into the file, every index to something that is
/// there. Slots are those of schema.fbs.
struct LiteRTGraph {
    typealias Damage = FlatTable.Damage

    struct Subgraph {
        /// Of every tensor, -1 for a dimension that each run may choose.
        var shapes: [[Int32]] = []
        /// Positions in `shapes`.
        var inputs: [Int32] = []
        var outputs: [Int32] = []
    }

    private(set) var subgraphs: [Subgraph] = []
    private let fileSize: Int
    private let bufferCount: Int
    private let operatorCodeCount: Int

    init(_ model: FlatTable, fileSize: Int) throws(Damage) {
        self.fileSize = fileSize
        try Self.refuse(8, 9, of: model, "external buffers")
        _ = try model.text(3)
        try model.vector(5, of: 4)
        let codes = try model.tables(1)
        operatorCodeCount = codes.count
        for code in codes { _ = try code.text(1) }
        let buffers = try model.tables(4)
        bufferCount = buffers.count
        for buffer in buffers {
            try buffer.vector(0, of: 1)
            try check(regionOf: buffer, 1, 2)
        }
        for entry in try model.tables(6) {
            _ = try entry.text(0)
            try Self.check(try entry.number(1) ?? 0 as UInt32, below: bufferCount, "buffer")
        }
        for subgraph in try model.tables(2) { subgraphs.append(try check(subgraph: subgraph)) }
        for signature in try model.tables(7) { try check(signature: signature) }
    }

    private func check(subgraph table: FlatTable) throws(Damage) -> Subgraph {
        _ = try table.text(4)
        var subgraph = Subgraph()
        for tensor in try table.tables(0) { subgraph.shapes.append(try check(tensor: tensor)) }
        let count = subgraph.shapes.count
        subgraph.inputs = try table.integers(1)
        subgraph.outputs = try table.integers(2)
        try Self.check(subgraph.inputs + subgraph.outputs, below: count)
        for operation in try table.tables(3) { try check(operation: operation, tensors: count) }
        return subgraph
    }

    /// Its shape.
    private func check(tensor: FlatTable) throws(Damage) -> [Int32] {
        try Self.refuse(6, 9, 10, of: tensor, "sparse, variant or external tensors")
        _ = try tensor.text(3)
        try Self.check(try tensor.number(2) ?? 0 as UInt32, below: bufferCount, "buffer")
        let shape = try tensor.integers(0)
        let signature = try tensor.integers(7)
        guard signature.isEmpty || signature.count == shape.count, shape.allSatisfy({ $0 >= 0 }) else {
            throw Damage(reason: "a tensor's shape contradicts itself")
        }
        if let quantization = try tensor.table(4) {
            try Self.refuse(5, of: quantization, "a special quantization")
            for slot in 0...2 { try quantization.vector(slot, of: 4) }
            try quantization.vector(3, of: 8)
        }
        return signature.isEmpty ? shape : signature
    }

    private func check(operation: FlatTable, tensors: Int) throws(Damage) {
        try Self.check(try operation.number(0) ?? 0 as UInt32, below: operatorCodeCount, "operator")
        // An optional input that is absent is -1.
        try Self.check(try operation.integers(1).filter { $0 != -1 }, below: tensors)
        try Self.check(try operation.integers(2), below: tensors)
        try Self.check(try operation.integers(8).filter { $0 != -1 }, below: tensors)
        try operation.vector(5, of: 1)
        try operation.vector(7, of: 1)
        try check(regionOf: operation, 9, 10)
        try Self.refuse(12, of: operation, "StableHLO operators")
        guard let options = try operation.table(4) else { return }
        // Everything else in the tables of `BuiltinOptions` is a number.
        switch try operation.number(3) ?? 0 as UInt8 {
        case 17, 30, 115: try options.vector(0, of: 4)  // Reshape, Squeeze, Bucketize
        case 8: try options.vector(5, of: 1)  // FullyConnected
        case 3:  // ConcatEmbeddings
            try options.vector(1, of: 4)
            try options.vector(2, of: 4)
        case 111:  // VarHandle
            _ = try options.text(0)
            _ = try options.text(1)
        case 0...126: break
        case let type: throw Damage(reason: "it uses options of the unknown kind \(type)")
        }
    }

    private func check(signature: FlatTable) throws(Damage) {
        _ = try signature.text(2)
        let index = try signature.number(4) ?? 0 as UInt32
        try Self.check(index, below: subgraphs.count, "subgraph")
        let subgraph = subgraphs[Int(index)]
        for (slot, tensors) in [(0, subgraph.inputs), (1, subgraph.outputs)] {
            var named: [Int32] = []
            for map in try signature.tables(slot) {
                let tensor = Int32(truncatingIfNeeded: try map.number(1) ?? 0 as UInt32)
                guard try map.text(0) != nil, !named.contains(tensor) else {
                    throw Damage(reason: "its signature does not give each tensor one name")
                }
                named.append(tensor)
            }
            guard named.sorted() == tensors.sorted() else {
                throw Damage(reason: "its signature names other tensors than its graph takes and gives")
            }
        }
    }

    /// What lies in the file behind the tables, where there is such a thing.
    private func check(regionOf table: FlatTable, _ offsetSlot: Int, _ sizeSlot: Int) throws(Damage) {
        let offset = try table.number(offsetSlot) ?? 0 as UInt64
        let (end, overflow) = offset.addingReportingOverflow(try table.number(sizeSlot) ?? 0)
        guard !overflow, end <= UInt64(fileSize) else {
            throw Damage(reason: "data at byte \(offset) does not end inside the file")
        }
    }

    private static func check(_ index: UInt32, below count: Int, _ what: String) throws(Damage) {
        guard index < count else { throw Damage(reason: "it names \(what) \(index) of \(count)") }
    }

    private static func check(_ tensors: [Int32], below count: Int) throws(Damage) {
        for tensor in tensors where tensor < 0 || tensor >= count {
            throw Damage(reason: "it names tensor \(tensor) of \(count)")
        }
    }

    /// What schema.fbs allows and is not walked through here.
    private static func refuse(_ slots: Int..., of table: FlatTable, _ what: String) throws(Damage) {
        for slot in slots where try table.has(slot) {
            throw Damage(reason: "it uses \(what), which are not read")
        }
    }
}
