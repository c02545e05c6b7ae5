import BreezeCore
import BreezeOnnxRuntime
import Foundation
import Testing

/// Expected values are worked out by hand from the graphs in `OnnxModel`.
@Suite(.needsRuntime) struct OnnxSessionTests {
    static let a = OnnxTensor("a", [1, 2, 3, 4] as [Float], shape: [2, 2])
    static let b = OnnxTensor("b", [10, 20, 30, 40] as [Float], shape: [2, 2])
    static let k = OnnxTensor("k", [1, 1, 0] as [Int64], shape: [3])

    @Test func `a session describes its inputs and outputs`() async throws {
        let session = try await Runtime.session(.arithmetic)
        #expect(
            session.inputs == [
                OnnxValueInfo(name: "a", elementType: .float, shape: [nil, 2]),
                OnnxValueInfo(name: "b", elementType: .float, shape: [nil, 2]),
                OnnxValueInfo(name: "k", elementType: .int64, shape: [nil]),
            ]
        )
        #expect(session.outputs.map(\.name) == ["sum", "double", "picked", "same"])
        #expect(
            session.outputs.map { $0.elementType.map { "\($0)" } } == ["float", "int64", "float", "bool"]
        )
    }

    @Test func `outputs come in the order asked for, whatever the order of the inputs`() async throws {
        let session = try await Runtime.session(.arithmetic)
        let outputs = try await session.run(
            inputs: [Self.k, Self.b, Self.a],
            outputs: ["picked", "sum", "double"]
        )
        #expect(
            outputs == [
                OnnxTensor("picked", [3, 4, 3, 4, 1, 2] as [Float], shape: [3, 2]),
                OnnxTensor("sum", [11, 22, 33, 44] as [Float], shape: [2, 2]),
                OnnxTensor("double", [2, 2, 0] as [Int64], shape: [3]),
            ]
        )
    }

    @Test func `tensors without elements are taken and returned`() async throws {
        let session = try await Runtime.session(.arithmetic)
        let outputs = try await session.run(
            inputs: [Self.a, Self.b, OnnxTensor("k", [] as [Int64], shape: [0])],
            outputs: ["double", "picked"]
        )
        #expect(outputs[0] == OnnxTensor("double", [] as [Int64], shape: [0]))
        #expect(outputs[1] == OnnxTensor("picked", [] as [Float], shape: [0, 2]))
    }

    @Test func `a run that asks for no output is refused`() async throws {
        let session = try await Runtime.session(.arithmetic)
        let error = await #expect(throws: BreezeError.self) {
            try await session.run(inputs: [Self.a, Self.b, Self.k], outputs: [])
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("no output") == true)
    }

    static let misfits: [(String, [OnnxTensor], String)] = [
        ("no input \"c\"", [a, b, k, OnnxTensor("c", [1] as [Float], shape: [1])], "sum"),
        ("no output \"nothing\"; it has \"sum\"", [a, b, k], "nothing"),
        ("also needs \"b\", \"k\"", [a], "sum"),
        ("\"a\" twice", [a, a, b, k], "sum"),
        ("takes int64 as \"k\", not float", [a, b, OnnxTensor("k", [1] as [Float], shape: [1])], "sum"),
        (
            "3 elements as \"k\" with shape [4]", [a, b, OnnxTensor("k", [1, 1, 0] as [Int64], shape: [4])],
            "sum"
        ),
        ("0 elements as \"k\" with shape [-1]", [a, b, OnnxTensor("k", [] as [Int64], shape: [-1])], "sum"),
        (
            "1 elements as \"k\" with shape [\(Int.max), 3]",
            [a, b, OnnxTensor("k", [1] as [Int64], shape: [.max, 3])], "sum"
        ),
        (
            "takes shape [any, 2] as \"a\", not [1, 3]",
            [OnnxTensor("a", [1, 2, 3] as [Float], shape: [1, 3]), b, k], "sum"
        ),
        (
            "takes shape [any] as \"k\", not [1, 1]",
            [a, b, OnnxTensor("k", [1] as [Int64], shape: [1, 1])], "sum"
        ),
        // Only the runtime can see that this index lies outside: a has two rows.
        ("refused its input", [a, b, OnnxTensor("k", [7] as [Int64], shape: [1])], "picked"),
    ]

    @Test(arguments: misfits)
    func `what does not fit the model is named`(fault: String, inputs: [OnnxTensor], output: String)
        async throws
    {
        let session = try await Runtime.session(.arithmetic)
        let error = await #expect(throws: BreezeError.self) {
            try await session.run(inputs: inputs, outputs: [output])
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")")
        #expect(error?.remedy != nil)
    }

    @Test func `an output of another type is refused by name`() async throws {
        let session = try await Runtime.session(.arithmetic)
        let error = await #expect(throws: BreezeError.self) {
            try await session.run(inputs: [Self.a, Self.b, Self.k], outputs: ["same"])
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("\"same\"") == true)
        #expect(error?.message.contains("of bool") == true)
    }

    @Test func `shapes that contradict each other inside the graph fail the run, not the session`()
        async throws
    {
        let session = try await Runtime.session(.arithmetic)
        let threeRows = OnnxTensor("b", [Float](repeating: 1, count: 6), shape: [3, 2])
        let error = await #expect(throws: BreezeError.self) {
            try await session.run(inputs: [Self.a, threeRows, Self.k], outputs: ["sum"])
        }
        #expect(error?.code == .runFailed)
        #expect(error?.underlying != nil)
        let sum = try await session.run(inputs: [Self.a, Self.b, Self.k], outputs: ["sum"])
        #expect(sum[0].floats == [11, 22, 33, 44])
    }

    @Test func `many callers of one session each get their own answer`() async throws {
        let session = try await Runtime.session(.loop)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for trips in 0..<100 {
                group.addTask {
                    let inputs = LoopInputs(trips: Int64(trips)).tensors
                    let output = try await session.run(inputs: inputs, outputs: ["y"])
                    // Powers of two are exact in a float up to 2^127.
                    return output[0].floats
                        == [trips, trips + 1].map {
                            Float(sign: .plus, exponent: $0, significand: 1)
                        }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
