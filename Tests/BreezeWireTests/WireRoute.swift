import BreezeWire

/// Every route that takes a JSON body, with a good one.
enum WireRoute: CaseIterable {
    case chat, completions, embeddings, responses, moderations, rerank, tokenize, detokenize, speech
    case ollamaChat, generate, embed, olderEmbeddings, show, pull, delete, copy

    var body: String {
        switch self {
        case .chat:
            """
            {"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text",
            "text":"é😀"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]},
            {"role":"assistant","tool_calls":[{"id":"t","type":"function","function":{"name":"f",
            "arguments":"{\\"a\\":[1]}"}}]},{"role":"tool","tool_call_id":"t","content":"1"}],
            "tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}],
            "tool_choice":"auto","temperature":0.5,"n":2,"stop":["x"],"stream":true,"keep_alive":"5m",
            "response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}},
            "stream_options":{"include_usage":true},"logprobs":true,"top_logprobs":1,"options":{"num_ctx":1}}
            """
        case .completions: #"{"model":"m","prompt":["a","b"],"max_tokens":3,"logprobs":2,"n":2,"stop":"x"}"#
        case .embeddings: #"{"model":"m","input":[[1,2],[3]],"encoding_format":"base64","dimensions":2}"#
        case .responses:
            """
            {"model":"m","instructions":"i","previous_response_id":"p","input":[{"role":"user","content":[
            {"type":"input_text","text":"x"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]},
            {"type":"function_call","call_id":"c","name":"f","arguments":"{}"},
            {"type":"function_call_output","call_id":"c","output":"1"},{"type":"reasoning","summary":[]}],
            "tools":[{"type":"function","name":"f","parameters":{}}],"tool_choice":{"type":"function","name":"f"},
            "text":{"format":{"type":"json_object"}},"reasoning":{"effort":"none"},"max_output_tokens":5}
            """
        case .moderations: #"{"model":"omni","input":[{"type":"text","text":"x"}]}"#
        case .rerank:
            #"{"model":"m","query":"q","documents":["a",{"text":"b"}],"top_n":1,"return_documents":true}"#
        case .tokenize: #"{"model":"m","content":"x","add_special":true,"with_pieces":true}"#
        case .detokenize: #"{"model":"m","tokens":[1,2]}"#
        case .speech: #"{"model":"m","input":"x","voice":{"id":"v"},"speed":1.5,"response_format":"wav"}"#
        case .ollamaChat:
            """
            {"model":"m","messages":[{"role":"user","content":"x","images":["AAAA"]},{"role":"assistant",
            "tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},{"role":"tool","tool_name":"f",
            "content":"1"}],"tools":[{"type":"function","function":{"name":"f"}}],"format":{"type":"object"},
            "options":{"temperature":0,"stop":["x"],"num_predict":-2},"keep_alive":-1,"think":"high"}
            """
        case .generate: #"{"model":"m","prompt":"x","system":"s","format":"json","options":{"seed":-1}}"#
        case .embed: #"{"model":"m","input":["a"],"truncate":false,"dimensions":1}"#
        case .olderEmbeddings: #"{"model":"m","prompt":"a","keep_alive":0}"#
        case .show: #"{"model":"m","verbose":true}"#
        case .pull: #"{"name":"m","insecure":false,"stream":false}"#
        case .delete: #"{"model":"m"}"#
        case .copy: #"{"source":"m","destination":"n"}"#
        }
    }

    func parse(_ body: [UInt8]) throws {
        switch self {
        case .chat: _ = try OpenAIChat.parse(body)
        case .completions: _ = try OpenAICompletions.parse(body)
        case .embeddings: _ = try OpenAIEmbeddings.parse(body)
        case .responses: _ = try ResponsesCall(parsing: body)
        case .moderations: _ = try ModerationCall(parsing: body)
        case .rerank: _ = try RerankCall(parsing: body)
        case .tokenize: _ = try TokenizeCall(parsing: body)
        case .detokenize: _ = try DetokenizeCall(parsing: body)
        case .speech: _ = try SpeechCall(parsing: body)
        case .ollamaChat: _ = try Ollama.parseChat(body)
        case .generate: _ = try Ollama.parseGenerate(body)
        case .embed: _ = try OllamaEmbeddings.parse(body)
        case .olderEmbeddings: _ = try OllamaEmbeddings.parseOlder(body)
        case .show: _ = try OllamaModelCall(.show, parsing: body)
        case .pull: _ = try OllamaModelCall(.pull, parsing: body)
        case .delete: _ = try OllamaModelCall(.delete, parsing: body)
        case .copy: _ = try OllamaCopyCall(parsing: body)
        }
    }
}
