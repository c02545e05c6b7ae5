import BreezeCore
import BreezeWire
import Foundation
import Testing

/// `POST /v1/responses`
@Suite struct ResponsesTests {
    private static func call(_ more: String = "") throws -> ResponsesCall {
        var call = try ResponsesCall(parsing: bytes(#"{"model":"m","input":"hi"\#(more)}"#))
        call.generation.requests[0].id = "c1"
        return call
    }

    @Test func `a text is one turn, behind the instructions`() throws {
        let call = try Self.call(#","instructions":"be brief","max_output_tokens":5,"temperature":0"#)
        let request = call.request()
        #expect(request.messages == [ChatMessage(.system, "be brief"), ChatMessage(.user, "hi")])
        #expect(request.configuration == InferenceConfig(temperature: 0, maxTokens: 5))
        #expect(call.stores)
        #expect(!call.streams)
    }

    @Test func `items become turns, and calls in a row one turn`() throws {
        let body = """
            {"model":"m","input":[
              {"type":"message","role":"user","content":[{"type":"input_text","text":"a"},
                {"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"auto"}]},
              {"type":"reasoning","id":"rs","summary":[]},
              {"role":"assistant","id":"x","status":"completed","content":[{"type":"output_text","text":"wait",
                "annotations":[]}]},
              {"type":"function_call","id":"fc","call_id":"t1","name":"add","arguments":"{\\"a\\":1}"},
              {"type":"function_call","call_id":"t2","name":"now","arguments":"{}"},
              {"type":"function_call_output","call_id":"t1","output":"2"},
              {"type":"function_call_output","call_id":"t2","output":[{"type":"input_text","text":"noon"}]}],
             "store":false,"previous_response_id":"resp_0","tools":[{"type":"function","name":"add",
              "parameters":{"type":"object"},"strict":true}],"tool_choice":"required",
             "text":{"format":{"type":"json_schema","name":"n","schema":{"type":"object"}}}}
            """
        let call = try ResponsesCall(parsing: bytes(body))
        let now = ToolCall(id: "t2", name: "now", arguments: [:])
        #expect(
            call.turns == [
                ChatMessage(.user, "a", images: [Data([0, 0, 0])]),
                ChatMessage(.assistant, "wait", toolCalls: [addCall, now]),
                ChatMessage(.tool, "2", toolCallID: "t1"), ChatMessage(.tool, "noon", toolCallID: "t2"),
            ]
        )
        #expect((call.stores, call.previousResponseID) == (false, "resp_0"))
        #expect(call.request().capability == .vlm)
        let config = call.request().configuration
        #expect(config.guidedOutput == ["type": "object"])
        #expect(config.tools?.map(\.name) == ["add"])
        #expect(config.toolChoice == .required)
        #expect(call.generation.remarks.ignored.isEmpty)
    }

    @Test func `an earlier conversation comes first, without its instructions`() throws {
        let call = try Self.call(#","instructions":"new""#)
        let earlier = [ChatMessage(.user, "a"), ChatMessage(.assistant, "b")]
        #expect(call.request(after: earlier).messages?.map(\.content) == ["new", "a", "b", "hi"])
        #expect(call.conversation(after: earlier, result()).map(\.content) == ["a", "b", "hi", "Hello"])
    }

    @Test(arguments: [
        (#""input":5"#, "input", "invalid_parameter"), (#""input":[]"#, "input", "invalid_parameter"),
        (#""input":[{"type":"web_search_call"}]"#, "input[0].type", "unsupported_capability"),
        (#""input":[{"type":"item_reference","id":"x"}]"#, "input[0].type", "unsupported_capability"),
        (
            #""input":[{"role":"user","content":[{"type":"input_file"}]}]"#, "input[0].content[0].type",
            "unsupported_capability"
        ),
        (
            #""input":[{"role":"user","content":[{"type":"input_image","file_id":"f"}]}]"#,
            "input[0].content[0].file_id", "unsupported_capability"
        ),
        (#""input":[{"type":"function_call_output","call_id":"c"}]"#, "input[0].output", "invalid_request"),
        (#""tools":[{"type":"file_search"}]"#, "tools[0].type", "unsupported_capability"),
        (#""conversation":"c""#, "conversation", "unsupported_capability"),
        (#""prompt":{"id":"p"}"#, "prompt", "unsupported_capability"),
        (#""background":true"#, "background", "unsupported_capability"),
        (#""truncation":"auto""#, "truncation", "unsupported_capability"),
        (#""text":{"verbosity":"low"}"#, "text.verbosity", "unsupported_capability"),
        (#""text":{"format":{"type":"json_schema"}}"#, "text.format.schema", "invalid_request"),
        (#""reasoning":{"effort":5}"#, "reasoning.effort", "invalid_parameter"),
    ])
    func `a fault is named by its path`(fields: String, path: String, code: String) {
        let input = fields.contains(#""input":"#) ? "" : #","input":"hi""#
        let error = failure { _ = try ResponsesCall(parsing: bytes("{\"model\":\"m\",\(fields)\(input)}")) }
        #expect(error?.wireField == path)
        #expect(error?.code.rawValue == code)
    }

    private static func object(_ status: String, _ output: String, _ rest: String) -> String {
        """
        {"id":"resp_c1","object":"response","created_at":1769860800,"status":"\(status)","model":"m",
         "error":null,"output":\(output),"instructions":null,"previous_response_id":null,
         "max_output_tokens":null,"temperature":null,"top_p":null,"parallel_tool_calls":true,
         "tool_choice":"auto","tools":[],"text":{"format":{"type":"text"}},"truncation":"disabled",
         "store":true,"metadata":{},\(rest)}
        """
    }

    private static func message(_ text: String) -> String {
        """
        {"type":"message","id":"msg_c1-0","role":"assistant","status":"completed","content":[
         {"type":"output_text","text":"\(text)","annotations":[],"logprobs":[]}]}
        """
    }

    private static let usage = """
        "incomplete_details":null,"usage":{"input_tokens":3,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},
        "output_tokens":2,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":5}
        """

    @Test func `a text is a response of one message`() throws {
        let body = try json(Self.call().answer(result(), created: noon))
        let expected = Self.object("completed", "[\(Self.message("Hello"))]", Self.usage)
        #expect(try body.withoutBreeze == json(expected))
        #expect(body["breeze", "request_id"] == "r1")
    }

    @Test func `an answer that was cut short says so`() throws {
        let body = try json(Self.call().answer(result(finish: .length), created: noon))
        #expect(body["status"] == "incomplete")
        #expect(body["incomplete_details"] == ["reason": "max_output_tokens"])
    }

    @Test func `thinking and calls are items of their own`() throws {
        let answer = result("", calls: [addCall], finish: .toolCalls)
        let body = try json(Self.call().answer(answer, reasoning: "hm", created: noon))
        let expected = """
            [{"type":"reasoning","id":"rs_c1-0","summary":[],"status":"completed",
              "content":[{"type":"reasoning_text","text":"hm"}]},
             {"type":"function_call","id":"fc_c1-1","call_id":"t1","name":"add","arguments":"{\\"a\\":1}",
              "status":"completed"}]
            """
        #expect(try body["output"] == json(expected))
        #expect(body["usage", "output_tokens_details"] == nil, "nobody counted the thinking")
    }

    @Test func `a streamed text opens, grows and closes its item`() throws {
        var stream = ResponsesStream(try Self.call(), created: noon)
        var out = try stream.encode(chunk(.text("Hel")))
        out += try stream.encode(chunk(.text("lo")))
        out += try stream.encode(chunk(.result(result()))) + stream.finish()
        let read = try events(out)
        #expect(read.map { $0["sequence_number"] } == (0..<10).map { .integer($0) })
        let place = #""item_id":"msg_c1-0","output_index":0,"content_index":0"#
        let begun = Self.object("in_progress", "[]", #""incomplete_details":null,"usage":null"#)
        let part = #"{"type":"output_text","text":"Hello","annotations":[],"logprobs":[]}"#
        let expected = """
            [{"type":"response.created","sequence_number":0,"response":\(begun)},
             {"type":"response.in_progress","sequence_number":1,"response":\(begun)},
             {"type":"response.output_item.added","sequence_number":2,"output_index":0,"item":
               {"type":"message","id":"msg_c1-0","role":"assistant","status":"in_progress","content":[]}},
             {"type":"response.content_part.added","sequence_number":3,\(place),
              "part":{"type":"output_text","text":"","annotations":[],"logprobs":[]}},
             {"type":"response.output_text.delta","sequence_number":4,\(place),"delta":"Hel","logprobs":[]},
             {"type":"response.output_text.delta","sequence_number":5,\(place),"delta":"lo","logprobs":[]},
             {"type":"response.output_text.done","sequence_number":6,\(place),"text":"Hello","logprobs":[]},
             {"type":"response.content_part.done","sequence_number":7,\(place),"part":\(part)},
             {"type":"response.output_item.done","sequence_number":8,"output_index":0,
              "item":\(Self.message("Hello"))},
             {"type":"response.completed","sequence_number":9,
              "response":\(Self.object("completed", "[\(Self.message("Hello"))]", Self.usage))}]
            """
        #expect(try .array(read.map(\.withoutBreeze)) == json(expected))
        let names = String(decoding: out, as: UTF8.self).components(separatedBy: "\n").filter {
            $0.hasPrefix("event: ")
        }
        #expect(names.map { JSONValue.string(String($0.dropFirst(7))) } == read.map { $0["type"] })
    }

    @Test func `thinking, text and a call follow one another as items`() throws {
        var stream = ResponsesStream(try Self.call(), created: noon)
        var out = try stream.encode(chunk(.reasoning("hm")))
        out += try stream.encode(chunk(.text("ok")))
        out += try stream.encode(chunk(.toolCall(addCall)))
        out += try stream.encode(chunk(.result(result("ok", calls: [addCall], finish: .toolCalls))))
        let read = try events(out)
        #expect(
            read.compactMap { $0["type"]?.stringValue?.dropFirst(9) } == [
                "created", "in_progress", "output_item.added", "content_part.added", "reasoning_text.delta",
                "reasoning_text.done", "content_part.done", "output_item.done", "output_item.added",
                "content_part.added", "output_text.delta", "output_text.done", "content_part.done",
                "output_item.done", "output_item.added", "function_call_arguments.delta",
                "function_call_arguments.done", "output_item.done", "completed",
            ]
        )
        #expect(read[14]["item", "arguments"] == "")
        #expect(read[15]["delta"] == #"{"a":1}"#)
        let items = read.last?["response", "output"]?.arrayValue
        #expect(items?.map { $0["type"] } == ["reasoning", "message", "function_call"])
        #expect(items?.map { $0["id"] } == ["rs_c1-0", "msg_c1-1", "fc_c1-2"])
    }

    @Test func `what breaks off says that it failed, and then raises`() throws {
        var stream = ResponsesStream(try Self.call(), created: noon)
        var out = try stream.encode(chunk(.text("Hel")))
        out += stream.fail(BreezeError(.runFailed, "It broke.", remedy: "Try again."))
        let read = try events(out).suffix(2)
        #expect(read.map { $0["type"] } == ["response.failed", "error"])
        #expect(read.first?["response", "status"] == "failed")
        #expect(read.first?["response", "error", "code"] == "server_error")
        #expect(read.last?["error", "message"] == "It broke.")
        #expect(read.last?["code"] == "run_failed")
        #expect(stream.fail(BreezeError(.runFailed, "Again.")).isEmpty)
    }
}
