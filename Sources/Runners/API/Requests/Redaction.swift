import BreezeCore
import BreezeGuardianRunner

/// What is taken out of a request before it leaves the device.
///
/// In an engine the guardian does this for every network runner, by the owner's policy, and reports it: a runner
/// there needs none. In an app without an engine nobody else does.
public struct Redaction: Sendable {
    let replace: @Sendable (String) async throws -> String

    /// `replace` is given each text of a request and returns it without what must not leave; what it throws ends the
    /// request, before anything is sent.
    public init(_ replace: @escaping @Sendable (String) async throws -> String) {
        self.replace = replace
    }

    /// Takes out what the guardian's rules know: e-mail addresses, telephone and card numbers, accounts, national
    /// numbers, keys. In their place stands the kind, as the engine writes it: `[removed: personal-data.iban]`.
    public static let personalData = Redaction { text in
        var result = ""
        var end = 0
        let bytes = Array(text.utf8)
        let spans = rules.findings(in: text, options: options).compactMap { finding in
            finding.span.map { (range: $0, category: finding.category) }
        }
        for (range, category) in spans.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            // One that begins within another is gone already, or in part.
            guard range.upperBound > end else { continue }
            if range.lowerBound >= end {
                result += String(decoding: bytes[end..<range.lowerBound], as: UTF8.self)
                result += "[removed: \(category)]"
            }
            end = range.upperBound
        }
        return result + String(decoding: bytes[end...], as: UTF8.self)
    }

    private static let rules = GuardianRules()
    private static let options = GuardianRules.Options(categories: [GuardianRules.Category.personalData])
}

extension InferenceRequest {
    /// Without what `redaction` takes out, and what the caller should know of it.
    func redacted(by redaction: Redaction) async throws -> (request: InferenceRequest, notices: [String]) {
        var request = self
        var changed = 0
        func clean(_ text: String) async throws -> String {
            guard !text.isEmpty else { return text }
            let cleaned = try await redaction.replace(text)
            if cleaned != text { changed += 1 }
            return cleaned
        }
        if let prompt { request.prompt = try await clean(prompt) }
        for index in (messages ?? []).indices {
            guard var turn = request.messages?[index] else { break }
            turn.content = try await clean(turn.content)
            for call in (turn.toolCalls ?? []).indices {
                guard let arguments = turn.toolCalls?[call].arguments else { break }
                turn.toolCalls?[call].arguments = try await arguments.mapStrings(clean)
            }
            request.messages?[index] = turn
        }
        for index in (inputs ?? []).indices {
            if let text = inputs?[index] { request.inputs?[index] = try await clean(text) }
        }
        for index in (configuration.tools ?? []).indices {
            guard let text = configuration.tools?[index].description else { break }
            request.configuration.tools?[index].description = try await clean(text)
        }
        return (request, notices(changed))
    }

    private func notices(_ changed: Int) -> [String] {
        var notices: [String] = []
        if changed > 0 {
            let texts = changed == 1 ? "one text" : "\(changed) texts"
            notices.append("Personal data was taken out of \(texts) before the request left the device.")
        }
        if imageData != nil || messages?.contains(where: { $0.images?.isEmpty == false }) == true {
            notices.append("Personal data was looked for in text alone: images went as they are.")
        }
        return notices
    }

    /// Every text that goes to the service.
    var sentTexts: [String] {
        texts + conversation.map(\.content)
    }
}

extension JSONValue {
    fileprivate func mapStrings(_ change: (String) async throws -> String) async throws -> JSONValue {
        switch self {
        case .string(let text): return .string(try await change(text))
        case .array(let values):
            var changed: [JSONValue] = []
            for value in values { changed.append(try await value.mapStrings(change)) }
            return .array(changed)
        case .object(let members):
            var changed: [String: JSONValue] = [:]
            for (name, value) in members { changed[name] = try await value.mapStrings(change) }
            return .object(changed)
        case .null, .bool, .integer, .number: return self
        }
    }
}
