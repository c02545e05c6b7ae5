import BreezeCore
import BreezeTransport
import Testing

@testable import BreezeAPIRunner

/// What goes wrong in the middle of an answer is an error of its kind, and never a short answer.
@Suite struct StreamFaultTests {
    private func fault(
        _ text: String,
        dialect: APIService.Dialect = .chatCompletions,
        request: InferenceRequest = InferenceRequest(.chat, prompt: "hello")
    ) async throws -> BreezeError? {
        let runner = try Bench.runner(ScriptedTransport(streaming: text), Bench.service(dialect: dialect))
        return await #expect(throws: BreezeError.self) { try await Bench.collect(runner, request) }
    }

    @Test(
        arguments: [
            // OpenRouter's own example of an error in mid-stream, with the reason `error` beside it.
            (
                "{\"id\":\"cmpl-1\",\"error\":{\"code\":\"server_error\",\"message\":\"Provider disconnected\"},"
                    + "\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}",
                "resource_unavailable"
            ),
            ("{\"error\":{\"code\":429,\"message\":\"Rate limit exceeded\"}}", "rate_limited"),
            ("{\"error\":{\"code\":402,\"message\":\"Insufficient credits\"}}", "credit_exhausted"),
            ("{\"error\":{\"message\":\"overloaded\",\"type\":\"server_error\"}}", "resource_unavailable"),
            // vLLM's, without an object around it.
            (
                "{\"object\":\"error\",\"message\":\"bad\",\"type\":\"BadRequestError\",\"code\":400}",
                "invalid_request"
            ),
            ("{\"error\":\"model ran out of memory\"}", "resource_unavailable"),
            (
                "{\"choices\":[{\"index\":0,\"error\":{\"code\":502,\"message\":\"x\"},\"delta\":{}}]}",
                "resource_unavailable"
            ),
            (
                "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"error\"}]}",
                "resource_unavailable"
            ),
        ]
    )
    func `an error in mid-stream is the failure`(event: String, code: String) async throws {
        let error = try await fault(Recordings.piece("The answer is ") + "data: \(event)\n\ndata: [DONE]\n\n")
        #expect(error?.code.rawValue == code)
    }

    @Test(
        arguments: [
            (
                "{\"type\":\"response.failed\",\"response\":{\"status\":\"failed\",\"error\":"
                    + "{\"code\":\"server_error\",\"message\":\"x\"}}}", "resource_unavailable"
            ),
            (
                "{\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"x\",\"param\":null}",
                "rate_limited"
            ),
            ("{\"type\":\"error\",\"error\":{\"code\":429,\"message\":\"x\"}}", "rate_limited"),
        ]
    )
    func `a failed response is the failure`(event: String, code: String) async throws {
        let error = try await fault("event: e\ndata: \(event)\n\n", dialect: .responses)
        #expect(error?.code.rawValue == code)
    }

    /// Before every byte up to the one that says why the answer ended.
    @Test(arguments: [
        (Recordings.chat, APIService.Dialect.chatCompletions), (Recordings.responses, .responses),
    ])
    func `a stream that ends early is an error wherever it ends`(
        recording: String,
        dialect: APIService.Dialect
    ) async throws {
        let mark = dialect == .responses ? "\"type\":\"response.completed\"" : "\"finish_reason\":\"stop\""
        let bytes = Array(recording.utf8)
        let end = try #require(bytes.firstRange(of: Array(mark.utf8))).upperBound
        for cut in 0..<end {
            let transport = ScriptedTransport([ScriptedTransport.stream([Array(bytes[..<cut])])])
            let runner = try Bench.runner(transport, Bench.service(dialect: dialect))
            let error = await #expect(throws: BreezeError.self) { try await Bench.collect(runner) }
            // Half an event is no JSON; nothing at all is no stream.
            #expect(
                error?.code == .resourceUnavailable || error?.code == .invalidResponse,
                "cut at byte \(cut)"
            )
        }
    }

    @Test func `a connection that breaks is its error, also behind the last word`() async throws {
        let broken = BreezeError.resourceUnavailable("The connection broke.")
        let pieces = [Array((Recordings.piece("a") + Recordings.piece("", finish: "stop")).utf8)]
        let runner = try Bench.runner(
            ScriptedTransport([ScriptedTransport.stream(pieces, breaksWith: broken)])
        )
        let error = await #expect(throws: BreezeError.self) { try await Bench.collect(runner) }
        #expect(error == broken)
    }

    @Test(arguments: [
        "{\"choices\":[{", "not json", "[1,2]", "\"text\"", "{\"a\":1}{\"b\":2}", "{\"a\":\"\u{1}\"}",
    ])
    func `a malformed piece is an error`(event: String) async throws {
        let text = Recordings.piece("a") + "data: \(event)\n\n" + Recordings.piece("b", finish: "stop")
        #expect(try await fault(text)?.code == .invalidResponse)
    }

    @Test func `the done mark alone ends an answer, which says so`() async throws {
        let runner = try Bench.runner(
            ScriptedTransport(streaming: Recordings.piece("ja") + "data: [DONE]\n\n")
        )
        let (_, result) = try await Bench.collect(runner)
        #expect(result.output == .text("ja"))
        #expect(result.notices == ["The service did not say why the answer ended."])
    }

    @Test(
        arguments: [
            ("text/html; charset=utf-8", "<html>Sign in to this network</html>", "invalid_response"),
            ("text/plain", "upstream connect error", "invalid_response"),
            ("text/event-stream", "<html>", "invalid_response"),
            ("text/event-stream", "", "invalid_response"),
            ("application/json", "{\"error\":{\"code\":503,\"message\":\"none\"}}", "resource_unavailable"),
            ("application/json", "{\"object\":\"list\"}", "invalid_response"),
            ("application/json", "oops", "invalid_response"),
        ]
    )
    func `an answer that is no event stream is an error`(type: String, body: String, code: String)
        async throws
    {
        let runner = try Bench.runner(
            ScriptedTransport([ScriptedTransport.step(body, headers: ["Content-Type": type])])
        )
        let error = await #expect(throws: BreezeError.self) { try await Bench.collect(runner) }
        #expect(error?.code.rawValue == code)
    }

    @Test func `a whole answer in the place of a stream is taken`() async throws {
        let body = """
            {"choices":[{"index":0,"message":{"role":"assistant","content":"ja"},"finish_reason":"stop"}],
            "usage":{"prompt_tokens":3,"completion_tokens":1}}
            """
        let runner = try Bench.runner(ScriptedTransport(answering: body))
        let (chunks, result) = try await Bench.collect(runner)
        #expect(chunks == [.text("ja")])
        #expect(result.usage == Usage(inputTokens: 3, outputTokens: 1))
    }

    @Test(
        arguments: [
            ("stop", InferenceResult.FinishReason.stop), ("length", .length),
            ("content_filter", .contentFilter),
            ("tool_calls", .toolCalls), ("eos", .stop), ("max_tokens", .length),
        ]
    )
    func `finish reasons are the contract's`(word: String, reason: InferenceResult.FinishReason) async throws
    {
        let runner = try Bench.runner(ScriptedTransport(streaming: Recordings.piece("a", finish: word)))
        let (_, result) = try await Bench.collect(runner)
        #expect(result.finishReason == reason)
        #expect(result.notices == [])
    }

    @Test(arguments: [
        ("max_output_tokens", InferenceResult.FinishReason.length), ("content_filter", .contentFilter),
    ])
    func `an incomplete response says why`(word: String, reason: InferenceResult.FinishReason) async throws {
        let event = """
            data: {"type":"response.incomplete","response":{"status":"incomplete","error":null,\
            "incomplete_details":{"reason":"\(word)"}}}\n\n
            """
        let runner = try Bench.runner(ScriptedTransport(streaming: event), Bench.service(dialect: .responses))
        #expect(try await Bench.collect(runner).result.finishReason == reason)
    }

    @Test(
        arguments: [
            (
                APIService.Dialect.chatCompletions,
                "data: {\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"I cannot.\"},\"finish_reason\":\"stop\"}]}\n\n"
            ),
            (
                .responses,
                "data: {\"type\":\"response.refusal.delta\",\"delta\":\"I cannot.\"}\n\n"
                    + "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n"
            ),
        ]
    )
    func `a refusal is seen and named`(dialect: APIService.Dialect, text: String) async throws {
        let runner = try Bench.runner(ScriptedTransport(streaming: text), Bench.service(dialect: dialect))
        let (chunks, result) = try await Bench.collect(runner)
        #expect(chunks.text == "I cannot.")
        #expect(result.finishReason == .contentFilter)
        #expect(result.notices == ["The model refused to answer."])
    }

    @Test(
        arguments: [
            "{\"city\":", "[]", "{\"city\":7}", "{}", "{\"city\":\"Köln\"}{}",
        ]
    )
    func `arguments that are no such object are an error`(arguments: String) async throws {
        let escaped = arguments.replacing("\"", with: "\\\"")
        let text = """
            data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":\
            {"name":"get_weather","arguments":"\(escaped)"}}]},"finish_reason":"tool_calls"}]}\n\n
            """
        let request = InferenceRequest(
            .chat,
            prompt: "hello",
            configuration: InferenceConfig(tools: [Bench.weather])
        )
        #expect(try await fault(text, request: request)?.code == .invalidOutput)
        #expect(try await fault(text)?.code == .invalidOutput)
    }

    /// Whole calls from servers that number them all 0, or not at all, or give no ids.
    @Test(
        arguments: [
            (
                #"{"index":0,"id":"a","function":{"name":"get_weather","arguments":"{\"city\":\"Rom\"}"}}"#,
                #"{"index":0,"id":"b","function":{"name":"get_weather","arguments":"{\"city\":\"Ulm\"}"}}"#,
                ["a", "b"]
            ),
            (
                #"{"id":"","function":{"name":"get_weather","arguments":"{\"city\":\"Rom\"}"}}"#,
                #"{"function":{"name":"get_weather","arguments":{"city":"Ulm"}}}"#,
                ["call_r1_0", "call_r1_1"]
            ),
        ],
        [true, false]
    )
    func `calls of careless servers are told apart`(
        calls: (first: String, second: String, ids: [String]),
        together: Bool
    ) async throws {
        let request = InferenceRequest(
            .chat,
            prompt: "hello",
            id: "r1",
            configuration: InferenceConfig(tools: [Bench.weather])
        )
        func event(_ calls: String, _ finish: String) -> String {
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[\(calls)]},\"finish_reason\":\(finish)}]}\n\n"
        }
        let text =
            together
            ? event("\(calls.first),\(calls.second)", "\"stop\"")
            : event(calls.first, "null") + event(calls.second, "\"stop\"")
        let (_, result) = try await Bench.collect(
            try Bench.runner(ScriptedTransport(streaming: text)),
            request
        )
        #expect(result.toolCalls.map(\.id) == calls.ids)
        #expect(result.toolCalls.map { $0.arguments["city"] } == ["Rom", "Ulm"])
        #expect(result.finishReason == .toolCalls)
    }
}
