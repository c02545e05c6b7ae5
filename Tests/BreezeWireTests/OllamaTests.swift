import BreezeCore
import BreezeWire
import Foundation
import Testing

/// `/api/chat` and `/api/generate`. Expected JSON is Ollama's API document and what its client validates, written by
/// hand.
@Suite struct OllamaTests {
    private static func chat(_ more: String = "") throws -> Generation {
        try Ollama.parseChat(bytes(#"{"model":"m","messages":[{"role":"user","content":"hi"}]\#(more)}"#))
    }

    @Test func `a chat streams unless told otherwise`() throws {
        #expect(try Self.chat().streams)
        #expect(try !Self.chat(#","stream":false"#).streams)
        #expect(try Self.chat().purpose == .answer)
    }

    @Test func `options arrive under their names`() throws {
        let options = """
            {"temperature":0.5,"top_p":0.9,"top_k":-1,"min_p":0.1,"repeat_penalty":1.1,"presence_penalty":1,
             "frequency_penalty":2,"seed":7,"stop":"x","num_ctx":2048,"num_predict":9,"mirostat":0,"num_gpu":1,
             "num_keep":4}
            """
        let call = try Self.chat(
            #","options":\#(options),"keep_alive":0,"tools":[],"format":"","think":false"#
        )
        var expected = InferenceConfig(
            temperature: 0.5,
            topP: 0.9,
            topK: 0,
            minP: 0.1,
            repetitionPenalty: 1.1,
            frequencyPenalty: 2,
            presencePenalty: 1,
            seed: 7,
            maxTokens: 9,
            stop: ["x"],
            contextSize: 2_048,
            keepAlive: 0
        )
        expected.additional["thinking"] = false
        #expect(call.requests.first?.configuration == expected)
        #expect(call.remarks.ignored == ["options.num_gpu", "options.num_keep"])
    }

    // Go's time.ParseDuration, and numbers as seconds.
    @Test(arguments: [
        ("300", 300), ("0", 0), ("-1", -1), ("-5.5", -1), (#""5m""#, 300), (#""1h30m""#, 5_400),
        (#""1.5h""#, 5_400),
        (#""300ms""#, 0.3), (#""-1m""#, -1), (#""-1""#, -1), (#""0""#, 0), (#""90""#, 90),
        (#""2m0.5s""#, 120.5),
    ])
    func `a model stays as long as it is told to`(value: String, seconds: Double) throws {
        let call = try Self.chat(#","keep_alive":\#(value)"#)
        let kept = try #require(call.requests.first?.configuration.keepAlive)
        #expect(abs(kept - seconds) < 1e-9)
    }

    @Test(arguments: [
        #""""#, #""5 m""#, #""m""#, #""5x""#, #""5m3""#, #"".""#, #""1..5m""#, #""٣m""#, #""--1""#,
    ])
    func `what is no duration is refused`(value: String) {
        let error = failure { _ = try Self.chat(#","keep_alive":\#(value)"#) }
        #expect(error?.wireField == "keep_alive")
    }

    @Test func `calls without ids are answered in order, by name`() throws {
        let body = """
            {"model":"m","messages":[{"role":"user","content":"x","images":["AAAA"]},
              {"role":"assistant","content":"","thinking":"hm","tool_calls":[
                {"function":{"name":"add","arguments":{"a":1}}},{"function":{"name":"now","arguments":{}}},
                {"function":{"name":"add","arguments":{"a":2}}}]},
              {"role":"tool","tool_name":"now","content":"noon"},{"role":"tool","tool_name":"add","content":"2"},
              {"role":"tool","content":"3"},{"role":"tool","tool_name":"gone","content":"?"}]}
            """
        let call = try Ollama.parseChat(bytes(body))
        let messages = try #require(call.requests.first?.messages)
        #expect(call.requests.first?.capability == .vlm)
        #expect(messages[0].images == [Data([0, 0, 0])])
        #expect(messages[1].toolCalls?.map(\.id) == ["call_1_0", "call_1_1", "call_1_2"])
        #expect(messages[1].toolCalls?.first?.arguments == ["a": 1])
        #expect(messages[2...].map(\.toolCallID) == ["call_1_1", "call_1_0", "call_1_2", nil])
    }

    @Test(arguments: [(#""json""#, #"{"type":"object"}"#), (#"{"type":"array"}"#, #"{"type":"array"}"#)])
    func `a format is a schema`(format: String, schema: String) throws {
        let config = try Self.chat(#","format":\#(format)"#).requests.first?.configuration
        #expect(try config?.guidedOutput == json(schema))
    }

    @Test func `a prompt is a turn, behind the system's`() throws {
        let call = try Ollama.parseGenerate(
            bytes(
                #"{"model":"m","prompt":"hi","system":"s","raw":false,"template":"","context":[],"suffix":""}"#
            )
        )
        #expect(call.requests.first?.messages == [ChatMessage(.system, "s"), ChatMessage(.user, "hi")])
        #expect(call.remarks.ignored.isEmpty)
    }

    @Test func `a question without words loads a model, or unloads it`() throws {
        let load = try Ollama.parseGenerate(bytes(#"{"model":"m"}"#))
        #expect(load.purpose == .load)
        let unload = try Ollama.parseChat(bytes(#"{"model":"m","messages":[],"keep_alive":0}"#))
        #expect(unload.purpose == .unload)
        let answer = try json(Ollama.answer(loading: unload, route: .chat, created: noon))
        let expected = """
            {"model":"m","created_at":"2026-01-31T12:00:00.000000Z","message":{"role":"assistant","content":""},
             "done":true,"done_reason":"unload"}
            """
        #expect(try answer.withoutBreeze == json(expected))
        let loaded = try json(Ollama.answer(loading: load, route: .generate, created: noon))
        #expect(loaded["done_reason"] == "load")
        #expect(loaded["response"] == "")
    }

    @Test(arguments: [
        (#""raw":true"#, "raw"), (#""template":"x""#, "template"), (#""suffix":"x""#, "suffix"),
        (#""context":[1]"#, "context"), (#""width":64"#, "width"),
        (#""options":{"tfs_z":0.5}"#, "options.tfs_z"),
        (#""options":{"typical_p":0.5}"#, "options.typical_p"), (#""truncate":true"#, "truncate"),
        (#""options":{"repeat_last_n":-1}"#, "options.repeat_last_n"),
    ])
    func `what cannot be honoured is refused by its path`(field: String, path: String) {
        let error = failure {
            _ = try Ollama.parseGenerate(bytes("{\"model\":\"m\",\"prompt\":\"x\",\(field)}"))
        }
        #expect(error?.code.rawValue == "unsupported_capability")
        #expect(error?.wireField == path)
    }

    @Test(arguments: [
        (#""options":[]"#, "options"), (#""format":"xml""#, "format"), (#""format":1"#, "format"),
        (#""think":"much""#, "think"), (#""images":["%"]"#, "images[0]"), (#""images":[1]"#, "images[0]"),
        (#""stream":"no""#, "stream"), (#""prompt":5"#, "prompt"), (#""options":{"stop":5}"#, "options.stop"),
    ])
    func `a wrong kind is refused by its path`(field: String, path: String) {
        let prompt = field.contains("prompt") ? "" : #""prompt":"x","#
        let error = failure { _ = try Ollama.parseGenerate(bytes("{\"model\":\"m\",\(prompt)\(field)}")) }
        #expect(error?.code == .invalidParameter)
        #expect(error?.wireField == path)
    }

    private static let counts = """
        "total_duration":2250000000,"load_duration":500000000,"prompt_eval_count":3,
        "prompt_eval_duration":500000000,"eval_count":2,"eval_duration":1000000000
        """
    private static let head = #""model":"m","created_at":"2026-01-31T12:00:00.000000Z""#

    @Test func `an answer has its counts and times`() throws {
        let chat = try json(Ollama.answer(result(), to: try Self.chat(), route: .chat, created: noon))
        let expected = """
            {\(Self.head),"message":{"role":"assistant","content":"Hello"},"done":true,"done_reason":"stop",
             \(Self.counts)}
            """
        #expect(try chat.withoutBreeze == json(expected))
        #expect(chat["breeze", "request_id"] == "r1")
        let text = try json(
            Ollama.answer(
                result(finish: .length),
                to: try Self.chat(),
                route: .generate,
                reasoning: "hm",
                created: noon
            )
        )
        #expect((text["response"], text["thinking"], text["done_reason"]) == ("Hello", "hm", "length"))
    }

    @Test func `a call's arguments are an object`() throws {
        let answer = result("", calls: [addCall], finish: .toolCalls)
        let chat = try json(Ollama.answer(answer, to: try Self.chat(), route: .chat, created: noon))
        #expect(chat["message", "tool_calls", "0", "function"] == ["name": "add", "arguments": ["a": 1]])
        #expect(chat["done_reason"] == "stop")
    }

    @Test func `a stream is a line a piece, and the last one is done`() throws {
        var stream = OllamaStream(try Self.chat(), route: .chat, created: noon)
        var out = try stream.encode(chunk(.progress(.init(stage: "x", completed: 0, total: 1))))
        out += try stream.encode(chunk(.reasoning("hm")))
        out += try stream.encode(chunk(.text("Hello")))
        out += try stream.encode(chunk(.toolCall(addCall)))
        out += try stream.encode(chunk(.result(result("Hello", calls: [addCall])))) + stream.finish()
        func line(_ members: String) throws -> JSONValue {
            try json("{\(Self.head),\"message\":{\"role\":\"assistant\",\(members)},\"done\":false}")
        }
        let ending = """
            {\(Self.head),"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop",\(Self.counts)}
            """
        let read = try lines(out)
        #expect(
            try read.map(\.withoutBreeze) == [
                line(#""content":"","thinking":"hm""#), line(#""content":"Hello""#),
                line(
                    #""content":"","tool_calls":[{"id":"t1","function":{"name":"add","arguments":{"a":1}}}]"#
                ),
                json(ending),
            ]
        )
        #expect(read.map { $0["breeze"] != nil } == [false, false, false, true])
    }

    @Test func `a stream of a runner that does not stream is one line`() throws {
        var stream = OllamaStream(try Self.chat(), route: .generate, created: noon)
        let read = try lines(stream.encode(chunk(.result(result()))))
        #expect(read.count == 1)
        #expect(read.first?["response"] == "Hello")
        #expect(try stream.encode(chunk(.text("late"))).isEmpty)
    }

    @Test func `what breaks off is a line with the error`() throws {
        var stream = OllamaStream(try Self.chat(), route: .chat, created: noon)
        let read = try lines(stream.fail(BreezeError(.runFailed, "It broke.", remedy: "Try again.")))
        #expect(read == [["error": "It broke. Try again."]])
    }
}
