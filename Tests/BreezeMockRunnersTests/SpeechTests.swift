import BreezeCore
import BreezeMockRunners
import BreezeTestSupport
import Foundation
import Testing

struct SpeechTests {
    private func speak(
        _ text: String,
        _ parameters: [String: JSONValue] = [:],
        into sink: ChunkSink = ChunkSink(callback: nil)
    ) async throws -> AudioClip {
        let configuration = InferenceConfig(additional: parameters)
        let request = InferenceRequest(.tts, prompt: text, configuration: configuration)
        let result = try await MockTTSRunner().run(request: request, into: sink)
        guard case .audio(let clip) = result.output else { throw BreezeError(.invalidOutput, "no audio") }
        return clip
    }

    private func number(_ data: Data, at offset: Int, bytes: Int) -> Int {
        data.dropFirst(offset).prefix(bytes).reversed().reduce(0) { $0 * 256 + Int($1) }
    }

    /// Five words at 150 a minute are 2 s; at 16 kHz and 2 bytes that is 64,000 bytes.
    @Test func `the file's header says what the file holds`() async throws {
        let file = try await speak("one two three four five").data
        #expect(file.prefix(4) == Data("RIFF".utf8))
        #expect(number(file, at: 4, bytes: 4) == 64_036)
        #expect(file[8..<16] == Data("WAVEfmt ".utf8))
        #expect(number(file, at: 16, bytes: 4) == 16)
        #expect(number(file, at: 20, bytes: 2) == 1)
        #expect(number(file, at: 22, bytes: 2) == 1)
        #expect(number(file, at: 24, bytes: 4) == 16_000)
        #expect(number(file, at: 28, bytes: 4) == 32_000)
        #expect(number(file, at: 32, bytes: 2) == 2)
        #expect(number(file, at: 34, bytes: 2) == 16)
        #expect(file[36..<40] == Data("data".utf8))
        #expect(number(file, at: 40, bytes: 4) == 64_000)
        #expect(file.count == 64_044)
    }

    /// 6 words; 0.4 s a word.
    @Test(arguments: [(0.25, 9.6), (1.0, 2.4), (1.5, 1.6), (4.0, 0.6)])
    func `speed shortens the speech`(_ speed: Double, _ seconds: Double) async throws {
        let clip = try await speak("a b c d e f", ["speed": .number(speed)])
        #expect(abs(clip.duration - seconds) < 1e-4)
        #expect(clip.data.count == 44 + Int((seconds * 16_000).rounded()) * 2)
        #expect(clip.mediaType == "audio/wav")
        #expect(clip.sampleRate == 16_000)
    }

    /// A sine of f Hz crosses 0 upwards f times a second; 0.3 of 32,767 is 9,830.
    @Test(arguments: [("low", 110), ("middle", 165), ("high", 220)])
    func `the voice is a sine of its pitch`(_ voice: String, _ frequency: Int) async throws {
        let file = try await speak("one two three four five", ["voice": .string(voice)]).data
        let samples = stride(from: 44, to: file.count, by: 2).map { offset in
            Int(Int16(truncatingIfNeeded: number(file, at: offset, bytes: 2)))
        }
        let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
        #expect(abs(crossings - 2 * frequency) <= 1)
        #expect((9_820...9_830).contains(samples.max() ?? 0))
        #expect((-9_830 ... -9_820).contains(samples.min() ?? 0))
    }

    @Test(arguments: ["pieces", "whole"])
    func `the pieces joined are the file`(_ delivery: String) async throws {
        let collector = Collector()
        let clip = try await speak(
            "some seven words of no great import",
            ["delivery": .string(delivery), "speed": 1.7],
            into: collector.sink
        )
        let pieces = collector.all.map { chunk in
            if case .audio(let data) = chunk.content { data } else { Data() }
        }
        #expect(pieces.count == (delivery == "whole" ? 1 : 8))
        #expect(pieces.reduce(Data(), +) == clip.data)
    }

    @Test func `4,096 characters are taken`() async throws {
        let clip = try await speak(String(repeating: "a", count: 4_096))
        #expect(clip.duration == 0.4)
    }

    @Test func `what one mock speaks the other can read`() async throws {
        let clip = try await speak("one two three four five")
        let heard = try await MockASRRunner().run(
            request: InferenceRequest(.asr, audioData: clip.data)
        )
        guard case .transcript(let transcript) = heard.output else {
            Issue.record("no transcript")
            return
        }
        #expect(transcript.segments?.map(\.end) == [2.0])
    }

    @Test func `a recording above 64 KiB has the long transcript`() async throws {
        let clip = try await speak("one two three four five six seven")
        let heard = try await MockASRRunner().run(
            request: InferenceRequest(.asr, audioData: clip.data)
        )
        #expect(heard.output.text?.hasPrefix("[mock] This is a longer recording") == true)
    }

    /// FNV-1a (64 bits) of "a" is af63dc4c8601ec8c, which leaves 19 modulo 21.
    @Test func `confidence is decided by the bytes`() async throws {
        let heard = try await MockASRRunner().run(request: InferenceRequest(.asr, audioData: Data("a".utf8)))
        guard case .transcript(let transcript) = heard.output else {
            Issue.record("no transcript")
            return
        }
        #expect(transcript.confidence == 0.94)
    }
}

/// Another reader's word on the file: Python's `wave`.
@Suite(.enabled(if: Oracle.python != nil, "needs Python: run make setup, or set BREEZE_PYTHON"))
struct PythonWave {
    @Test func `Python reads the file as it was meant`() async throws {
        let request = InferenceRequest(.tts, prompt: "one two three four five")
        guard case .audio(let clip) = try await MockTTSRunner().run(request: request).output else {
            Issue.record("no audio")
            return
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).wav")
        try clip.data.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let script = "import sys, wave; print(list(wave.open(sys.argv[1]).getparams())[:4])"
        let outcome = try await ChildProcess(try #require(Oracle.python), ["-c", script, file.path]).run()
        // Channels, bytes a sample, rate, samples.
        #expect(outcome.output == "[1, 2, 16000, 32000]\n")
    }
}
