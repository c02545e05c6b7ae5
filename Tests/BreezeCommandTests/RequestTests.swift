import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Requests as JSON` {
    @Test(arguments: [
        ("{\"capability\":\"chat\",\n\"prompt\" \"x\"}", "line 2, column 10"),
        ("{\"prompt\":\"hello\"}", "lacks the field capability"),
        ("{\"capability\":\"chat\",\"messages\":[{\"role\":\"usr\",\"content\":\"x\"}]}", "messages[0].role"),
        ("{\"capability\":\"chat\",\"prompt\":7}", "prompt"),
        ("", "is empty"),
        ("[1, 2", "line 1, column 6"),
        ("{\"capability\":\"chat\",\"prompt\":\"a\\u0000b\"}", "holds a NUL at byte 2"),
        ("{\"capability\":\"chat\",\"prompt\":\"\"}", "not empty"),
        ("{\"capability\":\"embedding\",\"inputs\":[\"a\",\"\"]}", "Text 2 of 2 is empty"),
    ])
    func `a bad request names its fault`(_ request: String, _ fault: String) async throws {
        let outcome = try await Program().run("run", "--mock", input: request)
        #expect(outcome.code == 1)
        #expect(outcome.output.isEmpty)
        let failure = try outcome.failure()
        #expect(failure["code"] == "invalid_request")
        #expect(failure["message"]?.contains(fault) == true, "\(failure)")
        #expect(failure["remedy"]?.isEmpty == false)
    }

    @Test func `invalid UTF-8 names the byte`() async throws {
        let request = Array("{\"capability\":\"chat\",\"prompt\":\"".utf8) + [0xFF] + Array("\"}".utf8)
        let failure = try await Program().run(["run", "--mock"], bytes: request).failure()
        #expect(failure["code"] == "invalid_request")
        // 31 bytes stand before it.
        #expect(failure["message"]?.contains("byte 32") == true)
        #expect(
            try await Program().run(["chat", "--mock"], bytes: [0x61, 0xC3, 0x28]).failure()["message"]?
                .contains("byte 2") == true
        )
    }

    @Test func `a prompt of 10 MB is refused with its size`() async throws {
        let prompt = String(repeating: "a", count: 10_000_000)
        let request = "{\"capability\":\"chat\",\"prompt\":\"\(prompt)\"}"
        for outcome in [
            try await Program().run("run", "--mock", input: request),
            try await Program().run("chat", "--mock", input: prompt),
            try await Program().run("embed", input: prompt),
        ] {
            #expect(outcome.code == 1)
            let failure = try outcome.failure()
            #expect(failure["code"] == "invalid_request")
            // 10,000,000 / 1,048,576
            #expect(failure["message"]?.contains("9.5 MiB") == true)
        }
    }

    @Test(arguments: [
        (["run", "--mock", "--runner", "mock:lm"], "unknown_runner", "Did you mean mock:llm?"),
        (["run", "--mock", "--model", "no-such"], "unknown_model", "breeze models list"),
        (["route", "cht"], "unknown_capability", "Did you mean chat?"),
        (["runners", "mock:lm"], "unknown_runner", "Did you mean mock:llm?"),
        (["models", "show", "no-such"], "unknown_model", "breeze models"),
        (["models", "remove", "no-such", "--yes"], "unknown_model", "breeze models"),
        (["embed", "hello"], "no_runner", "breeze models import"),
        (["chat", "hello"], "no_runner", "breeze models import"),
        (["run", "/no/such/file"], "input_output", "Check"),
        (["classify", "--examples", "/no/such/file", "x"], "input_output", "Check"),
        (["models", "import", "/no/such/folder"], "input_output", ""),
    ])
    func `what is not there is named, with what to do`(
        _ arguments: [String],
        _ code: String,
        _ remedy: String
    ) async throws {
        let request = Array("{\"capability\":\"chat\",\"prompt\":\"hello\"}".utf8)
        let outcome = try await Program().run(arguments, bytes: request)
        #expect(outcome.code == 1)
        let failure = try outcome.failure()
        #expect(failure["code"] == code, "\(failure)")
        #expect(remedy.isEmpty || failure["remedy"]?.contains(remedy) == true, "\(failure)")
    }

    @Test func `a stream is one JSON object a line, the last one the result`() async throws {
        let outcome = try await Program().run(
            "run",
            "--mock",
            "--stream",
            input: "{\"capability\":\"chat\",\"prompt\":\"hello\",\"id\":\"r1\"}"
        )
        #expect(outcome.code == 0)
        let lines = try outcome.jsonLines()
        #expect(lines.count > 2)
        #expect(lines.allSatisfy { $0["requestID"] as? String == "r1" })
        #expect(lines.last?["kind"] as? String == "result")
        #expect(lines.last?["result"] is [String: Any])
        let pieces = lines.compactMap { $0["text"] as? String }
        // Before them, the runner is loaded.
        #expect(lines.map { $0["kind"] as? String }.filter { $0 == "progress" }.count == 1)
        #expect(pieces.count == lines.count - 2)
        #expect(pieces.joined().hasPrefix("[mock] "))
    }

    @Test func `a mock says that it is one`() async throws {
        let program = try Program()
        #expect(try await program.run("chat", "--mock", "hello").output.hasPrefix("[mock] "))
        let result = try await program.run("chat", "--json", "--mock", "hello").json()
        #expect(result["isMock"] as? Bool == true)
        #expect(result["runner"] as? String == "mock:llm")
    }

    @Test(arguments: [
        "Yes Please send it\n", "Yes\t\n", "{\"Yes\": []}", "{\"Yes\": [\"\"]}", "[{\"label\": \"Yes\"}]", "",
    ])
    func `bad examples name their place`(_ examples: String) async throws {
        let program = try Program()
        let file = try program.folder.write("examples", examples)
        let outcome = try await program.run("classify", "--examples", file.path, "a text")
        #expect(outcome.code == 1)
        let failure = try outcome.failure()
        #expect(failure["code"] == "invalid_request")
        #expect(failure["message"]?.contains(file.path) == true)
    }

    @Test func `an empty line is refused with its number`() async throws {
        let failure = try await Program().run("embed", input: "one\n\nthree\n").failure()
        #expect(failure["message"] == "Line 2 of standard input is empty.")
    }
}
