import BreezeCore
import BreezeWire
import Testing

/// `POST /v1/completions`
@Suite struct OpenAICompletionsTests {
    @Test func `prompts are turns, n of each, in order`() throws {
        let call = try OpenAICompletions.parse(
            bytes(
                #"{"model":"m","prompt":["a","b"],"n":2,"best_of":2,"max_tokens":5,"suffix":"","echo":false}"#
            )
        )
        #expect(call.requests.map { $0.messages?.first?.content } == ["a", "a", "b", "b"])
        #expect(call.requests.allSatisfy { $0.configuration.maxTokens == 5 })
        #expect(Set(call.requests.map(\.id)).count == 4)
        #expect(call.remarks.notices.count == 1)
        #expect(call.remarks.ignored.isEmpty)
    }

    @Test(arguments: [
        (#""suffix":"x""#, "suffix", "unsupported_capability"),
        (#""echo":true"#, "echo", "unsupported_capability"),
        (#""best_of":3"#, "best_of", "unsupported_capability"),
        (#""prompt":[1,2]"#, "prompt", "unsupported_capability"),
        (#""prompt":[]"#, "prompt", "invalid_parameter"),
        (#""prompt":["a",null]"#, "prompt[1]", "invalid_parameter"),
        (#""logprobs":true"#, "logprobs", "invalid_parameter"),
    ])
    func `a fault is named by its path`(fields: String, path: String, code: String) {
        let prompt = fields.contains("prompt") ? "" : #","prompt":"x""#
        let error = failure { _ = try OpenAICompletions.parse(bytes("{\"model\":\"m\",\(fields)\(prompt)}")) }
        #expect(error?.wireField == path)
        #expect(error?.code.rawValue == code)
    }

    @Test func `an answer and its stream have the older form`() throws {
        var call = try OpenAICompletions.parse(bytes(#"{"model":"m","prompt":"x","stream":true}"#))
        call.requests[0].id = "c1"
        let body = try json(OpenAICompletions.answer([result()], to: call, created: noon))
        let expected = """
            {"id":"cmpl-c1","object":"text_completion","created":1769860800,"model":"m","choices":[
              {"index":0,"text":"Hello","logprobs":null,"finish_reason":"stop"}],
             "usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}
            """
        #expect(try body.withoutBreeze == json(expected))
        var stream = OpenAICompletionStream(call, created: noon)
        var out = try stream.encode(chunk(.text("Hel")))
        out += try stream.encode(chunk(.text("lo")))
        out += try stream.encode(chunk(.result(result()))) + stream.finish()
        let read = try events(out)
        #expect(read.dropLast().compactMap { $0["choices", "0", "text"] } == ["Hel", "lo", ""])
        #expect(read[2]["choices", "0", "finish_reason"] == "stop")
        #expect(read[2]["breeze"] != nil)
        #expect(read.last == "[DONE]")
    }

    @Test func `log-probabilities stand in columns, with places counted in characters`() throws {
        func entry(_ token: String, _ value: Double) -> TokenLogprobs.Entry {
            .init(id: 0, token: token, bytes: Array(token.utf8), logprob: value)
        }
        let steps = [
            TokenLogprobs(chosen: entry("é", -1), top: [entry("é", -1), entry("e", -2)]),
            TokenLogprobs(chosen: entry("x", -3), top: [entry("x", -3)]),
        ]
        let call = try OpenAICompletions.parse(bytes(#"{"model":"m","prompt":"x","logprobs":1}"#))
        let body = try json(OpenAICompletions.answer([result(logprobs: steps)], to: call, created: noon))
        let expected = """
            {"tokens":["é","x"],"token_logprobs":[-1,-3],"top_logprobs":[{"é":-1},{"x":-3}],"text_offset":[0,1]}
            """
        #expect(try body["choices", "0", "logprobs"] == json(expected))
    }
}
