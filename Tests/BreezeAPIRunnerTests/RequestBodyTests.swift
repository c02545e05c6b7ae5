import BreezeCore
import BreezeTransport
import Foundation
import Testing

@testable import BreezeAPIRunner

/// What is sent, field by field: the expected bodies are written after the services' documentation.
@Suite struct RequestBodyTests {
    /// One transparent pixel, as the GIF standard's smallest image is mostly written.
    private static let gif = "R0lGODlhAQABAAAAACw="

    private func body(
        _ request: InferenceRequest,
        _ service: APIService = Bench.service(),
        answer: String = "{\"choices\":[{\"message\":{\"content\":\"ja\"},\"finish_reason\":\"stop\"}]}"
    ) async throws -> JSONValue {
        let transport = ScriptedTransport(answering: answer)
        _ = try? await Bench.collect(try Bench.runner(transport, service), request)
        return try #require(transport.body)
    }

    private static func everything() throws -> InferenceRequest {
        let image = try #require(Data(base64Encoded: gif))
        return InferenceRequest(
            .chat,
            messages: [
                ChatMessage(.system, "Be brief."),
                ChatMessage(.user, "What is this?", images: [image]),
                ChatMessage(
                    .assistant,
                    "",
                    toolCalls: [ToolCall(id: "call_a", name: "get_weather", arguments: ["city": "Köln"])]
                ),
                ChatMessage(.tool, "rain", toolCallID: "call_a"),
            ],
            configuration: InferenceConfig(
                temperature: 0.5,
                topP: 0.9,
                maxTokens: 100,
                logprobs: 2,
                guidedOutput: ["type": "object", "additionalProperties": false],
                tools: [Bench.weather],
                toolChoice: .named("get_weather"),
                additional: ["parallelToolCalls": false]
            )
        )
    }

    @Test func `chat completions`() async throws {
        var request = try Self.everything()
        request.configuration.topK = 40
        request.configuration.minP = 0.05
        request.configuration.repetitionPenalty = 1.1
        request.configuration.frequencyPenalty = 0.25
        request.configuration.presencePenalty = -0.5
        request.configuration.seed = 7
        request.configuration.stop = ["END"]
        let expected = try Bench.json(
            """
            {"model":"acme/one","stream":true,"stream_options":{"include_usage":true},
            "messages":[{"role":"system","content":"Be brief."},
            {"role":"user","content":[{"type":"text","text":"What is this?"},
            {"type":"image_url","image_url":{"url":"data:image/gif;base64,\(Self.gif)"}}]},
            {"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function",
            "function":{"name":"get_weather","arguments":"{\\"city\\":\\"Köln\\"}"}}]},
            {"role":"tool","content":"rain","tool_call_id":"call_a"}],
            "temperature":0.5,"top_p":0.9,"max_tokens":100,"top_k":40,"min_p":0.05,"repetition_penalty":1.1,
            "frequency_penalty":0.25,"presence_penalty":-0.5,"seed":7,"stop":["END"],
            "logprobs":true,"top_logprobs":2,
            "tools":[{"type":"function","function":{"name":"get_weather","description":"The weather at a place.",
            "parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}],
            "tool_choice":{"type":"function","function":{"name":"get_weather"}},"parallel_tool_calls":false,
            "response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,
            "schema":{"type":"object","additionalProperties":false}}}}
            """
        )
        #expect(try await body(request) == expected)
    }

    @Test func `responses`() async throws {
        let expected = try Bench.json(
            """
            {"model":"acme/one","stream":true,"store":false,
            "input":[{"type":"message","role":"system","content":[{"type":"input_text","text":"Be brief."}]},
            {"type":"message","role":"user","content":[{"type":"input_text","text":"What is this?"},
            {"type":"input_image","image_url":"data:image/gif;base64,\(Self.gif)"}]},
            {"type":"function_call","call_id":"call_a","name":"get_weather","arguments":"{\\"city\\":\\"Köln\\"}"},
            {"type":"function_call_output","call_id":"call_a","output":"rain"}],
            "temperature":0.5,"top_p":0.9,"max_output_tokens":100,
            "include":["message.output_text.logprobs"],"top_logprobs":2,
            "tools":[{"type":"function","name":"get_weather","description":"The weather at a place.",
            "parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},
            "strict":false}],
            "tool_choice":{"type":"function","name":"get_weather"},"parallel_tool_calls":false,
            "text":{"format":{"type":"json_schema","name":"answer","strict":true,
            "schema":{"type":"object","additionalProperties":false}}}}
            """
        )
        #expect(try await body(try Self.everything(), Bench.service(dialect: .responses)) == expected)
    }

    @Test func `nothing that was not asked for`() async throws {
        let request = InferenceRequest(.chat, prompt: "hello")
        let chat = try await body(request, Bench.service(streams: false))
        #expect(
            chat == (try Bench.json(#"{"model":"acme/one","messages":[{"role":"user","content":"hello"}]}"#))
        )
        let responses = try await body(request, Bench.service(dialect: .responses, streams: false))
        #expect(
            responses
                == (try Bench.json(
                    """
                    {"model":"acme/one","store":false,"input":[{"type":"message","role":"user",
                    "content":[{"type":"input_text","text":"hello"}]}]}
                    """
                ))
        )
    }

    @Test func `an image of the request belongs to what was said last`() async throws {
        let image = try #require(Data(base64Encoded: Self.gif))
        let request = InferenceRequest(.vlm, prompt: "What is this?", imageData: image)
        let expected = try Bench.json(
            """
            [{"role":"user","content":[{"type":"text","text":"What is this?"},
            {"type":"image_url","image_url":{"url":"data:image/gif;base64,\(Self.gif)"}}]}]
            """
        )
        #expect(try await body(request)["messages"] == expected)
        var bare = request
        bare.prompt = nil
        let content = try await body(bare)["messages"]?.arrayValue?.first?["content"]?.arrayValue
        #expect(content?.count == 1)
    }

    @Test(arguments: [(ToolChoice.auto, "auto"), (.none, "none"), (.required, "required")])
    func `tool choices`(choice: ToolChoice, word: String) async throws {
        let request = InferenceRequest(
            .chat,
            prompt: "hello",
            configuration: InferenceConfig(tools: [Bench.weather], toolChoice: choice)
        )
        #expect(try await body(request)["tool_choice"] == .string(word))
        #expect(try await body(request, Bench.service(dialect: .responses))["tool_choice"] == .string(word))
    }

    @Test func `embeddings are asked for in batches and come back in order`() async throws {
        let texts = (0..<300).map { "text \($0)" }
        let transport = ScriptedTransport([
            { request in
                let body = try JSONDecoder().decode(JSONValue.self, from: Data(request.body))
                let inputs = body["input"]?.arrayValue ?? []
                // Backwards, since `index` counts and not the order; of each text its number.
                let data = inputs.enumerated().reversed().map { index, text in
                    let number = text.stringValue?.split(separator: " ").last ?? ""
                    return "{\"object\":\"embedding\",\"index\":\(index),\"embedding\":[\(number),0.5]}"
                }
                let text =
                    "{\"object\":\"list\",\"data\":[\(data.joined(separator: ","))],"
                    + "\"usage\":{\"prompt_tokens\":\(inputs.count),\"total_tokens\":1}}"
                return try await ScriptedTransport.step(text)(request)
            }
        ])
        let request = InferenceRequest(
            .embedding,
            inputs: texts,
            configuration: InferenceConfig(additional: ["dimensions": 2])
        )
        let (chunks, result) = try await Bench.collect(try Bench.runner(transport), request)
        #expect(result.output == .embeddings((0..<300).map { [Float($0), 0.5] }))
        #expect(result.usage.inputTokens == 300)
        #expect(chunks.count == 300)
        #expect(transport.requests.map(\.url.path) == ["/v1/embeddings", "/v1/embeddings"])
        let expected = try Bench.json(
            #"{"model":"acme/one","input":["a"],"encoding_format":"float"}"#
        )
        #expect(try await body(InferenceRequest(.embedding, prompt: "a")) == expected)
    }

    @Test func `an embedding may come as base64`() async throws {
        // struct.pack('<2f', 1.0, -2.5)
        let answer = #"{"data":[{"index":0,"embedding":"AACAPwAAIMA="}]}"#
        let runner = try Bench.runner(ScriptedTransport(answering: answer))
        let (_, result) = try await Bench.collect(runner, InferenceRequest(.embedding, prompt: "a"))
        #expect(result.output == .embeddings([[1, -2.5]]))
    }

    @Test(
        arguments: [
            #"{"data":[]}"#, #"{"data":[{"index":1,"embedding":[1]}]}"#,
            #"{"data":[{"index":0,"embedding":[]}]}"#,
            #"{"data":[{"index":0,"embedding":["a"]}]}"#, #"{"data":[{"index":0,"embedding":"AAA="}]}"#, "no",
            #"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1]}]}"#,
        ]
    )
    func `embeddings that are not what was asked for are an error`(answer: String) async throws {
        let runner = try Bench.runner(ScriptedTransport(answering: answer))
        let error = await #expect(throws: BreezeError.self) {
            try await Bench.collect(runner, InferenceRequest(.embedding, prompt: "a"))
        }
        #expect(error?.code.rawValue == "invalid_response")
    }
}
