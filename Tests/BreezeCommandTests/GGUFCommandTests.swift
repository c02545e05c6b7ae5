import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Commands about GGUF files` {
    @Test func `a file is imported, shown and removed`() async throws {
        let program = try Program()
        let file = try TinyQwen3().write(to: program.folder, under: "Tiny-F16.gguf").path
        let first = try await program.run("models", "import", "--json", file)
        #expect(try first.json()["alreadyInstalled"] as? Bool == false)
        #expect(first.errors.isEmpty)
        let again = try await program.run("models", "import", file)
        #expect(again.output == "tiny-f16 is installed already.\n")
        let listed = try await program.run("models", "list", "--json").json()["models"] as? [[String: Any]]
        #expect(listed?.map { $0["id"] as? String } == ["tiny-f16"])
        #expect(listed?.first?["format"] as? String == "gguf")
        let shown = try await program.run("models", "show", "--json", "tiny-f16").json()
        let facts = try #require(shown["gguf"] as? [String: Any])
        #expect(facts["layerCount"] as? Int == 2)
        #expect(facts["hasChatTemplate"] as? Bool == true)
        let text = try await program.run("models", "show", "tiny-f16").output
        for words in ["llama.cpp", "F16", "2048 tokens", "266 tokens, gpt2 (qwen2)", "chat template yes"] {
            #expect(text.contains(words), "\(words) in \(text)")
        }
        #expect(try await program.run("models", "remove", "--yes", "tiny-f16").code == 0)
        #expect(
            try await (program.run("models", "list", "--json").json()["models"] as? [Any])?.isEmpty == true
        )
    }

    @Test func `a damaged file is refused with its field and a remedy`() async throws {
        let program = try Program()
        let file = try TinyQwen3().write(to: program.folder, under: "bad.gguf").path
        #expect(truncate(file, 1_000) == 0)
        let outcome = try await program.run("models", "import", "--json", file)
        #expect(outcome.code == 1)
        let failure = try outcome.failure()
        #expect(failure["code"] == "invalid_file")
        #expect(failure["message"]?.contains("cut short") == true)
        #expect(failure["remedy"] != nil)
    }
}
