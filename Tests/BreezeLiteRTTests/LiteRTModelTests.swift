import BreezeCore
import BreezeLiteRT
import Foundation
import Testing

/// Expected values are worked out by hand from the graphs in `TinyModel`.
@Suite(.needsRuntime) struct LiteRTModelTests {
    static let a = LiteRTTensor("a", [1, 2, 3, 4] as [Float], shape: [2, 2])
    static let b = LiteRTTensor("b", [10, 20, 30, 40] as [Float], shape: [2, 2])

    @Test func `a model describes its inputs and outputs in the graph's order`() throws {
        let model = try Runtime.model(.twoInputs)
        #expect(
            model.inputs == [
                LiteRTTensorInfo(name: "b", elementType: .float, shape: [nil, 2]),
                LiteRTTensorInfo(name: "a", elementType: .float, shape: [nil, 2]),
            ]
        )
        #expect(model.outputs.map(\.name) == ["difference", "sum"])
        #expect(try Runtime.model(.gather).inputs == [.init(name: "ids", elementType: .int32, shape: [nil])])
    }

    @Test func `outputs come in the order asked for, whatever the order of the inputs`() throws {
        let model = try Runtime.model(.twoInputs)
        for inputs in [[Self.a, Self.b], [Self.b, Self.a]] {
            let outputs = try model.run(inputs: inputs, outputs: ["sum", "difference"])
            #expect(
                outputs == [
                    LiteRTTensor("sum", [11, 22, 33, 44] as [Float], shape: [2, 2]),
                    LiteRTTensor("difference", [-9, -18, -27, -36] as [Float], shape: [2, 2]),
                ]
            )
        }
    }

    @Test func `each run may choose its shape`() throws {
        let model = try Runtime.model(.linear)
        for rows in [1, 3, 1, 200, 2, 2] {
            let x: [Float] = (0..<rows).flatMap { [Float($0), 1, 2, 3] }
            let y = try model.run(
                inputs: [LiteRTTensor("x", x, shape: [rows, 4])],
                outputs: ["y"]
            )
            // 1·r + 2·1 + 3·2 + 4·3 + 10 and -1·r + 2 + 20.
            let expected: [Float] = (0..<rows).flatMap { [Float($0) + 30, 22 - Float($0)] }
            #expect(y == [LiteRTTensor("y", expected, shape: [rows, 2])])
        }
    }

    @Test func `whole numbers go in and come out`() throws {
        let outputs = try Runtime.model(.gather).run(
            inputs: [LiteRTTensor("ids", [2, 0, 2] as [Int32], shape: [3])],
            outputs: ["double", "rows"]
        )
        #expect(outputs[0] == LiteRTTensor("double", [4, 0, 4] as [Int32], shape: [3]))
        #expect(outputs[1] == LiteRTTensor("rows", [5, 6, 1, 2, 5, 6] as [Float], shape: [3, 2]))
    }

    @Test func `a run that fails says why, and the model goes on answering`() throws {
        let model = try Runtime.model(.gather)
        let good = LiteRTTensor("ids", [1] as [Int32], shape: [1])
        for (ids, reason) in [([7], "gather index out of bounds"), ([0, -1], "only_positive")]
            as [([Int32], String)]
        {
            let error = try #require(throws: BreezeError.self) {
                try model.run(
                    inputs: [LiteRTTensor("ids", ids, shape: [ids.count])],
                    outputs: ["rows"]
                )
            }
            #expect(error.code == .runFailed)
            #expect(error.message.contains(reason), "\(error.message)")
            #expect(error.underlying != nil)
            #expect(try model.run(inputs: [good], outputs: ["rows"])[0].floats == [3, 4])
        }
    }

    static let misfits: [(String, [LiteRTTensor], [String])] = [
        ("no input \"c\"", [a, b, LiteRTTensor("c", [1] as [Float], shape: [1])], ["sum"]),
        ("no output \"nothing\"; it has \"difference\"", [a, b], ["nothing"]),
        ("was asked for no output", [a, b], []),
        ("also needs \"b\"", [a], ["sum"]),
        ("\"a\" twice", [a, a, b], ["sum"]),
        (
            "takes float as \"b\", not int32", [a, LiteRTTensor("b", [1, 2] as [Int32], shape: [1, 2])],
            ["sum"]
        ),
        (
            "3 elements as \"b\" with shape [2, 2]",
            [a, LiteRTTensor("b", [1, 1, 0] as [Float], shape: [2, 2])], ["sum"]
        ),
        (
            "0 elements as \"b\" with shape [-1, 2]", [a, LiteRTTensor("b", [] as [Float], shape: [-1, 2])],
            ["sum"]
        ),
        ("at least one element as \"b\"", [a, LiteRTTensor("b", [] as [Float], shape: [0, 2])], ["sum"]),
        (
            "1 elements as \"b\" with shape [\(Int.max), 3]",
            [a, LiteRTTensor("b", [1] as [Float], shape: [.max, 3])], ["sum"]
        ),
        (
            "takes shape [any, 2] as \"b\", not [1, 3]",
            [a, LiteRTTensor("b", [1, 2, 3] as [Float], shape: [1, 3])], ["sum"]
        ),
        (
            "takes shape [any, 2] as \"b\", not [2]", [a, LiteRTTensor("b", [1, 2] as [Float], shape: [2])],
            ["sum"]
        ),
    ]

    @Test(arguments: misfits)
    func `what does not fit the model is named`(fault: String, inputs: [LiteRTTensor], outputs: [String])
        throws
    {
        let model = try Runtime.model(.twoInputs)
        let error = try #require(throws: BreezeError.self) { try model.run(inputs: inputs, outputs: outputs) }
        #expect(error.code == .invalidRequest)
        #expect(error.message.contains(fault), "\(error.message)")
        #expect(error.remedy != nil)
    }

    @Test func `shapes that contradict each other inside the graph fail the run, not the model`() throws {
        let model = try Runtime.model(.twoInputs)
        let threeRows = LiteRTTensor("b", [Float](repeating: 1, count: 6), shape: [3, 2])
        let error = try #require(throws: BreezeError.self) {
            try model.run(inputs: [Self.a, threeRows], outputs: ["sum"])
        }
        #expect(error.code == .runFailed)
        #expect(try model.run(inputs: [Self.a, Self.b], outputs: ["sum"])[0].floats == [11, 22, 33, 44])
    }
}
