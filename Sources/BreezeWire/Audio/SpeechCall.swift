package import BreezeCore
package import Foundation

/// `POST /v1/audio/speech`
package struct SpeechCall: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        case mp3, opus, aac, flac, wav, pcm

        /// Of the answer.
        package var contentType: String {
            switch self {
            case .mp3: "audio/mpeg"
            case .opus: "audio/ogg"
            case .aac: "audio/aac"
            case .flac: "audio/flac"
            case .wav: "audio/wav"
            case .pcm: "audio/pcm"
            }
        }
    }

    package var model: String
    package var request: InferenceRequest
    /// `nil` takes what the runner makes: OpenAI's default, mp3, is what few runners can.
    package var format: Format?
    /// The recording comes as events, base64 in each.
    package var sendsEvents: Bool
    package var remarks = WireRemarks()

    package init(parsing body: [UInt8]) throws {
        (self, remarks) = try WireBody.read(body) { try Self(&$0) }
    }

    private init(_ fields: inout WireFields) throws {
        model = try fields.requiredString("model")
        request = InferenceRequest(.tts, prompt: try fields.requiredString("input"))
        request.modelID = model
        request.configuration.additional["voice"] = try Self.voice(&fields).map { .string($0) }
        if let speed = try fields.number("speed") {
            guard (0.25...4).contains(speed) else {
                let takes = "a number from 0.25 to 4"
                throw BreezeError.field(fields.path.member("speed"), "is out of its range", takes: takes)
            }
            request.configuration.additional["speed"] = .number(speed)
        }
        request.configuration.keepAlive = try fields.keepAlive()
        try fields.refuse("instructions", "tells how to speak, which no runner heeds", unless: \.isEmpty)
        format = try fields.word(
            "response_format",
            ["mp3": .mp3, "opus": .opus, "aac": .aac, "flac": .flac, "wav": .wav, "pcm": .pcm]
        )
        sendsEvents = try fields.word("stream_format", ["audio": false, "sse": true]) ?? false
    }

    private static func voice(_ fields: inout WireFields) throws -> String? {
        guard let value = fields.raw("voice") else { return nil }
        if let name = value.string { return name }
        guard value.members != nil else { throw fields.wrong("voice", value, takes: "a voice's name") }
        return try fields.read(value, at: fields.path.member("voice")) { try $0.requiredString("id") }
    }

    /// The recording and its type.
    /// - Throws: ``BreezeError`` naming `response_format` where the runner made another form than asked for.
    package func audio(of result: InferenceResult) throws -> (data: Data, contentType: String) {
        guard case .audio(let clip) = result.output else {
            throw BreezeError(.invalidOutput, "The runner \(result.runner) answered with no recording.")
        }
        guard let format else { return (clip.data, clip.mediaType) }
        if Self.isSame(clip.mediaType, format) { return (clip.data, format.contentType) }
        throw BreezeError.unsupported(
            .root.member("response_format"),
            "is a form that \(result.runner) does not make",
            remedy: "Leave it out, to get \(clip.mediaType)."
        )
    }

    private static func isSame(_ mediaType: String, _ format: Format) -> Bool {
        let names = ["audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/mp3": "audio/mpeg"]
        return names[mediaType] ?? mediaType == format.contentType
    }

    /// One part of the recording, where ``sendsEvents``.
    package static func event(_ audio: Data) -> [UInt8] {
        EventStream.event(
            JSONWriter.object { writer in
                writer.field("type", "speech.audio.delta")
                writer.field("audio", audio.base64EncodedString())
            }
        )
    }

    /// The end of the recording.
    package func ending(_ result: InferenceResult) -> [UInt8] {
        EventStream.event(
            JSONWriter.object { writer in
                writer.field("type", "speech.audio.done")
                writer.object("usage") { writer in
                    writer.field("input_tokens", result.usage.inputTokens)
                    writer.field("output_tokens", result.usage.outputTokens)
                    writer.field("total_tokens", result.usage.inputTokens + result.usage.outputTokens)
                }
                writer.field("breeze", BreezeAccount([result], remarks))
            }
        )
    }
}
