import Foundation

/// Writes the few parts of an ONNX file that these tests need, field by field after onnx.proto3, so that no
/// model lies in the repository.
struct OnnxModel {
    var bytes: [UInt8] = []

    static func field(_ number: UInt64, _ value: UInt64) -> [UInt8] {
        varint(number << 3) + varint(value)
    }

    static func field(_ number: UInt64, _ value: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(UInt64(value.count)) + value
    }

    static func field(_ number: UInt64, _ value: String) -> [UInt8] { field(number, Array(value.utf8)) }

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + varint(value >> 7)
    }

    /// `ValueInfoProto`: a tensor whose named dimensions each run may choose. Types: float 1, int64 7, bool
    /// 9.
    static func value(_ name: String, type: UInt64, _ dimensions: Dimension...) -> [UInt8] {
        let shape = dimensions.flatMap { dimension in
            switch dimension {
            case .fixed(let size): field(1, field(1, size))
            case .named(let name): field(1, field(2, name))
            }
        }
        return field(1, name) + field(2, field(1, field(1, type) + field(2, shape)))
    }

    enum Dimension {
        case fixed(UInt64)
        case named(String)
    }

    static func node(_ operation: String, _ inputs: [String], _ output: String, body: [UInt8]? = nil)
        -> [UInt8]
    {
        let graph = body.map { field(5, field(1, "body") + field(6, $0) + field(20, 5)) }
        return inputs.flatMap { field(1, $0) } + field(2, output) + field(4, operation) + (graph ?? [])
    }

    static func graph(_ nodes: [[UInt8]], inputs: [[UInt8]], outputs: [[UInt8]]) -> [UInt8] {
        nodes.flatMap { field(1, $0) } + field(2, "test") + inputs.flatMap { field(11, $0) }
            + outputs.flatMap { field(12, $0) }
    }

    /// IR version 8 with opset 17.
    init(_ graph: [UInt8]) {
        bytes = Self.field(1, 8) + Self.field(7, graph) + Self.field(8, Self.field(2, 17))
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// sum = a + b over rows of two, double = k + k, picked = the rows of a that k names, same = (k == k).
    static let arithmetic = OnnxModel(
        graph(
            [
                node("Add", ["a", "b"], "sum"), node("Add", ["k", "k"], "double"),
                node("Gather", ["a", "k"], "picked"), node("Equal", ["k", "k"], "same"),
            ],
            inputs: [
                value("a", type: 1, .named("m"), .fixed(2)), value("b", type: 1, .named("n"), .fixed(2)),
                value("k", type: 7, .named("l")),
            ],
            outputs: [
                value("sum", type: 1, .named("r"), .fixed(2)), value("double", type: 7, .named("l")),
                value("picked", type: 1, .named("l"), .fixed(2)), value("same", type: 9, .named("l")),
            ]
        )
    )

    /// y = x doubled `trips` times, one operator a time: as long as one likes.
    static let loop = OnnxModel(
        graph(
            [
                node(
                    "Loop",
                    ["trips", "", "x"],
                    "y",
                    body: graph(
                        [node("Identity", ["go"], "goOn"), node("Add", ["v", "v"], "w")],
                        inputs: [
                            value("trip", type: 7), value("go", type: 9), value("v", type: 1, .fixed(2)),
                        ],
                        outputs: [value("goOn", type: 9), value("w", type: 1, .fixed(2))]
                    )
                )
            ],
            inputs: [value("trips", type: 7), value("x", type: 1, .fixed(2))],
            outputs: [value("y", type: 1, .fixed(2))]
        )
    )

    /// Calls `body` with a file of the bytes, which is removed afterwards.
    func withFile<Result>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (URL) async throws -> Result
    ) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("breeze-\(UUID()).onnx")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file)
    }
}
