import CLiteRt

/// The memory that a model reads its inputs from and writes its outputs to, for one set of input shapes.
struct LiteRTBuffers {
    let inputShapes: [[Int]]
    let outputShapes: [[Int]]
    private let api: LiteRTAPI
    private let inputs: [LiteRTObject]
    private let outputs: [LiteRTObject]

    /// Tells the compiled model the shapes of its inputs, and lets it work out its outputs'.
    init(_ model: LiteRTModel, inputShapes: [[Int]]) throws(LiteRTFault) {
        let api = model.library.api
        self.api = api
        self.inputShapes = inputShapes
        for (index, input) in model.inputs.enumerated() where input.shape.contains(nil) {
            let dimensions = inputShapes[index].map { Int32($0) }
            try api.check(
                api.table.resize_input(model.compiled.pointer, 0, index, dimensions, dimensions.count),
                "resize its input"
            )
        }
        var layouts = [litert_layout](repeating: litert_layout(), count: model.outputs.count)
        try api.check(
            api.table.output_layouts(model.compiled.pointer, 0, layouts.count, &layouts, true),
            "work out its outputs' shapes"
        )
        outputShapes = layouts.map(\.shape)
        guard !outputShapes.joined().contains(where: { $0 < 0 }) else {
            throw LiteRTFault(
                status: Int(LITERT_UNSUPPORTED),
                action: "know its outputs' shapes before it runs"
            )
        }
        inputs = try Self.make(model, model.inputs, inputShapes, model.library.api.table.input_requirements)
        outputs = try Self.make(
            model,
            model.outputs,
            outputShapes,
            model.library.api.table.output_requirements
        )
    }

    private static func make(
        _ model: LiteRTModel,
        _ infos: [LiteRTTensorInfo],
        _ shapes: [[Int]],
        _ requirements: (OpaquePointer, Int, Int, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(LiteRTFault) -> [LiteRTObject] {
        let api = model.library.api
        let action = "make a buffer"
        var buffers: [LiteRTObject] = []
        for (index, info) in infos.enumerated() {
            let needs = try api.pointer(action) { requirements(model.compiled.pointer, 0, index, $0) }
            let bytes = try api.read(action, 0) { api.table.requirements_size(needs, $0) }
            var type = litert_ranked_type()
            type.element_type = Int32(info.elementType.rawValue)
            type.layout = litert_layout(shape: shapes[index].map { Int32($0) })
            let environment = model.environment
            buffers.append(
                try LiteRTObject(api, action, keeping: [environment], release: api.table.destroy_buffer) {
                    api.table.create_buffer(environment.pointer, Int32(LITERT_HOST_MEMORY), &type, bytes, $0)
                }
            )
        }
        return buffers
    }

    /// Copies a tensor's elements, once, to where the model reads input `index`.
    func fill(_ index: Int, with tensor: LiteRTTensor) throws(LiteRTFault) {
        let memory = try lock(inputs[index], LITERT_LOCK_WRITE)
        tensor.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { memory.copyMemory(from: start, byteCount: bytes.count) }
        }
        try unlock(inputs[index])
    }

    /// Copies output `index`, once. Its elements are floats or 32-bit integers.
    func read(_ index: Int, _ info: LiteRTTensorInfo) throws(LiteRTFault) -> LiteRTTensor {
        let shape = outputShapes[index]
        let count = shape.reduce(1, *)
        let memory = UnsafeRawPointer(try lock(outputs[index], LITERT_LOCK_READ))
        let tensor =
            info.elementType == .float
            ? LiteRTTensor(info.name, Self.copy(memory, count) as [Float], shape: shape)
            : LiteRTTensor(info.name, Self.copy(memory, count) as [Int32], shape: shape)
        try unlock(outputs[index])
        return tensor
    }

    func run(_ compiled: LiteRTObject) throws(LiteRTFault) {
        let inputs: [OpaquePointer?] = inputs.map(\.pointer)
        let outputs: [OpaquePointer?] = outputs.map(\.pointer)
        try api.check(
            api.table.run(compiled.pointer, 0, inputs.count, inputs, outputs.count, outputs),
            "run it"
        )
    }

    private func lock(_ buffer: LiteRTObject, _ mode: Int) throws(LiteRTFault) -> UnsafeMutableRawPointer {
        let action = "lend a buffer's memory"
        guard
            let memory = try api.read(action, nil, { api.table.lock_buffer(buffer.pointer, $0, Int32(mode)) })
        else { throw LiteRTFault(status: 0, action: action) }
        return memory
    }

    private func unlock(_ buffer: LiteRTObject) throws(LiteRTFault) {
        try api.check(api.table.unlock_buffer(buffer.pointer), "take a buffer's memory back")
    }

    private static func copy<Element>(_ memory: UnsafeRawPointer, _ count: Int) -> [Element] {
        Array(UnsafeBufferPointer(start: memory.assumingMemoryBound(to: Element.self), count: count))
    }
}
