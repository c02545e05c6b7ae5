import CLiteRt

/// What a model declares: names and tensors in one order, which is also the order of a run's buffers.
struct LiteRTSignature {
    let api: LiteRTAPI
    let pointer: OpaquePointer

    /// `shapes` are those that the file tells, by name.
    func inputs(_ shapes: [String: [Int32]]) throws(LiteRTFault) -> [LiteRTTensorInfo] {
        let table = api.table
        return try tensors(shapes, table.input_count, table.input_name, table.input_tensor)
    }

    func outputs(_ shapes: [String: [Int32]]) throws(LiteRTFault) -> [LiteRTTensorInfo] {
        let table = api.table
        return try tensors(shapes, table.output_count, table.output_name, table.output_tensor)
    }

    private func tensors(
        _ shapes: [String: [Int32]],
        _ count: (OpaquePointer, UnsafeMutablePointer<Int>) -> Int32,
        _ name: (OpaquePointer, Int, UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Int32,
        _ tensor: (OpaquePointer, Int, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(LiteRTFault) -> [LiteRTTensorInfo] {
        let action = "read its signature"
        var infos: [LiteRTTensorInfo] = []
        for index in 0..<(try api.read(action, 0) { count(pointer, $0) }) {
            let tensor = try api.pointer(action) { tensor(pointer, index, $0) }
            let type = try api.read(action, litert_ranked_type()) { api.table.ranked_type(tensor, $0) }
            let name = try api.text(action) { name(pointer, index, $0) }
            guard let shape = shapes[name], shape.count == type.layout.shape.count else {
                throw LiteRTFault(status: 0, action: action)
            }
            infos.append(
                LiteRTTensorInfo(
                    name: name,
                    elementType: LiteRTElementType(rawValue: Int(type.element_type)),
                    shape: shape.map { $0 < 0 ? nil : Int($0) }
                )
            )
        }
        return infos
    }
}

extension litert_layout {
    /// A dimension below 0 is not known yet.
    var shape: [Int] {
        withUnsafePointer(to: self) { layout in
            (0..<Int32(min(rank, UInt32(LITERT_MAX_RANK)))).map { Int(litert_dimension(layout, $0)) }
        }
    }

    init(shape: [Int32]) {
        self.init()
        rank = UInt32(shape.count)
        for (index, size) in shape.enumerated() { litert_set_dimension(&self, Int32(index), size) }
    }
}
