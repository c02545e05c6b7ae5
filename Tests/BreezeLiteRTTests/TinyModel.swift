import Foundation

/// Writes .tflite files of a few operators, table by table after schema.fbs, so that no model lies in the
/// repository.
struct TinyModel {
    struct Tensor {
        var name: String
        var isInteger = false
        /// -1 for a dimension that each run may choose.
        var shape: [Int32]
        var values: [Float]?
    }

    struct Operation {
        /// `BuiltinOperator`.
        var code: UInt32
        /// `BuiltinOptions`.
        var options: UInt8
        var inputs: [Int32]
        var output: Int32
    }

    var bytes: [UInt8]
    /// Where the operators' codes lie.
    var codes: Set<Int> = []

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// `inputs` and `outputs` are tensors in the graph's order; `signature` names the inputs' order in the
    /// signature, and no signature is written where it is `nil`.
    init(
        _ tensors: [Tensor],
        _ operations: [Operation],
        inputs: [Int32],
        outputs: [Int32],
        signature: [Int32]?
    ) {
        let constants = tensors.indices.filter { tensors[$0].values != nil }
        let buffers = constants.map { index in
            let values = tensors[index].values ?? []
            return FlatBytes.Node.table([0: .node(.data(values.withUnsafeBytes { Array($0) }))])
        }
        let graph: [Int: FlatBytes.Field] = [
            0: .node(.tables(tensors.indices.map { Self.tensor(tensors[$0], constants.firstIndex(of: $0)) })),
            1: .node(.integers(inputs)), 2: .node(.integers(outputs)),
            3: .node(
                .tables(
                    operations.enumerated().map { index, operation in
                        .table([
                            0: .word(UInt32(index)), 1: .node(.integers(operation.inputs)),
                            2: .node(.integers([operation.output])), 3: .byte(operation.options),
                            4: .node(.table([:])),
                        ])
                    }
                )
            ),
        ]
        var model: [Int: FlatBytes.Field] = [
            0: .word(3),
            1: .node(
                .tables(
                    operations.map { .table([3: .code($0.code)]) }
                )
            ),
            2: .node(.tables([.table(graph)])),
            // By the format's rule the first buffer is empty.
            4: .node(.tables([.table([:])] + buffers)),
        ]
        if let signature {
            func names(_ tensors: [Int32], in all: [Tensor]) -> FlatBytes.Node {
                .tables(
                    tensors.map { .table([0: .node(.text(all[Int($0)].name)), 1: .word(UInt32($0))]) }
                )
            }
            let definition: [Int: FlatBytes.Field] = [
                0: .node(names(signature, in: tensors)), 1: .node(names(outputs, in: tensors)),
                2: .node(.text("main")), 4: .word(0),
            ]
            model[7] = .node(.tables([.table(definition)]))
        }
        let file = FlatBytes(root: .table(model), identifier: "TFL3")
        bytes = file.bytes
        codes = file.codes
    }

    private static func tensor(_ tensor: Tensor, _ constant: Int?) -> FlatBytes.Node {
        var fields: [Int: FlatBytes.Field] = [
            0: .node(.integers(tensor.shape.map { max($0, 1) })), 1: .byte(tensor.isInteger ? 2 : 0),
            2: .word(UInt32(constant.map { $0 + 1 } ?? 0)), 3: .node(.text(tensor.name)),
        ]
        if tensor.shape.contains(-1) { fields[7] = .node(.integers(tensor.shape)) }
        return .table(fields)
    }

    /// y = x · wᵀ + b, with w = [[1, 2, 3, 4], [-1, 0, 1, 0]] and b = [10, 20], over any number of rows.
    static let linear = linear(bias: [10, 20])

    static func linear(bias: [Float]) -> TinyModel {
        TinyModel(
            [
                Tensor(name: "x", shape: [-1, 4]),
                Tensor(name: "w", shape: [2, 4], values: [1, 2, 3, 4, -1, 0, 1, 0]),
                Tensor(name: "b", shape: [2], values: bias), Tensor(name: "y", shape: [-1, 2]),
            ],
            [Operation(code: 9, options: 8, inputs: [0, 1, 2], output: 3)],
            inputs: [0],
            outputs: [3],
            signature: [0]
        )
    }

    /// difference = a - b and sum = a + b; the signature names a before b, the graph b before a.
    static let twoInputs = TinyModel(
        [
            Tensor(name: "a", shape: [-1, 2]), Tensor(name: "b", shape: [-1, 2]),
            Tensor(name: "difference", shape: [-1, 2]), Tensor(name: "sum", shape: [-1, 2]),
        ],
        [
            Operation(code: 41, options: 28, inputs: [0, 1], output: 2),
            Operation(code: 0, options: 11, inputs: [0, 1], output: 3),
        ],
        inputs: [1, 0],
        outputs: [2, 3],
        signature: [0, 1]
    )

    /// rows = the rows of [[1, 2], [3, 4], [5, 6]] that ids names; same = ids + ids.
    static let gather = gather(signature: [0])

    static func gather(signature: [Int32]?) -> TinyModel {
        TinyModel(
            [
                Tensor(name: "ids", isInteger: true, shape: [-1]),
                Tensor(name: "table", shape: [3, 2], values: [1, 2, 3, 4, 5, 6]),
                Tensor(name: "rows", shape: [-1, 2]), Tensor(name: "double", isInteger: true, shape: [-1]),
            ],
            [
                Operation(code: 36, options: 23, inputs: [1, 0], output: 2),
                Operation(code: 0, options: 11, inputs: [0, 0], output: 3),
            ],
            inputs: [0],
            outputs: [2, 3],
            signature: signature
        )
    }

    /// Names an operator that no release has.
    static let unknownOperator = TinyModel(
        [Tensor(name: "x", shape: [-1, 4]), Tensor(name: "y", shape: [-1, 4])],
        [Operation(code: 30_000, options: 0, inputs: [0], output: 1)],
        inputs: [0],
        outputs: [1],
        signature: [0]
    )

    /// Calls `body` with a file of the bytes in a folder of its own, which is removed afterwards.
    func withFile<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("breeze-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("tiny.tflite")
        try Data(bytes).write(to: file)
        return try body(file)
    }
}
