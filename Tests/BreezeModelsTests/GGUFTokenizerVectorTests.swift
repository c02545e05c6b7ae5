import BreezeModels
import BreezeTestSupport
import BreezeTokenizers
import Foundation
import Testing

/// The vocabularies and cases that llama.cpp tests its own tokenizers with.
enum LlamaVectors {
    static let folder: URL? = {
        let folder = Oracle.cacheFolder.appending(path: "test-data/llama-vocab")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    static let families: [String] = files.filter {
        files.contains($0 + ".inp") && files.contains($0 + ".out")
    }
    static let vocabularies: [String] = files.filter { $0.hasSuffix(".gguf") }

    private static let files: [String] = {
        guard let folder else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }()

    static func cases(_ family: String) throws -> [(text: String, ids: [Int32])] {
        let folder = try #require(folder)
        let input = try String(contentsOf: folder.appending(path: family + ".inp"), encoding: .utf8)
        let output = try String(contentsOf: folder.appending(path: family + ".out"), encoding: .utf8)
        let texts = input.components(separatedBy: "\n__ggml_vocab_test__\n")
        let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
        return zip(texts, lines).map { ($0, $1.split(separator: " ").compactMap { Int32($0) }) }
    }
}

@Suite(
    .enabled(if: LlamaVectors.folder != nil, "llama.cpp's vocabularies are not in the cache: run make setup")
)
struct `Tokenizers of GGUF vocabularies` {
    @Test func `every family is there`() {
        #expect(LlamaVectors.families.count == 15)
    }

    @Test(arguments: LlamaVectors.families)
    func `each case has llama.cpp's ids, and the ids give the text again`(family: String) throws {
        let folder = try #require(LlamaVectors.folder)
        let tokenizer = try GGUFFile(url: folder.appending(path: family)).tokenizer()
        let cases = try LlamaVectors.cases(family)
        try #require(cases.count > 40)
        for (text, expected) in cases {
            let ids = tokenizer.encode(text, specialTokens: .asText)
            #expect(ids == expected, "\(family): \(text.debugDescription)")
            // BERT's vocabulary loses case and white space; the others lose nothing.
            guard !family.contains("bert") else { continue }
            #expect(tokenizer.decode(ids, skippingSpecialTokens: false) == text)
            var decoder = tokenizer.streamingDecoder(skippingSpecialTokens: false)
            let streamed = ids.map { decoder.append($0) }.joined() + decoder.finish()
            #expect(Array(streamed.utf8) == Array(text.utf8))
        }
    }

    @Test(arguments: LlamaVectors.vocabularies.filter { !LlamaVectors.families.contains($0) })
    func `vocabularies without cases are read, too`(file: String) throws {
        let folder = try #require(LlamaVectors.folder)
        let tokenizer = try GGUFFile(url: folder.appending(path: file)).tokenizer()
        #expect(tokenizer.vocabularySize > 30_000)
        #expect(!tokenizer.encode("Hello world").isEmpty)
    }
}
