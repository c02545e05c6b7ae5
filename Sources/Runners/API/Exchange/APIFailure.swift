public import BreezeCore
import BreezeTransport
import Foundation

/// What goes wrong at a service, beyond what Breeze itself knows.
extension BreezeError.Code {
    /// The account, or the key's own limit, is used up. Waiting mends nothing.
    public static let creditExhausted = Self(rawValue: "credit_exhausted")
    /// The service takes no more requests now; ``BreezeError/retryAfter`` says until when, where it says so itself.
    public static let tooManyRequests = Self(rawValue: "rate_limited")
    /// The service, or its provider, will not work on this input.
    public static let contentRefused = Self(rawValue: "content_refused")
}

/// A failure as a service reports it: with a status, or in the middle of a stream.
struct APIFailure: Error {
    var status: Int?
    var code: String?
    var type: String?
    /// In the service's words, which may repeat the prompt or the key: see ``ServerWords``.
    var message: String?
    var limits: (limit: Int, asked: Int)?
    var retryAfter: Duration?
    var isModerated = false
    /// The body is none of a service of this kind.
    var isForeign = false
    /// The service asks not to be asked again.
    var forbidsRetry = false

    /// OpenAI's words for it, in a stream that has no status.
    private static let statusByWord = [
        "rate_limit_exceeded": 429, "rate_limit_error": 429, "invalid_api_key": 401,
        "authentication_error": 401, "permission_error": 403, "invalid_request_error": 400,
        "model_not_found": 404,
    ]

    init() {}

    /// `nil` where `body` reports none. The shapes are those of OpenAI and OpenRouter (`error` with a message and a
    /// code, a number or a word), of vLLM (the same without `error` around it), of Ollama (a text alone), and the
    /// responses API's `error` event.
    init?(reported body: JSONValue) {
        var fields: JSONValue
        switch body["error"] {
        case .object(let error): fields = .object(error)
        case .string(let text): fields = ["message": .string(text)]
        default:
            guard body["object"]?.stringValue == "error" || body["type"]?.stringValue == "error" else {
                return nil
            }
            fields = body
            if fields["type"]?.stringValue == "error", case .object(var members) = fields {
                members["type"] = nil
                fields = .object(members)
            }
        }
        message = fields["message"]?.stringValue
        type = fields["type"]?.stringValue
        code = fields["code"]?.stringValue
        status =
            fields["code"]?.intValue ?? code.flatMap { Int($0) ?? Self.statusByWord[$0] }
            ?? type.flatMap { Self.statusByWord[$0] }
        let metadata = fields["metadata"]
        isModerated = metadata?["reasons"] != nil || metadata?["flagged_input"] != nil
        if let limit = fields["n_ctx"]?.intValue, let asked = fields["n_prompt_tokens"]?.intValue {
            limits = (limit, asked)
        }
    }

    private var words: String {
        [code, type, message].compactMap(\.self).joined(separator: " ").lowercased()
    }

    var isOutOfCredit: Bool {
        status == 402 || ["insufficient_quota", "billing_hard_limit_reached"].contains(code ?? type ?? "")
    }

    private var isContextExceeded: Bool {
        guard status.map({ [400, 413, 422, 500].contains($0) }) ?? true else { return false }
        return [
            "context_length_exceeded", "exceed_context_size", "maximum context length", "context window",
            "context length", "context size",
        ].contains { words.contains($0) }
    }

    private var isUnknownModel: Bool {
        status == 404 || words.contains("model_not_found") || words.contains("not a valid model")
    }

    private var isRefused: Bool {
        isModerated
            || ["content_filter", "content_policy_violation", "moderation"].contains { words.contains($0) }
    }

    /// In words of ours; `said` are those of the service that may be shown.
    func error(_ service: APIService, _ model: APIModel, said: String?) -> BreezeError {
        let name = service.title
        let quote = said.map { " It says: \($0)" } ?? ""
        if status == 401 { return .keyRefused(service) }
        if isOutOfCredit {
            return BreezeError(
                .creditExhausted,
                "The credit of the \(name) account or key is used up.",
                remedy: "Add credit, or raise the key's limit, with \(name)."
            )
        }
        if isContextExceeded { return contextExceeded(model) }
        if isRefused {
            return BreezeError(
                .contentRefused,
                "\(name) will not work on this input.",
                remedy: "Change the input."
            )
        }
        if status == 404, isForeign {
            return BreezeError(
                .invalidResponse,
                "There is no OpenAI-compatible server at \(service.baseURL.withoutSecrets).",
                remedy: "Check baseURL in its configuration; most end with /v1."
            )
        }
        if isUnknownModel {
            return BreezeError(
                .unknownModel,
                "\(name) does not offer the model \(model.id) as it was asked for.\(quote)",
                remedy: "Check the model's name, and what the configuration asks of providers."
            )
        }
        switch status {
        case 403:
            return .authRequired(
                service: service.keyName ?? service.name,
                "\(name) does not allow this key to use \(model.id).\(quote)",
                remedy: "Give it a key that may: breeze secrets set \(service.keyName ?? service.name)"
            )
        case 408, 504, 524:
            return BreezeError(.timeout, "\(name) took too long to answer.", remedy: "Try again.")
        case 429:
            return BreezeError(
                .tooManyRequests,
                "\(name) takes no more requests for now.",
                remedy: "Try again later.",
                retryAfter: retryAfter
            )
        case let status? where (400..<500).contains(status):
            return BreezeError(
                .invalidRequest,
                "\(name) refused the request with status \(status).\(quote)",
                remedy: "Check the request's parameters, and what the service is configured to take."
            )
        default:
            return .resourceUnavailable(
                "\(name) failed to answer\(status.map { " with status \($0)" } ?? "").\(quote)",
                remedy: "Try again later.",
                retryAfter: retryAfter
            )
        }
    }

    /// With the counts where the service gives them, in fields or in OpenAI's sentence.
    private func contextExceeded(_ model: APIModel) -> BreezeError {
        if let limits { return .contextSizeExceeded(limit: limits.limit, asked: limits.asked) }
        let sentence = #/maximum context length is (\d+) tokens\D+(\d+) tokens/#
        if let match = message?.firstMatch(of: sentence), let limit = Int(match.1), let asked = Int(match.2) {
            return .contextSizeExceeded(limit: limit, asked: asked)
        }
        return BreezeError(
            .contextSizeExceeded,
            "The input is longer than the context of \(model.id)"
                + (model.contextLength.map { ", which is \($0) tokens." } ?? "."),
            remedy: "Shorten the input, or ask for fewer tokens (maxTokens)."
        )
    }
}
