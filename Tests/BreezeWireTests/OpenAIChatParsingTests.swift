import BreezeCore
import BreezeWire
import Foundation
import Testing

/// `POST /v1/chat/completions`, the way in.
@Suite struct OpenAIChatParsingTests {
    @Test func `the smallest body is a question`() throws {
        let call = try OpenAIChat.parse(bytes(#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#))
        let request = try #require(call.requests.first)
        #expect(call.requests.count == 1)
        #expect((call.model, call.streams, call.includesUsage) == ("m", false, false))
        #expect(request.capability == .chat)
        #expect(request.modelID == "m")
        #expect(request.messages == [ChatMessage(.user, "hi")])
        #expect(request.configuration == InferenceConfig())
        #expect(call.remarks == WireRemarks())
    }

    @Test func `every field that tunes an answer arrives`() throws {
        let body = """
            {"model":"m","messages":[{"role":"user","content":"hi"}],"temperature":0.5,"top_p":0.9,"top_k":7,
             "min_p":0.1,"presence_penalty":1,"frequency_penalty":-1.5,"repeat_penalty":1.1,"seed":42,
             "stop":["a","b"],"max_completion_tokens":9,"max_tokens":5,"num_ctx":2048,"keep_alive":"1h30m",
             "reasoning_effort":"none","stream":true,"stream_options":{"include_usage":true},
             "logprobs":true,"top_logprobs":2,"user":"u","store":true,"metadata":{"k":"v"}}
            """
        let call = try OpenAIChat.parse(bytes(body))
        var expected = InferenceConfig(
            temperature: 0.5,
            topP: 0.9,
            topK: 7,
            minP: 0.1,
            repetitionPenalty: 1.1,
            frequencyPenalty: -1.5,
            presencePenalty: 1,
            seed: 42,
            maxTokens: 9,
            stop: ["a", "b"],
            contextSize: 2_048,
            logprobs: 2,
            keepAlive: 5_400
        )
        expected.additional["thinking"] = false
        #expect(call.requests.first?.configuration == expected)
        #expect(call.streams && call.includesUsage)
        #expect(call.topLogprobs == 2)
        #expect(call.remarks.ignored.isEmpty)
    }

    @Test func `Ollama's options are taken here, too, and stand back behind OpenAI's fields`() throws {
        let body = """
            {"model":"m","messages":[{"role":"user","content":"hi"}],"temperature":0.5,
             "options":{"temperature":1,"num_ctx":4096,"num_predict":-1,"num_thread":4}}
            """
        let call = try OpenAIChat.parse(bytes(body))
        #expect(call.requests.first?.configuration == InferenceConfig(temperature: 0.5, contextSize: 4_096))
        #expect(call.remarks.ignored == ["options.num_thread"])
    }

    @Test func `turns of every role arrive, with calls, answers to them and pictures`() throws {
        let body = """
            {"model":"m","messages":[
              {"role":"developer","content":"be brief"},
              {"role":"user","content":[{"type":"text","text":"what"},{"type":"text","text":"is this?"},
                {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw==","detail":"low"}}]},
              {"role":"assistant","content":null,"tool_calls":[
                {"id":"t1","type":"function","function":{"name":"add","arguments":"{\\"a\\":1}"}},
                {"id":"t2","type":"function","function":{"name":"now","arguments":""}}]},
              {"role":"tool","tool_call_id":"t1","content":"2"},
              {"role":"tool","tool_call_id":"t2","content":[{"type":"text","text":"noon"}]}]}
            """
        let call = try OpenAIChat.parse(bytes(body))
        let request = try #require(call.requests.first)
        #expect(request.capability == .vlm)
        #expect(
            request.messages == [
                ChatMessage(.system, "be brief"),
                ChatMessage(.user, "what\nis this?", images: [Data([0x89, 0x50, 0x4E, 0x47])]),
                ChatMessage(
                    .assistant,
                    "",
                    toolCalls: [addCall, ToolCall(id: "t2", name: "now", arguments: [:])]
                ),
                ChatMessage(.tool, "2", toolCallID: "t1"), ChatMessage(.tool, "noon", toolCallID: "t2"),
            ]
        )
    }

    @Test func `tools, the choice among them and one call at a time arrive`() throws {
        let body = """
            {"model":"m","messages":[{"role":"user","content":"hi"}],"parallel_tool_calls":false,
             "tools":[{"type":"function","function":{"name":"add","description":"d","strict":true,
               "parameters":{"type":"object","properties":{"a":{"type":"integer"}}}}},
               {"type":"function","function":{"name":"now"}}],
             "tool_choice":{"type":"function","function":{"name":"now"}}}
            """
        let call = try OpenAIChat.parse(bytes(body))
        let config = try #require(call.requests.first?.configuration)
        #expect(config.toolChoice == .named("now"))
        #expect(config.tools?.map(\.name) == ["add", "now"])
        #expect(config.tools?.first?.parameters["properties"]?["a"]?["type"] == "integer")
        #expect(!call.allowsParallelCalls)
    }

    @Test(arguments: [
        (#"{"type":"text"}"#, nil), (#"{"type":"json_object"}"#, #"{"type":"object"}"#),
        (
            #"{"type":"json_schema","json_schema":{"name":"n","strict":true,"schema":{"type":"array"}}}"#,
            #"{"type":"array"}"#
        ),
    ])
    func `an answer's form becomes a schema`(format: String, schema: String?) throws {
        let body = #"{"model":"m","messages":[{"role":"user","content":"hi"}],"response_format":\#(format)}"#
        let config = try OpenAIChat.parse(bytes(body)).requests.first?.configuration
        #expect(try config?.guidedOutput == schema.map { try json($0) })
    }

    @Test func `several choices differ by id and by seed`() throws {
        let body = #"{"model":"m","messages":[{"role":"user","content":"hi"}],"n":3,"seed":7}"#
        let requests = try OpenAIChat.parse(bytes(body)).requests
        #expect(requests.map(\.configuration.seed) == [7, 8, 9])
        #expect(Set(requests.map(\.id)).count == 3)
    }

    @Test func `what nobody knows is ignored and reported, sorted, by its path`() throws {
        let body = """
            {"model":"m","zebra":1,"service_tier":"auto","stream":null,
             "messages":[{"role":"user","content":"hi","name":"ann"}],"stream_options":{"shape":2}}
            """
        let call = try OpenAIChat.parse(bytes(body))
        let expected = ["messages[0].name", "service_tier", "stream_options.shape", "zebra"]
        #expect(call.remarks.ignored == expected)
        #expect(WireFailure.unknownFields(call.remarks)?.message.contains("service_tier") == true)
        #expect(WireFailure.unknownFields(WireRemarks()) == nil)
    }

    @Test func `degrees of thinking are taken as on, and the answer says so`() throws {
        let body = #"{"model":"m","messages":[{"role":"user","content":"hi"}],"reasoning_effort":"low"}"#
        let call = try OpenAIChat.parse(bytes(body))
        #expect(call.requests.first?.configuration.additional["thinking"] == true)
        #expect(call.remarks.notices.count == 1)
    }

    @Test func `headers set what a body cannot`() throws {
        var call = try OpenAIChat.parse(
            bytes(#"{"model":"m","messages":[{"role":"user","content":"hi"}],"n":2}"#)
        )
        let headers = [
            "x-breeze-privacy": "on-device", "x-breeze-runner": "llama:qwen", "x-breeze-mock": "true",
            "x-breeze-priority": "user-initiated", "x-breeze-timeout": "2.5",
        ]
        call.apply(try WireHints { headers[$0] })
        for request in call.requests {
            #expect(request.privacy == .onDevice)
            #expect(request.runnerID == "llama:qwen")
            #expect(request.allowsMocks)
            #expect(request.priority == .userInitiated)
            #expect(request.configuration.timeout == 2.5)
        }
    }

    @Test(arguments: [
        ("x-breeze-privacy", "none"), ("x-breeze-priority", ""), ("x-breeze-mock", "1"),
        ("x-breeze-runner", ""),
        ("x-breeze-timeout", "0"), ("x-breeze-timeout", "nan"), ("x-breeze-timeout", "soon"),
    ])
    func `a header's wrong value is refused by its name`(name: String, value: String) {
        let error = failure { _ = try WireHints { $0 == name ? value : nil } }
        #expect(error?.code == .invalidParameter)
        #expect(error?.wireField == name)
    }
}
