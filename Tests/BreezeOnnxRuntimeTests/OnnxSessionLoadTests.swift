import BreezeCore
import BreezeOnnxRuntime
import Foundation
import Testing

@Suite(.needsRuntime) struct OnnxSessionLoadTests {
    private func refusal(_ file: URL, threads: Int = 1) async throws -> BreezeError {
        let library = try Runtime.library()
        return try await #require(throws: BreezeError.self) {
            try await OnnxSession.load(library: library, modelPath: file, threads: threads)
        }
    }

    @Test func `a model cut off anywhere is an invalid file`() async throws {
        let model = OnnxModel.arithmetic.bytes
        for length in 0..<model.count {
            try await OnnxModel(bytes: Array(model.prefix(length))).withFile { file in
                // The last field is the operator set's version; a model without it is one of an unknown
                // version.
                let error = try await refusal(file)
                #expect(error.code == .invalidFile, "cut at \(length) of \(model.count): \(error)")
                #expect(error.message.contains(file.path))
                #expect(error.remedy != nil)
            }
        }
    }

    @Test func `a model with any byte changed loads or is refused with a typed error`() async throws {
        let library = try Runtime.library()
        let model = OnnxModel.arithmetic.bytes
        for position in model.indices {
            for change: UInt8 in [1, 128, 255] {
                var bytes = model
                bytes[position] ^= change
                try await OnnxModel(bytes: bytes).withFile { file in
                    do {
                        _ = try await OnnxSession.load(library: library, modelPath: file)
                    } catch let error as BreezeError {
                        let isTyped = [.invalidFile, .loadFailed].contains(error.code)
                        #expect(isTyped, "byte \(position) changed by \(change): \(error)")
                    }
                }
            }
        }
    }

    @Test(arguments: [
        Array("<!doctype html><html>404</html>".utf8),
        Array(#"{"__metadata__":{"format":"pt"}}"#.utf8),
        [UInt8](repeating: 0, count: 4096),
        [UInt8](repeating: 255, count: 4096),
        OnnxModel(OnnxModel.graph([], inputs: [], outputs: [OnnxModel.value("y", type: 1)])).bytes,
        OnnxModel(
            OnnxModel.graph(
                [OnnxModel.node("NoSuchOperator", ["x"], "y")],
                inputs: [OnnxModel.value("x", type: 1, .fixed(1))],
                outputs: [OnnxModel.value("y", type: 1, .fixed(1))]
            )
        ).bytes,
    ])
    func `what is no sound model is an invalid file`(bytes: [UInt8]) async throws {
        try await OnnxModel(bytes: bytes).withFile { file in
            let error = try await refusal(file)
            #expect(error.code == .invalidFile, "\(error)")
            #expect(error.message.contains(file.path))
        }
    }

    @Test(arguments: [
        URL(fileURLWithPath: "/nowhere/model.onnx"), FileManager.default.temporaryDirectory,
        URL(string: "https://localhost/model.onnx"),
    ])
    func `a model that is no file fails to load, by name`(place: URL?) async throws {
        let place = try #require(place)
        let error = try await refusal(place)
        #expect(error.code == .loadFailed)
        #expect(error.message.contains(place.lastPathComponent))
    }

    @Test(arguments: [0, -1, 100_000])
    func `a number of threads that makes no sense is refused`(threads: Int) async throws {
        try await OnnxModel.arithmetic.withFile { file in
            let error = try await refusal(file, threads: threads)
            #expect(error.code == .invalidParameter)
        }
    }

    @Test func `several threads give the same answer`() async throws {
        let library = try Runtime.library()
        try await OnnxModel.loop.withFile { file in
            let session = try OnnxSession(library: library, modelPath: file, threads: 2)
            let outputs = try session.runBlocking(inputs: LoopInputs(trips: 10).tensors, outputs: ["y"])
            #expect(outputs[0].floats == [1024, 2048])
        }
    }
}
