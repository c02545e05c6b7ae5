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

    #if Llama
    private func programWithModel() async throws -> Program {
        let program = try Program()
        let file = try TinyQwen3().write(to: program.folder, under: "tiny.gguf").path
        #expect(try await program.run("models", "import", file).code == 0)
        return program
    }

    @Test func `an imported model chats from a process of its own, and shows what it takes`() async throws {
        let program = try await programWithModel()
        let arguments = ["chat", "--param", "temperature=0", "--param", "maxTokens=12", "hello"]
        let result = try await program.run(["chat", "--json"] + arguments.dropFirst(), bytes: []).json()
        #expect(result["runner"] as? String == "llama:tiny")
        #expect(result["runtime"] as? String == "llama.cpp")
        #expect((result["usage"] as? [String: Any])?["outputTokens"] as? Int == 12)
        let output = try #require(result["output"] as? [String: Any])
        let plain = try await program.run(arguments, bytes: [])
        #expect(plain.code == 0)
        // A line's end is added where the answer has none.
        let text = try #require(output["text"] as? String)
        #expect(plain.output == (text.hasSuffix("\n") ? text : text + "\n"))
        let runner = try await program.run("runners", "llama:tiny").output
        for words in ["context     2048 tokens", "memory      ", "temperature"] {
            #expect(runner.contains(words), "\(words) in \(runner)")
        }
    }

    @Test func `a prompt over the limit, and a schema that no grammar enforces, name their fault`()
        async throws
    {
        let program = try await programWithModel()
        let long = String(repeating: "word ", count: 2_000)
        let tooLong = try await program.run("chat", "--json", long).failure()
        #expect(tooLong["code"] == "context_size_exceeded")
        let request = #"{"capability":"chat","prompt":"x","configuration":{"guidedOutput":{"pattern":"a"}}}"#
        let unenforced = try await program.run(["run"], bytes: Array(request.utf8)).failure()
        #expect(unenforced["code"] == "unsupported")
        #expect(unenforced["message"]?.contains("not anchored") == true)
    }
    #endif
}
