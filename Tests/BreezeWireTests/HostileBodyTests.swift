import BreezeCore
import BreezeWire
import Testing

/// Bodies that cannot be taken: each error names the path of the fault, and holds nothing of what a user typed.
@Suite struct HostileBodyTests {
    private static let turn = #""messages":[{"role":"user","content":"hi"}]"#

    /// What replaces or joins the fields of a good chat; where the fault is; and its code.
    @Test(arguments: [
        (#""model":1"#, "model", "invalid_parameter"), (#""model":"""#, "model", "invalid_parameter"),
        (#""messages":"hi""#, "messages", "invalid_parameter"),
        (#""messages":[]"#, "messages", "invalid_parameter"),
        (#""messages":[5]"#, "messages[0]", "invalid_parameter"),
        (#""messages":[{"content":"x"}]"#, "messages[0].role", "invalid_request"),
        (#""messages":[{"role":"king","content":"x"}]"#, "messages[0].role", "invalid_parameter"),
        (#""messages":[{"role":"user"}]"#, "messages[0].content", "invalid_request"),
        (#""messages":[{"role":"user","content":7}]"#, "messages[0].content", "invalid_parameter"),
        (
            #""messages":[{"role":"user","content":[{"type":"text","text":5}]}]"#,
            "messages[0].content[0].text", "invalid_parameter"
        ),
        (
            #""messages":[{"role":"user","content":[{"type":"input_audio","input_audio":{}}]}]"#,
            "messages[0].content[0].type", "unsupported_capability"
        ),
        (
            #""messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x/y"}}]}]"#,
            "messages[0].content[0].image_url.url", "unsupported_capability"
        ),
        (
            #""messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,x"}}]}]"#,
            "messages[0].content[0].image_url.url", "invalid_parameter"
        ),
        (
            #""messages":[{"role":"user","content":[{"type":"image_url","image_url":"data:a;base64,%"}]}]"#,
            "messages[0].content[0].image_url", "invalid_parameter"
        ),
        (#""messages":[{"role":"tool","content":"x"}]"#, "messages[0].tool_call_id", "invalid_request"),
        (
            #""messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}}]}]"#,
            "messages[0].tool_calls[0].function.arguments", "invalid_parameter"
        ),
        (
            #""messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":"[]"}}]}]"#,
            "messages[0].tool_calls[0].function.arguments", "invalid_parameter"
        ),
        (#""temperature":"hot""#, "temperature", "invalid_parameter"),
        (#""top_p":[]"#, "top_p", "invalid_parameter"), (#""seed":1.5"#, "seed", "invalid_parameter"),
        (#""stop":[1]"#, "stop[0]", "invalid_parameter"), (#""stop":[""]"#, "stop[0]", "invalid_parameter"),
        (#""n":0"#, "n", "invalid_parameter"), (#""n":1000"#, "n", "invalid_parameter"),
        (#""max_tokens":"5""#, "max_tokens", "invalid_parameter"),
        (#""max_completion_tokens":0"#, "max_completion_tokens", "invalid_parameter"),
        (#""stream":"yes""#, "stream", "invalid_parameter"),
        (#""stream_options":[]"#, "stream_options", "invalid_parameter"),
        (#""stream_options":{"include_usage":1}"#, "stream_options.include_usage", "invalid_parameter"),
        (#""top_logprobs":3"#, "top_logprobs", "invalid_parameter"),
        (#""logprobs":true,"top_logprobs":21"#, "top_logprobs", "invalid_parameter"),
        (#""tools":{}"#, "tools", "invalid_parameter"),
        (#""tools":[{"type":"web_search"}]"#, "tools[0].type", "unsupported_capability"),
        (#""tools":[{"type":"function"}]"#, "tools[0].function", "invalid_request"),
        (#""tools":[{"function":{"name":""}}]"#, "tools[0].function.name", "invalid_parameter"),
        (
            #""tools":[{"function":{"name":"f","parameters":[]}}]"#, "tools[0].function.parameters",
            "invalid_parameter"
        ),
        (#""tool_choice":"required""#, "tool_choice", "invalid_parameter"),
        (#""tool_choice":"maybe""#, "tool_choice", "invalid_parameter"),
        (
            #""tools":[{"function":{"name":"f"}}],"tool_choice":{"type":"function","function":{"name":"g"}}"#,
            "tool_choice", "invalid_parameter"
        ),
        (#""tool_choice":{"type":"allowed_tools"}"#, "tool_choice.type", "unsupported_capability"),
        (#""response_format":{"type":"xml"}"#, "response_format.type", "invalid_parameter"),
        (#""response_format":{"type":"json_schema"}"#, "response_format.json_schema", "invalid_request"),
        (
            #""response_format":{"type":"json_schema","json_schema":{"schema":[]}}"#,
            "response_format.json_schema.schema", "invalid_parameter"
        ),
        (
            #""response_format":{"type":"json_schema","json_schema":{"schema":{"a":1,"a":2}}}"#,
            "response_format.json_schema.schema", "invalid_parameter"
        ),
        (#""modalities":["text","audio"]"#, "modalities", "unsupported_capability"),
        (#""audio":{"voice":"x"}"#, "audio", "unsupported_capability"),
        (#""prediction":{}"#, "prediction", "unsupported_capability"),
        (#""web_search_options":{}"#, "web_search_options", "unsupported_capability"),
        (#""logit_bias":{"5":1}"#, "logit_bias", "unsupported_capability"),
        (#""functions":[{}]"#, "functions", "unsupported_capability"),
        (#""verbosity":"low""#, "verbosity", "unsupported_capability"),
        (#""reasoning_effort":"very""#, "reasoning_effort", "invalid_parameter"),
        (#""keep_alive":"soon""#, "keep_alive", "invalid_parameter"),
        (#""keep_alive":true"#, "keep_alive", "invalid_parameter"),
        (#""options":{"mirostat":2}"#, "options.mirostat", "unsupported_capability"),
        (#""options":{"num_predict":-3}"#, "options.num_predict", "invalid_parameter"),
        (#""model":"m","model":"n""#, "model", "invalid_request"),
    ])
    func `a fault in a chat is named by its path`(fields: String, path: String, code: String) {
        var parts = [fields]
        if !fields.contains(#""model""#) { parts.append(#""model":"m""#) }
        if !fields.contains(#""messages""#) { parts.append(Self.turn) }
        let body = "{" + parts.joined(separator: ",") + "}"
        let error = failure { _ = try OpenAIChat.parse(bytes(body)) }
        #expect(error?.wireField == path)
        #expect(error?.code.rawValue == code)
        #expect(error?.message.contains(path) == true)
        #expect(error?.remedy?.isEmpty == false)
    }

    @Test(arguments: [
        #""logit_bias":{}"#, #""modalities":["text"]"#, #""functions":[]"#, #""verbosity":"medium""#,
        #""tool_choice":"none""#, #""tool_choice":"auto""#, #""tools":[]"#, #""stop":[]"#, #""n":1.0"#,
        #""prediction":null"#, #""options":{"mirostat":0,"repeat_last_n":64}"#, #""response_format":null"#,
    ])
    func `the same field is no fault where it asks for nothing`(fields: String) throws {
        let call = try OpenAIChat.parse(bytes("{\(fields),\"model\":\"m\",\(Self.turn)}"))
        #expect(call.remarks.ignored.isEmpty)
    }

    @Test(arguments: [
        "", " ", "nul", "[]", "\"x\"", "5", "{", "{\"model\":\"m\",}",
        String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 1_000),
        "{\"model\":\"\u{1}\"}",
    ])
    func `what is no body is an invalid request on every route`(body: String) {
        for route in WireRoute.allCases {
            let error = failure { try route.parse(bytes(body)) }
            #expect(error.map { WireFailure.status(of: $0) } == 400, "\(route)")
        }
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        let error = failure { _ = try OpenAIChat.parse(bytes(#"{"model":""#) + [0xFF] + bytes("\"}")) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `an error holds nothing of what a user typed`() {
        let secret = "my-secret-diagnosis"
        for body in [
            #"{"model":"m","messages":[{"role":"\#(secret)","content":"\#(secret)"}]}"#,
            #"{"model":"m","messages":"\#(secret)"}"#,
            #"{"model":"m","messages":[{"role":"user","content":"\#(secret)}"#,
            #"{"model":"m","messages":[{"role":"user","content":"x"}],"keep_alive":"\#(secret)"}"#,
            #"{"model":"m","messages":[{"role":"user","content":"x"}],"tool_choice":"\#(secret)"}"#,
        ] {
            let error = failure { _ = try OpenAIChat.parse(bytes(body)) }
            #expect(error.map { "\($0)".contains(secret) } == false)
        }
    }

    @Test func `a body of many unknown fields gets a short report`() throws {
        let unknown = (0..<5_000).map { "\"u\($0)\":0" }.joined(separator: ",")
        let call = try OpenAIChat.parse(bytes("{\(unknown),\"model\":\"m\",\(Self.turn)}"))
        #expect(call.remarks.ignored.count == 64)
    }
}
