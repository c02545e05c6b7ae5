package import BreezeCore

/// `POST /v1/moderations`: what a guardian says of texts. The categories are the guardian's own; OpenAI's are not
/// among them where nobody judged by them, since a `false` would be made up.
package struct ModerationCall: Sendable {
    /// What the client named, or nothing: the guardian has one model.
    package var model: String?
    /// One a text.
    package var requests: [InferenceRequest]
    package var remarks = WireRemarks()

    package init(parsing body: [UInt8]) throws {
        (self, remarks) = try WireBody.read(body) { try Self(&$0) }
    }

    private init(_ fields: inout WireFields) throws {
        // Clients name a model of OpenAI's by default, so that it binds nothing here.
        model = try fields.string("model")
        let texts = try Self.texts(&fields)
        requests = texts.map { InferenceRequest(.guardian, prompt: $0) }
    }

    package mutating func apply(_ hints: WireHints) {
        for index in requests.indices { requests[index].apply(hints) }
    }

    /// Each is a request of its own.
    private static let most = 128

    /// Strings are judged one by one; parts of one content together.
    private static func texts(_ fields: inout WireFields) throws -> [String] {
        let takes = "a string, a list of strings, or a list of parts"
        let place = fields.path.member("input")
        guard let value = fields.raw("input") else { throw fields.missing("input", takes: takes) }
        if let text = value.string { return [try checked(text, at: place)] }
        guard let elements = value.array else { throw fields.wrong("input", value, takes: takes) }
        guard let first = elements.first else { throw BreezeError.field(place, "is empty", takes: takes) }
        guard elements.count <= most else {
            throw BreezeError.field(place, "has \(elements.count) elements", takes: "at most \(most)")
        }
        guard first.members != nil else {
            return try elements.enumerated().map { index, element in
                guard let text = element.string else {
                    throw BreezeError.field(place.element(index), "is \(element.kindName)", takes: "a string")
                }
                return try checked(text, at: place.element(index))
            }
        }
        let parts = try elements.enumerated().map { index, element in
            try fields.read(element, at: place.element(index)) { part in
                try part.refuse("image_url", "is a picture, and no guardian here looks at one")
                part.accept("type")
                return try part.requiredString("text")
            }
        }
        return [parts.joined(separator: "\n")]
    }

    private static func checked(_ text: String, at place: WirePath) throws -> String {
        guard !text.isEmpty else {
            throw BreezeError.field(place, "is empty", takes: "a text that is not empty")
        }
        return text
    }

    /// The answer; `results` are one a request, in that order.
    package func answer(_ results: [InferenceResult]) throws -> [UInt8] {
        let verdicts = try results.map { result in
            guard case .verdict(let verdict) = result.output else {
                throw BreezeError(.invalidOutput, "The runner \(result.runner) answered with no verdict.")
            }
            return verdict
        }
        return JSONWriter.object { writer in
            writer.field("id", "modr-\(requests.first?.id ?? "")")
            writer.field("model", results.first.map { $0.model ?? $0.runner } ?? "")
            writer.array("results") { writer in
                for verdict in verdicts { writer.object { Self.members(of: verdict, to: &$0) } }
            }
            writer.field("breeze", BreezeAccount(results, remarks))
        }
    }

    private static func members(of verdict: GuardianVerdict, to writer: inout JSONWriter) {
        var scores: [String: Double] = [:]
        for finding in verdict.findings {
            scores[finding.category] = max(scores[finding.category] ?? 0, finding.risk)
        }
        let categories = scores.sorted { $0.key < $1.key }
        writer.field("flagged", verdict.action > .pass)
        writer.object("categories") { writer in
            for (category, _) in categories {
                writer.key(escaping: category)
                writer.value(true)
            }
        }
        writer.object("category_scores") { writer in
            for (category, score) in categories {
                writer.key(escaping: category)
                writer.value(score)
            }
        }
        writer.object("category_applied_input_types") { writer in
            for (category, _) in categories {
                writer.key(escaping: category)
                writer.value(["text"])
            }
        }
    }
}
