import BreezeCore
import Foundation
import Testing

@testable import BreezeLiteRT

@Suite(.needsRuntime) struct LiteRTLoadTests {
    private func refusal(_ file: URL, weightCache: URL? = nil, threads: Int = 1) throws -> BreezeError {
        try #require(throws: BreezeError.self) {
            _ = try LiteRTModel(
                library: Runtime.library(),
                file: file,
                weightCache: weightCache,
                threads: threads
            )
        }
    }

    @Test(arguments: [TinyModel.linear, .twoInputs, .gather])
    func `a model cut off anywhere is an invalid file`(model: TinyModel) throws {
        for length in 0..<model.bytes.count {
            try TinyModel(bytes: Array(model.bytes.prefix(length))).withFile { file in
                let error = try refusal(file)
                #expect(error.code == .invalidFile, "cut at \(length) of \(model.bytes.count): \(error)")
                #expect(error.message.contains(file.path))
                #expect(error.remedy != nil)
            }
        }
    }

    /// In a process of its own: without the look at the file beforehand, most of these end it.
    @Test func `a model whose structure was changed anywhere runs, or is refused with a typed error`() async {
        await #expect(processExitsWith: .success) {
            for model in [TinyModel.linear, .twoInputs, .gather] {
                for position in model.bytes.indices where !model.codes.contains(position) {
                    for change: UInt8 in [1, 128, 255] {
                        var bytes = model.bytes
                        bytes[position] ^= change
                        do {
                            let model = try Runtime.model(TinyModel(bytes: bytes))
                            let inputs = model.inputs.map(\.tensor)
                            _ = try model.run(inputs: inputs, outputs: model.outputs.map(\.name))
                        } catch let error as BreezeError {
                            let typed: [BreezeError.Code] = [
                                .invalidFile, .loadFailed, .runFailed, .invalidRequest, .unsupported,
                            ]
                            #expect(
                                typed.contains(error.code),
                                "byte \(position) changed by \(change): \(error)"
                            )
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: [
        Array("<!doctype html><html>404</html>".utf8), [UInt8](repeating: 0, count: 4096),
        [UInt8](repeating: 255, count: 4096), Array("\u{8}\0\0\0TFL3".utf8), Array("\0\0\0\0TFL4".utf8),
        [0xff, 0xff, 0xff, 0x7f] + Array("TFL3".utf8) + [UInt8](repeating: 0, count: 64),
    ])
    func `what is no sound model is an invalid file`(bytes: [UInt8]) throws {
        try TinyModel(bytes: bytes).withFile { file in
            let error = try refusal(file)
            #expect(error.code == .invalidFile, "\(error)")
            #expect(error.message.contains(file.path))
        }
    }

    @Test func `a model without a signature is an invalid file`() throws {
        try TinyModel.gather(signature: nil).withFile { file in
            let error = try refusal(file)
            #expect(error.code == .invalidFile)
            #expect(error.message.contains("it has no signature"))
        }
    }

    @Test(arguments: [
        URL(fileURLWithPath: "/nowhere/model.tflite"), FileManager.default.temporaryDirectory,
        URL(string: "https://localhost/model.tflite"),
    ])
    func `a model that is no file fails to load, by name`(place: URL?) throws {
        let place = try #require(place)
        let error = try refusal(place)
        #expect(error.code == .loadFailed)
        #expect(error.message.contains(place.lastPathComponent))
    }

    @Test(arguments: [0, -1, 100_000])
    func `a number of threads that makes no sense is refused`(threads: Int) throws {
        try TinyModel.linear.withFile { file in
            let error = try refusal(file, threads: threads)
            #expect(error.code == .invalidParameter)
        }
    }

    @Test(arguments: ["a\nflags = 1", "a\rb"])
    func `a cache path that LiteRT cannot be told is refused`(name: String) throws {
        try TinyModel.linear.withFile { file in
            let cache = file.deletingLastPathComponent().appendingPathComponent(name)
            let error = try refusal(file, weightCache: cache)
            #expect(error.code == .invalidParameter)
        }
    }

    @Test func `several threads give the same answer`() throws {
        try TinyModel.linear.withFile { file in
            let model = try LiteRTModel(library: Runtime.library(), file: file, threads: 2)
            let outputs = try model.run(
                inputs: [LiteRTTensor("x", [1, 1, 1, 1] as [Float], shape: [1, 4])],
                outputs: ["y"]
            )
            #expect(outputs[0].floats == [20, 20])
        }
    }
}

extension LiteRTTensorInfo {
    /// Zeros that fit, with one for each open dimension.
    fileprivate var tensor: LiteRTTensor {
        let shape = shape.map { $0 ?? 1 }
        let count = shape.reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue }
        let fitting = min(max(count, 0), 4096)
        return elementType == .int32
            ? LiteRTTensor(name, [Int32](repeating: 0, count: fitting), shape: shape)
            : LiteRTTensor(name, [Float](repeating: 0, count: fitting), shape: shape)
    }
}
