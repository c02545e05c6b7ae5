import BreezeCore
import BreezeTestSupport
import BreezeTokenizers
import Foundation
import Synchronization
import Testing

@Suite struct `Tokenizer registry` {
    private static let bytePair = """
        {"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]}}
        """

    /// Counts how often it loads.
    private final class Counting: TokenizerAdapter {
        let loads = Mutex(0)
        let format = TokenizerFormat(rawValue: "app's own")

        func accepts(modelPath: URL) -> Bool { modelPath.pathExtension == "own" }

        func createTokenizer(modelPath: URL) throws -> any Tokenizer {
            loads.withLock { $0 += 1 }
            return try SubwordTokenizer(tokenizerJSON: Data(bytePair.utf8))
        }
    }

    @Test func `a folder's files say which adapter reads them`() async throws {
        let registry = TokenizerRegistry()
        let folder = try ScratchFolder()
        try folder.write("bpe/tokenizer.json", Self.bytePair)
        try folder.write("wordpiece/tokenizer.json", TinyTokenizer.json())
        try folder.write("lite/model.tflite", "TFL3")
        try folder.write("lite/tokenizer.json", Self.bytePair)
        try folder.write("core/model.mlpackage/Manifest.json", "{}")
        try folder.write("core/tokenizer.json", TinyTokenizer.json())
        try folder.write("inside/model.mlpackage/tokenizer.json", Self.bytePair)
        for (path, count) in [
            ("bpe", 3), ("bpe/tokenizer.json", 3), ("wordpiece", TinyTokenizer.tokens.count), ("lite", 3),
            ("lite/model.tflite", 3), ("core/model.mlpackage", TinyTokenizer.tokens.count),
            ("inside/model.mlpackage", 3),
        ] {
            let tokenizer = try await registry.tokenizer(for: folder.url.appending(path: path))
            #expect(tokenizer.vocabularySize == count, "\(path)")
        }
    }

    @Test func `callers at once share one load, and it goes with its model`() async throws {
        let registry = TokenizerRegistry()
        let adapter = Counting()
        await registry.register(adapter)
        let model = URL(filePath: "/models/one.own")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await registry.tokenizer(for: model).vocabularySize } }
            for try await size in group { #expect(size == 3) }
        }
        #expect(adapter.loads.withLock { $0 } == 1)
        await registry.release(model)
        #expect(await registry.loadedCount == 0)
        _ = try await registry.tokenizer(for: model)
        #expect(adapter.loads.withLock { $0 } == 2)
    }

    @Test func `a failed load may be tried again, and an unknown model is said`() async throws {
        let registry = TokenizerRegistry()
        let folder = try ScratchFolder()
        try folder.write("tokenizer.json", "{}")
        await #expect(throws: BreezeError.self) { try await registry.tokenizer(for: folder.url) }
        try folder.write("tokenizer.json", Self.bytePair)
        #expect(try await registry.tokenizer(for: folder.url).encode("ab") == [2])
        let error = await #expect(throws: BreezeError.self) {
            try await registry.tokenizer(for: folder.url.appending(path: "missing/model.bin"))
        }
        #expect(error?.code == .unsupported)
    }
}
