import BreezeCore
import BreezeModels
import BreezeTestSupport
import Foundation
import Testing

/// Which runtime answers, and what the result says of it.
@Suite(.needsRuntime) struct EncoderRuntimeTests {
    private let request = InferenceRequest(.embedding, inputs: ["the mail", "a sunny sun"])

    private func answer(_ runner: any Runner) async throws -> InferenceResult {
        try await runner.load()
        return try await runner.run(request: request)
    }

    private func vectors(_ result: InferenceResult) -> [[Float]] {
        guard case .embeddings(let vectors) = result.output else { return [] }
        return vectors
    }

    private func derived(_ encoder: InstalledEncoder) throws -> [URL] {
        let root = encoder.folder.url.appending(path: "home/models/derived")
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted()
        return names.map { root.appending(path: $0) }.filter { $0.pathExtension != "" }
    }

    private func weightCache(_ encoder: InstalledEncoder) throws -> URL {
        try #require(try derived(encoder).first { $0.pathExtension == "xnnpack" })
    }

    @Test func `LiteRT answers where it is there, and says so`() async throws {
        let result = try await answer(try await InstalledEncoder.tiny().runner())
        #expect(result.runtime == "LiteRT 2.3.0, int8")
        #expect(result.notices.isEmpty)
    }

    @Test func `where LiteRT is missing ONNX Runtime answers the same, with the reason`() async throws {
        let encoder = try await InstalledEncoder.tiny()
        let fast = try await answer(try encoder.runner())
        let portable = try await answer(try encoder.runner(liteRT: InstalledEncoder.noLiteRT))
        #expect(portable.runtime?.hasPrefix("ONNX Runtime 1.") == true)
        #expect(portable.notices.count == 1)
        #expect(portable.notices[0].contains("because LiteRT could not: "))
        #expect(portable.notices[0].contains("/nowhere/libLiteRt.so"))
        #expect(portable.notices[0].contains("make setup"))
        for (left, right) in zip(vectors(fast), vectors(portable)) {
            // Both have length 1. A tiny random model's int8 error is far above a trained one's.
            #expect(zip(left, right).reduce(0) { $0 + $1.0 * $1.1 } > 0.97)
        }
    }

    @Test func `ONNX Runtime is not needed where LiteRT is there`() async throws {
        let runner = try await InstalledEncoder.tiny().runner(onnxRuntime: InstalledEncoder.noOnnxRuntime)
        #expect(await runner.availability() == .available)
        #expect(try await answer(runner).runtime == "LiteRT 2.3.0, int8")
    }

    /// Makes the stored answer another one: to the self-test, that is a runtime that computes wrongly.
    private func spoilProbe(of format: EncoderGraph.Format, _ encoder: InstalledEncoder) async throws {
        let graph = try await encoder.store.graph(format, for: encoder.info.id)
        var record = graph.record
        record.probe?.output.reverse()
        let name = graph.url.lastPathComponent + ".json"
        let url = graph.url.deletingLastPathComponent().appending(path: name)
        try JSONEncoder().encode(record).write(to: url)
    }

    @Test func `a runtime that computes something else is not trusted`() async throws {
        let encoder = try await InstalledEncoder.tiny()
        try await spoilProbe(of: .liteRTInt8, encoder)
        let result = try await answer(try encoder.runner())
        #expect(result.runtime?.hasPrefix("ONNX Runtime") == true)
        #expect(result.notices.first?.contains("self-test") == true)
        // Both wrong: no answer rather than a wrong one.
        try await spoilProbe(of: .onnx, encoder)
        let runner = try encoder.runner()
        let error = await #expect(throws: BreezeError.self) { try await runner.load() }
        #expect(error?.code == .loadFailed)
        #expect(error?.message.contains("Nor could LiteRT") == true)
    }

    @Test(arguments: [0, 1, 100, 5_000])
    func `a weight cache that was cut short is made again`(length: Int) async throws {
        let encoder = try await InstalledEncoder.tiny()
        let before = try await answer(try encoder.runner())
        let cache = try weightCache(encoder)
        let sound = try Data(contentsOf: cache)
        try sound.prefix(min(length, sound.count - 1)).write(to: cache)
        let after = try await answer(try encoder.runner())
        #expect(after.runtime == before.runtime)
        #expect(after.output == before.output)
        #expect(try Data(contentsOf: cache).count == sound.count)
    }

    /// LiteRT would compute nonsense from it, or crash.
    @Test func `a weight cache with other bytes is made again`() async throws {
        let encoder = try await InstalledEncoder.tiny()
        let before = try await answer(try encoder.runner())
        let cache = try weightCache(encoder)
        let sound = try Data(contentsOf: cache)
        try Data(sound.map { ~$0 }).write(to: cache)
        let after = try await answer(try encoder.runner())
        #expect(after.runtime == before.runtime)
        #expect(after.output == before.output)
        #expect(try Data(contentsOf: cache) == sound)
    }

    @Test func `a model whose graphs are gone makes them again`() async throws {
        let encoder = try await InstalledEncoder.tiny()
        let before = try await answer(try encoder.runner())
        for file in try derived(encoder) { try FileManager.default.removeItem(at: file) }
        let after = try await answer(try encoder.runner())
        #expect(after.runtime == before.runtime)
        #expect(after.output == before.output)
    }
}
