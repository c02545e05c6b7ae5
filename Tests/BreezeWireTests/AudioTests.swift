import BreezeCore
import BreezeWire
import Foundation
import Testing

/// `/v1/audio/speech` and `/v1/audio/transcriptions`.
@Suite struct AudioTests {
    private static func speech(_ more: String = "") throws -> SpeechCall {
        try SpeechCall(parsing: bytes(#"{"model":"m","input":"hi"\#(more)}"#))
    }

    private static func recording(_ type: String) -> InferenceResult {
        var answer = result()
        answer.output = .audio(
            AudioClip(data: Data([1, 2]), mediaType: type, sampleRate: 24_000, duration: 1)
        )
        return answer
    }

    @Test func `a text is spoken in a voice and at a speed`() throws {
        let call = try Self.speech(#","voice":"alloy","speed":2,"instructions":"","stream_format":"sse""#)
        #expect((call.request.capability, call.request.prompt) == (.tts, "hi"))
        #expect(call.request.configuration.additional == ["voice": "alloy", "speed": 2.0])
        #expect(call.sendsEvents && call.format == nil)
    }

    @Test(arguments: [
        (#","speed":5"#, "speed"), (#","voice":1"#, "voice"), (#","instructions":"x""#, "instructions"),
        (#","response_format":"midi""#, "response_format"), (#","input":"a""#, "input"),
    ])
    func `a fault of a speech is named`(more: String, path: String) {
        #expect(failure { _ = try Self.speech(more) }?.wireField == path)
    }

    @Test func `a recording goes out as it is, or not at all`() throws {
        let any = try Self.speech().audio(of: Self.recording("audio/wav"))
        #expect((any.data, any.contentType) == (Data([1, 2]), "audio/wav"))
        let wav = try Self.speech(#","response_format":"wav""#).audio(of: Self.recording("audio/x-wav"))
        #expect(wav.contentType == "audio/wav")
        let error = failure {
            _ = try Self.speech(#","response_format":"mp3""#).audio(of: Self.recording("audio/wav"))
        }
        #expect(error?.code.rawValue == "unsupported_capability")
        #expect(error?.wireField == "response_format")
    }

    @Test func `a recording may come in events`() throws {
        let out = SpeechCall.event(Data([1, 2, 3])) + (try Self.speech()).ending(Self.recording("audio/wav"))
        let expected = """
            [{"type":"speech.audio.delta","audio":"AQID"},{"type":"speech.audio.done",
              "usage":{"input_tokens":3,"output_tokens":2,"total_tokens":5}}]
            """
        #expect(try .array(events(out).map(\.withoutBreeze)) == json(expected))
    }

    private static let transcript = Transcript(
        text: "Hello <you>.",
        language: "en",
        segments: [
            .init(text: " Hello\n", start: 0, end: 1.5), .init(text: "<you>.", start: 3_661.0614, end: 3_662),
        ]
    )

    private static func form(_ more: [String: [String]] = [:]) throws -> TranscriptionCall {
        try TranscriptionCall(form: ["model": ["m"]].merging(more) { $1 }, file: Data([1]))
    }

    private static func heard(_ transcript: Transcript = transcript) -> InferenceResult {
        var answer = result()
        answer.output = .transcript(transcript)
        return answer
    }

    @Test func `a form is a request`() throws {
        let call = try Self.form([
            "language": ["en"], "temperature": ["0"], "timestamp_granularities[]": ["segment"],
            "stream": ["true"],
            "prompt": [""], "colour": ["red"],
        ])
        #expect((call.request.capability, call.request.audioData) == (.asr, Data([1])))
        #expect(call.request.configuration.additional["language"] == "en")
        #expect(call.request.configuration.temperature == 0)
        #expect(call.streams)
        #expect(call.remarks.ignored == ["colour"])
    }

    @Test(arguments: [
        (["response_format": ["xml"]], "response_format"), (["temperature": ["warm"]], "temperature"),
        (["language": ["en", "de"]], "language"), (["model": [""]], "model"), (["prompt": ["x"]], "prompt"),
        (["timestamp_granularities[]": ["word"]], "timestamp_granularities[]"),
        (["response_format": ["diarized_json"]], "response_format"),
    ])
    func `a fault of a form is named`(more: [String: [String]], path: String) {
        #expect(failure { _ = try Self.form(more) }?.wireField == path)
    }

    @Test func `times of words beside those of segments are not there, and the answer says so`() throws {
        let call = try Self.form(["timestamp_granularities[]": ["word", "segment"]])
        #expect(call.remarks.notices.count == 1)
    }

    @Test func `a form without a recording is refused`() {
        let error = failure { _ = try TranscriptionCall(form: ["model": ["m"]], file: nil) }
        #expect(error?.wireField == "file")
    }

    @Test(arguments: [
        ("text", "Hello <you>.\n"),
        (
            "srt",
            "1\n00:00:00,000 --> 00:00:01,500\nHello\n\n2\n01:01:01,061 --> 01:01:02,000\n<you>.\n\n"
        ),
        (
            "vtt",
            "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nHello\n\n01:01:01.061 --> 01:01:02.000\n&lt;you&gt;.\n\n"
        ),
    ])
    func `a transcript is text, or subtitles`(format: String, text: String) throws {
        let answer = try Self.form(["response_format": [format]]).answer(Self.heard())
        #expect(String(decoding: answer.bytes, as: UTF8.self) == text)
        #expect(answer.contentType == "text/plain; charset=utf-8")
    }

    @Test func `a transcript is JSON, short or whole`() throws {
        let short = try json(Self.form().answer(Self.heard()).bytes)
        #expect(short.withoutBreeze == ["text": "Hello <you>."])
        let whole = try json(
            Self.form(["response_format": ["verbose_json"]]).answer(Self.heard(), duration: 2.5).bytes
        )
        let expected = """
            {"task":"transcribe","language":"en","duration":2.5,"text":"Hello <you>.","segments":[
              {"id":0,"start":0,"end":1.5,"text":" Hello\\n"},
              {"id":1,"start":3661.0614,"end":3662,"text":"<you>."}]}
            """
        #expect(try whole.withoutBreeze == json(expected))
    }

    @Test func `subtitles need times`() throws {
        let call = try Self.form(["response_format": ["srt"]])
        let error = failure { _ = try call.answer(Self.heard(Transcript(text: "x"))) }
        #expect(error?.wireField == "response_format")
    }

    @Test func `a transcript may come in events`() throws {
        var stream = TranscriptionStream(try Self.form())
        var out = try stream.encode(chunk(.text("Hel")))
        out += try stream.encode(chunk(.result(Self.heard(Transcript(text: "Hello"))))) + stream.finish()
        let expected = """
            [{"type":"transcript.text.delta","delta":"Hel"},{"type":"transcript.text.done","text":"Hello"},"[DONE]"]
            """
        #expect(try .array(events(out).map(\.withoutBreeze)) == json(expected))
    }
}
