import BreezeCore
import BreezeWire
import Foundation
import Testing

/// `POST /v1/chat/completions`, the way out. Expected JSON is OpenAI's API reference and the fields that its client
/// reads, written by hand.
@Suite struct OpenAIChatAnswerTests {
    private static func call(_ more: String = "") throws -> Generation {
        var call = try OpenAIChat.parse(
            bytes(#"{"model":"m","messages":[{"role":"user","content":"hi"}]\#(more)}"#)
        )
        for index in call.requests.indices { call.requests[index].id = index == 0 ? "c1" : "c1-\(index)" }
        return call
    }

    private static let choice = """
        {"id":"chatcmpl-c1","object":"chat.completion","created":1769860800,"model":"m","choices":[
          {"index":0,"message":{"role":"assistant","content":"Hello","refusal":null},"logprobs":null,
           "finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}
        """

    @Test func `a text is a choice`() throws {
        let body = try OpenAIChat.answer([result()], to: try Self.call(), created: noon)
        #expect(try json(body).withoutBreeze == json(Self.choice))
    }

    @Test func `calls stand beside no content, with their arguments as text`() throws {
        let answer = result("", calls: [addCall], finish: .toolCalls)
        let body = try json(OpenAIChat.answer([answer], to: try Self.call(), created: noon))
        let expected = """
            {"index":0,"message":{"role":"assistant","content":null,"refusal":null,"tool_calls":[
              {"id":"t1","type":"function","function":{"name":"add","arguments":"{\\"a\\":1}"}}]},
             "logprobs":null,"finish_reason":"tool_calls"}
            """
        #expect(try body["choices", "0"] == json(expected))
    }

    @Test(arguments: [
        (InferenceResult.FinishReason.stop, "stop"), (.length, "length"), (.toolCalls, "tool_calls"),
        (.contentFilter, "content_filter"),
    ])
    func `an answer ends for a reason`(reason: InferenceResult.FinishReason, word: String) throws {
        let body = try json(OpenAIChat.answer([result(finish: reason)], to: try Self.call(), created: noon))
        #expect(body["choices", "0", "finish_reason"] == .string(word))
    }

    @Test func `thinking stands beside the content`() throws {
        let body = try OpenAIChat.answer([result()], to: try Self.call(), reasoning: ["hm"], created: noon)
        #expect(try json(body)["choices", "0", "message", "reasoning_content"] == "hm")
    }

    @Test func `choices keep their order, and the usage is of all`() throws {
        let results = [result("A"), result("B", id: "r2")]
        let body = try json(OpenAIChat.answer(results, to: try Self.call(#","n":2"#), created: noon))
        #expect(body["choices", "0", "message", "content"] == "A")
        #expect(body["choices", "1", "message", "content"] == "B")
        #expect(body["choices", "1", "index"] == 1)
        #expect(body["usage", "total_tokens"] == 10)
        #expect(body["breeze", "request_id"] == "r1")
        #expect(body["breeze", "others", "0", "request_id"] == "r2")
    }

    @Test func `two calls are no answer where one was allowed`() throws {
        let other = ToolCall(id: "t2", name: "add", arguments: [:])
        let call = try Self.call(#","parallel_tool_calls":false"#)
        let error = failure {
            _ = try OpenAIChat.answer([result("", calls: [addCall, other])], to: call, created: noon)
        }
        #expect(error?.code == .invalidOutput)
        #expect(error?.wireField == "parallel_tool_calls")
        _ = try OpenAIChat.answer([result("", calls: [addCall])], to: call, created: noon)
    }

    @Test func `log-probabilities come as asked for`() throws {
        let step = TokenLogprobs(
            chosen: .init(id: 1, token: "H", bytes: [72], logprob: -0.5),
            top: [
                .init(id: 1, token: "H", bytes: [72], logprob: -0.5),
                .init(id: 2, token: "J", bytes: [74], logprob: -.infinity),
            ]
        )
        let call = try Self.call(#","logprobs":true,"top_logprobs":2"#)
        let body = try json(OpenAIChat.answer([result(logprobs: [step])], to: call, created: noon))
        let expected = """
            {"content":[{"token":"H","logprob":-0.5,"bytes":[72],"top_logprobs":[
              {"token":"H","logprob":-0.5,"bytes":[72]},{"token":"J","logprob":-9999,"bytes":[74]}]}],
             "refusal":null}
            """
        #expect(try body["choices", "0", "logprobs"] == json(expected))
        let none = try Self.call(#","logprobs":true"#)
        let bare = try json(OpenAIChat.answer([result(logprobs: [step])], to: none, created: noon))
        #expect(bare["choices", "0", "logprobs", "content", "0", "top_logprobs"] == [])
    }

    // The stream

    @Test func `a stream says its role, its pieces, its end`() throws {
        var stream = OpenAIChatStream(try Self.call(), created: noon)
        var out = try stream.encode(chunk(.progress(.init(stage: "loading", completed: 1, total: 2))))
        #expect(String(decoding: out, as: UTF8.self) == ": loading 50 %\n\n")
        for piece in ["Hel", "lo"] { out += try stream.encode(chunk(.text(piece))) }
        out += try stream.encode(chunk(.result(result())))
        out += stream.finish()
        let read = try events(out)
        let head = #""id":"chatcmpl-c1","object":"chat.completion.chunk","created":1769860800,"model":"m""#
        func delta(_ delta: String, _ rest: String = #""finish_reason":null"#) throws -> JSONValue {
            try json("{\(head),\"choices\":[{\"index\":0,\"delta\":\(delta),\(rest)}]}")
        }
        let ending = #""logprobs":null,"finish_reason":"stop""#
        #expect(
            try read.map(\.withoutBreeze) == [
                delta(#"{"role":"assistant","content":""}"#), delta(#"{"content":"Hel"}"#),
                delta(#"{"content":"lo"}"#), delta("{}", ending), "[DONE]",
            ]
        )
        #expect(read.dropLast().map { $0["breeze"] != nil } == [false, false, false, true])
    }

    @Test func `the usage comes last where it was asked for, and carries the account`() throws {
        let call = try Self.call(#","stream":true,"stream_options":{"include_usage":true}"#)
        var stream = OpenAIChatStream(call, created: noon)
        let out = try stream.encode(chunk(.result(result()))) + stream.finish()
        let read = try events(out)
        #expect(read.count == 5)
        #expect(
            read[1]["choices", "0", "delta", "content"] == "Hello",
            "a runner that does not stream is heard"
        )
        #expect(read[2]["choices", "0", "finish_reason"] == "stop")
        #expect(read[2]["breeze"] == nil)
        #expect(read[3]["choices"] == [])
        #expect(read[3]["usage"] == ["prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5])
        #expect(read[3]["breeze", "request_id"] == "r1")
    }

    @Test func `a call's name comes before its arguments, once, and in its own place`() throws {
        let other = ToolCall(id: "t2", name: "now", arguments: [:])
        var stream = OpenAIChatStream(try Self.call(), created: noon)
        var out = try stream.encode(chunk(.reasoning("hm")))
        out += try stream.encode(chunk(.toolCall(addCall)))
        out += try stream.encode(chunk(.result(result("", calls: [addCall, other], finish: .toolCalls))))
        let deltas = try events(out).compactMap { $0["choices", "0", "delta"] }
        let expected = """
            [{"role":"assistant","content":""},{"reasoning_content":"hm"},
             {"tool_calls":[{"index":0,"id":"t1","type":"function","function":{"name":"add","arguments":""}}]},
             {"tool_calls":[{"index":0,"function":{"arguments":"{\\"a\\":1}"}}]},
             {"tool_calls":[{"index":1,"id":"t2","type":"function","function":{"name":"now","arguments":""}}]},
             {"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]},{}]
            """
        #expect(try .array(deltas) == json(expected))
        #expect(try events(out).last?["choices", "0", "finish_reason"] == "tool_calls")
    }

    @Test func `a second call breaks the stream where one was allowed`() throws {
        var stream = OpenAIChatStream(try Self.call(#","parallel_tool_calls":false"#), created: noon)
        _ = try stream.encode(chunk(.toolCall(addCall)))
        let other = ToolCall(id: "t2", name: "now", arguments: [:])
        let error = failure { _ = try stream.encode(chunk(.toolCall(other))) }
        #expect(error?.code == .invalidOutput)
    }

    @Test func `choices are told apart, and the last to end carries the account`() throws {
        var stream = OpenAIChatStream(try Self.call(#","n":2"#), created: noon)
        var out = try stream.encode(chunk(.text("B")), choice: 1)
        out += try stream.encode(chunk(.text("A")), choice: 0)
        out += try stream.encode(chunk(.result(result("B", id: "r2"))), choice: 1)
        out += try stream.encode(chunk(.result(result("A"))), choice: 0)
        let read = try events(out)
        #expect(read.map { $0["choices", "0", "index"] } == [1, 1, 0, 0, 1, 0])
        #expect(read.map { $0["breeze"] != nil } == [false, false, false, false, false, true])
        #expect(read.last?["breeze", "others", "0", "request_id"] == "r2")
    }

    @Test func `what breaks off ends with an error that clients raise`() throws {
        var stream = OpenAIChatStream(try Self.call(), created: noon)
        _ = try stream.encode(chunk(.text("Hel")))
        let read = try events(stream.fail(BreezeError(.runFailed, "It broke.", remedy: "Try again.")))
        let expected = """
            {"error":{"message":"It broke.","type":"server_error","param":null,"code":"run_failed",
             "remedy":"Try again."}}
            """
        #expect(try read == [json(expected), "[DONE]"])
    }

    @Test func `nothing follows the end of a choice`() throws {
        var stream = OpenAIChatStream(try Self.call(), created: noon)
        _ = try stream.encode(chunk(.result(result())))
        #expect(try stream.encode(chunk(.text("late"))).isEmpty)
        #expect(try stream.encode(chunk(.text("none")), choice: 5).isEmpty)
    }
}
