/// Streams in the shapes that the services document, written for these tests.
enum Recordings {
    /// OpenRouter's: comments that keep the connection alive, names of model and provider, usage last. The text has
    /// characters of two, three and four bytes.
    static let chat = """
        : OPENROUTER PROCESSING

        data: {"id":"gen-1","provider":"Acme","model":"acme/one","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

        : OPENROUTER PROCESSING

        data: {"id":"gen-1","provider":"Acme","model":"acme/one","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"Hm, größer"},"finish_reason":null}]}

        data: {"id":"gen-1","provider":"Acme","model":"acme/one","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"content":"Grüße, "},"finish_reason":null}]}

        data: {"id":"gen-1","provider":"Acme","model":"acme/one","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"content":"世界 👋"},"finish_reason":null}]}

        data: {"id":"gen-1","provider":"Acme","model":"acme/one","object":"chat.completion.chunk","created":1,"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}]}

        data: {"id":"gen-1","provider":"Acme","model":"acme/one","object":"chat.completion.chunk","created":1,"choices":[],"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18,"prompt_tokens_details":{"cached_tokens":4}}}

        data: [DONE]


        """

    /// OpenAI's: two calls, their arguments in parts that alternate.
    static let calls = """
        data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"get_weather","arguments":""}}]},"finish_reason":null}]}

        data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"get_weather","arguments":""}}]},"finish_reason":null}]}

        data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"ci"}}]},"finish_reason":null}]}

        data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\\"city\\":\\"Lyon\\"}"}}]},"finish_reason":null}]}

        data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"ty\\":\\"Köln\\"}"}}]},"finish_reason":null}]}

        data: {"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

        data: [DONE]


        """

    /// The responses API: named events, reasoning, text and a call; it ends without `[DONE]`.
    static let responses = """
        event: response.created
        data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","object":"response","status":"in_progress","model":"acme/one","output":[],"error":null}}

        event: response.reasoning_summary_text.delta
        data: {"type":"response.reasoning_summary_text.delta","sequence_number":1,"item_id":"rs_1","output_index":0,"summary_index":0,"delta":"Hm, größer"}

        event: response.output_item.added
        data: {"type":"response.output_item.added","sequence_number":2,"output_index":1,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]}}

        event: response.output_text.delta
        data: {"type":"response.output_text.delta","sequence_number":3,"item_id":"msg_1","output_index":1,"content_index":0,"delta":"Grüße, "}

        event: response.output_text.delta
        data: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_1","output_index":1,"content_index":0,"delta":"世界 👋"}

        event: response.output_item.added
        data: {"type":"response.output_item.added","sequence_number":5,"output_index":2,"item":{"id":"fc_1","type":"function_call","status":"in_progress","call_id":"call_a","name":"get_weather","arguments":""}}

        event: response.function_call_arguments.delta
        data: {"type":"response.function_call_arguments.delta","sequence_number":6,"item_id":"fc_1","output_index":2,"delta":"{\\"city\\":"}

        event: response.function_call_arguments.delta
        data: {"type":"response.function_call_arguments.delta","sequence_number":7,"item_id":"fc_1","output_index":2,"delta":"\\"Köln\\"}"}

        event: response.output_item.done
        data: {"type":"response.output_item.done","sequence_number":8,"output_index":2,"item":{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_a","name":"get_weather","arguments":"{\\"city\\":\\"Köln\\"}"}}

        event: response.completed
        data: {"type":"response.completed","sequence_number":9,"response":{"id":"resp_1","object":"response","status":"completed","model":"acme/one-2026","output":[],"error":null,"incomplete_details":null,"usage":{"input_tokens":11,"input_tokens_details":{"cached_tokens":4},"output_tokens":7,"total_tokens":18}}}


        """

    /// A short answer of `chat/completions`, for faults to be put into.
    static func piece(_ text: String, finish: String? = nil) -> String {
        let reason = finish.map { "\"\($0)\"" } ?? "null"
        return
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\(text)\"},\"finish_reason\":\(reason)}]}\n\n"
    }
}
