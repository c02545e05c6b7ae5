import BreezeCore
import BreezeTransport

/// Reads answers of `chat/completions`.
struct ChatReader: AnswerReader {
    private(set) var answer = ReceivedAnswer()

    mutating func read(_ event: JSONValue) throws -> [AnswerPiece] {
        if let failure = APIFailure(reported: event) { throw failure }
        note(event)
        guard let choice = choice(of: event) else { return [] }
        // OpenRouter puts what went wrong with one provider here.
        if let failure = APIFailure(reported: choice) { throw failure }
        var pieces: [AnswerPiece] = []
        if let delta = choice["delta"] ?? choice["message"] { pieces = take(delta) }
        for token in choice["logprobs"]?["content"]?.arrayValue ?? [] {
            if let token = TokenLogprobs(token) { answer.logprobs.append(token) }
        }
        if let reason = choice["finish_reason"]?.stringValue {
            guard reason != "error" else { throw APIFailure() }
            answer.end(reason)
        }
        return pieces
    }

    mutating func readWhole(_ body: JSONValue) throws -> [AnswerPiece] {
        let pieces = try read(body)
        guard choice(of: body)?["message"]?.objectValue != nil else {
            throw BreezeError(
                .invalidResponse,
                "The service's answer holds no message.",
                remedy: "Check that the address is that of an OpenAI-compatible server."
            )
        }
        // In one piece it is whole, whether or not it says why it ended.
        if answer.finish == nil { answer.finish = .stop }
        return pieces
    }

    /// One answer was asked for.
    private func choice(of event: JSONValue) -> JSONValue? {
        event["choices"]?.arrayValue?.first { ($0["index"]?.intValue ?? 0) == 0 }
    }

    private mutating func note(_ event: JSONValue) {
        answer.model = event["model"]?.stringValue ?? answer.model
        answer.provider = event["provider"]?.stringValue ?? answer.provider
        if let usage = event["usage"], usage.objectValue != nil { answer.usage = Usage(usage) }
    }

    private mutating func take(_ delta: JSONValue) -> [AnswerPiece] {
        var pieces: [AnswerPiece] = []
        // OpenRouter's name, then that of vLLM and DeepSeek.
        let reasoning = delta["reasoning"]?.stringValue ?? delta["reasoning_content"]?.stringValue
        if let reasoning, !reasoning.isEmpty { pieces.append(.reasoning(reasoning)) }
        pieces += answer.add(text: text(of: delta["content"]))
        if let refusal = delta["refusal"]?.stringValue { pieces += answer.add(refusal: refusal) }
        for call in delta["tool_calls"]?.arrayValue ?? [] { take(part: call) }
        return pieces
    }

    private func text(of content: JSONValue?) -> String {
        if let text = content?.stringValue { return text }
        return (content?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }.joined()
    }

    /// Parts of one call have the same index. Where a server gives none, a name begins a call; and some give every
    /// call the index 0, so that a new id begins one, too.
    private mutating func take(part: JSONValue) {
        let id = part["id"]?.stringValue ?? ""
        let name = part["function"]?["name"]?.stringValue ?? ""
        let key: String
        if let index = part["index"]?.intValue {
            key = "\(index)"
            if let known = answer.calls.last(where: { $0.key == key })?.id, !known.isEmpty, !id.isEmpty,
                known != id
            {
                answer.begin(call: key)
            }
        } else {
            key = ""
            if !name.isEmpty { answer.begin(call: key) }
        }
        answer.change(call: key) { call in
            if !id.isEmpty { call.id = id }
            let function = part["function"]
            // Some repeat the name with each part.
            if call.name.isEmpty { call.name = name }
            if let arguments = function?["arguments"]?.stringValue { call.arguments += arguments }
            // A few servers answer with an object, as Ollama's own protocol does.
            if let arguments = function?["arguments"], arguments.objectValue != nil {
                call.arguments = (try? arguments.compactText()) ?? ""
            }
        }
    }
}
