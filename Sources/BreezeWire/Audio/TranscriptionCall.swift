package import BreezeCore
package import Foundation

/// `POST /v1/audio/transcriptions`: the fields of a form, and a recording.
package struct TranscriptionCall: Sendable {
    package enum Format: Sendable {
        case json, text, srt, vtt, verboseJSON
    }

    package var model: String
    package var request: InferenceRequest
    package var format: Format
    package var streams: Bool
    package var remarks = WireRemarks()

    /// Reads a form: the values of every field but `file`, in order, since `timestamp_granularities[]` repeats; and the
    /// content of `file`, `nil` where the form has none.
    package init(form: [String: [String]], file: Data?) throws {
        let fields = FormFields(form)
        guard let model = try fields.one("model"), !model.isEmpty else {
            throw BreezeError.field(
                .root.member("model"),
                "is missing",
                takes: "a model",
                code: .invalidRequest
            )
        }
        guard let file, !file.isEmpty else {
            throw BreezeError.field(
                .root.member("file"),
                "is missing or empty",
                takes: "a recording",
                code: .invalidRequest
            )
        }
        self.model = model
        request = InferenceRequest(.asr, audioData: file)
        request.modelID = model
        request.configuration.additional["language"] = try fields.one("language").map { .string($0) }
        request.configuration.temperature = try fields.number("temperature")
        format =
            try fields.word(
                "response_format",
                ["json": .json, "text": .text, "srt": .srt, "vtt": .vtt, "verbose_json": .verboseJSON]
            ) ?? .json
        streams =
            try fields.word("stream", ["true": true, "false": false, "True": true, "False": false]) ?? false
        try Self.refuse(fields)
        remarks.notices = try Self.times(fields)
        remarks.ignored = form.keys.filter { !FormFields.known.contains($0) }.sorted()
    }

    /// What would change the answer, and cannot.
    private static func refuse(_ fields: FormFields) throws {
        try fields.refuse("prompt", "is no text that a runner goes on from")
        try fields.refuse("include[]", "asks for what no runner gives")
        try fields.refuse("known_speaker_names[]", "asks who speaks, which no runner tells")
        try fields.refuse("known_speaker_references[]", "asks who speaks, which no runner tells")
    }

    /// Runners tell the times of segments. Who asks for those of words as well gets the segments and a notice; who
    /// asks for words alone would get nothing.
    private static func times(_ fields: FormFields) throws -> [String] {
        for name in ["timestamp_granularities[]", "timestamp_granularities"] {
            let asked = fields.values(of: name)
            guard asked.contains(where: { $0 != "segment" }) else { continue }
            guard asked.contains("segment"), asked.allSatisfy({ $0 == "segment" || $0 == "word" }) else {
                throw BreezeError.unsupported(
                    .root.member(name),
                    "asks for times that no runner gives",
                    remedy: "Use segment."
                )
            }
            return ["\(name): runners tell the times of segments, and not of words."]
        }
        return []
    }

    /// The body of the answer and its type; `duration` are the recording's seconds, where somebody measured them.
    package func answer(
        _ result: InferenceResult,
        duration: Double? = nil
    ) throws -> (bytes: [UInt8], contentType: String) {
        guard case .transcript(let transcript) = result.output else {
            throw BreezeError(.invalidOutput, "The runner \(result.runner) answered with no transcript.")
        }
        switch format {
        case .json:
            let body = JSONWriter.object { writer in
                writer.field("text", transcript.text)
                writer.field("breeze", BreezeAccount([result], remarks))
            }
            return (body, "application/json")
        case .verboseJSON:
            return (verbose(transcript, result, duration), "application/json")
        case .text: return (Array((transcript.text + "\n").utf8), "text/plain; charset=utf-8")
        case .srt:
            return (Array(Subtitles.srt(try segments(of: transcript)).utf8), "text/plain; charset=utf-8")
        case .vtt:
            return (Array(Subtitles.vtt(try segments(of: transcript)).utf8), "text/plain; charset=utf-8")
        }
    }

    private func segments(of transcript: Transcript) throws -> [Transcript.Segment] {
        if let segments = transcript.segments { return segments }
        throw BreezeError.unsupported(
            .root.member("response_format"),
            "needs times, and the runner tells none",
            remedy: "Use json or text."
        )
    }

    private func verbose(_ transcript: Transcript, _ result: InferenceResult, _ duration: Double?) -> [UInt8]
    {
        JSONWriter.object { writer in
            writer.field("task", "transcribe")
            writer.field("language", ifPresent: transcript.language)
            writer.field("duration", ifPresent: duration)
            writer.field("text", transcript.text)
            if let segments = transcript.segments {
                writer.array("segments") { writer in
                    for (index, segment) in segments.enumerated() {
                        writer.object { writer in
                            writer.field("id", index)
                            writer.field("start", segment.start)
                            writer.field("end", segment.end)
                            writer.field("text", segment.text)
                        }
                    }
                }
            }
            writer.field("breeze", BreezeAccount([result], remarks))
        }
    }
}

/// The values of a form; a field that stands there twice, and may not, is an error.
private struct FormFields {
    static let known: Set<String> = [
        "model", "language", "prompt", "temperature", "response_format", "stream", "include[]", "file",
        "timestamp_granularities[]", "timestamp_granularities", "known_speaker_names[]",
        "known_speaker_references[]",
    ]

    private let form: [String: [String]]

    init(_ form: [String: [String]]) {
        self.form = form
    }

    func values(of name: String) -> [String] { form[name] ?? [] }

    func one(_ name: String) throws -> String? {
        let values = values(of: name)
        guard values.count < 2 else {
            throw BreezeError.field(.root.member(name), "stands there twice", takes: "one value")
        }
        return values.first
    }

    func number(_ name: String) throws -> Double? {
        guard let text = try one(name) else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw BreezeError.field(.root.member(name), "is no number", takes: "a number")
        }
        return number
    }

    func word<Word>(_ name: String, _ words: KeyValuePairs<String, Word>) throws -> Word? {
        guard let text = try one(name) else { return nil }
        guard let word = words.first(where: { $0.key == text })?.value else {
            let takes = "one of " + words.map(\.key).joined(separator: ", ")
            throw BreezeError.field(.root.member(name), "is none of its words", takes: takes)
        }
        return word
    }

    func refuse(_ name: String, _ fault: String) throws {
        guard values(of: name).contains(where: { !$0.isEmpty }) else { return }
        throw BreezeError.unsupported(.root.member(name), fault, remedy: "Leave it out.")
    }
}
