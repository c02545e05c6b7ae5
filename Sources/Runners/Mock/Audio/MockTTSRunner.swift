public import BreezeCore
import Foundation

/// Text to a sine wave that lasts as long as somebody would speak it: 150 words a minute, mono 16-bit PCM at
/// 16 kHz in a WAV file. The pieces are the file's header and then the sound of each word.
public struct MockTTSRunner: StreamingRunner {
    public let id = "mock:tts"
    public let supportedCapabilities: [AICapability] = [.tts]
    public let qualityTier = 0
    public let isMock = true
    public let memoryEstimate: Int64? = 0
    public let parameterSchema = Self.schema
    private let stage: MockStage

    /// Characters of text that it takes.
    public static let maxCharacters = 4096
    static let sampleRate = 16_000
    private static let wordsPerMinute = 150.0
    private static let amplitude = 0.3

    /// Delays pass on `clock`.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        stage = MockStage(clock: clock)
    }

    public func load() async throws {}

    public func unload() async {}

    public func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        let turn = try await stage.begin(request, for: self)
        let text = request.prompt ?? ""
        let words = try Self.countWords(in: text)
        let speed = turn.values.number(Self.speed.name) ?? 1
        let seconds = Double(words) / Self.wordsPerMinute * 60 / speed
        let samples = Int((seconds * Double(Self.sampleRate)).rounded())
        let frequency = Self.frequencies[turn.values.string(Self.voice.name) ?? ""] ?? Self.middleFrequency

        var file = Data()
        let pieces = (0...words).lazy.map { piece in
            // Piece 0 is the header; the samples are shared out so that none is lost to rounding.
            piece == 0
                ? WAVHeader.bytes(sampleRate: Self.sampleRate, dataSize: samples * 2)
                : Self.sine(frequency, from: samples * (piece - 1) / words, to: samples * piece / words)
        }
        try await stage.send(pieces, of: turn, into: sink) { pieces in
            let sound = pieces.reduce(into: Data()) { $0 += $1 }
            file += sound
            return .audio(sound)
        }
        return InferenceResult(
            requestID: request.id,
            output: .audio(
                AudioClip(
                    data: file,
                    mediaType: "audio/wav",
                    sampleRate: Self.sampleRate,
                    duration: Double(samples) / Double(Self.sampleRate)
                )
            ),
            runner: id,
            usage: Usage(inputTokens: words),
            isMock: true
        )
    }

    private static func countWords(in text: String) throws -> Int {
        guard text.count <= maxCharacters else {
            throw BreezeError(
                .contextSizeExceeded,
                "The text has \(text.count) characters, and mock:tts takes \(maxCharacters).",
                remedy: "Send it in parts."
            )
        }
        let words = Words.count(in: text)
        guard words > 0 else {
            throw BreezeError(
                .invalidRequest,
                "The text has no words to speak.",
                remedy: "Send more than white space."
            )
        }
        return words
    }

    private static func sine(_ frequency: Double, from start: Int, to end: Int) -> Data {
        let step = 2 * Double.pi * frequency / Double(sampleRate)
        var bytes = Data(capacity: (end - start) * 2)
        for sample in start..<end {
            let value = Int16((amplitude * Double(Int16.max) * sin(step * Double(sample))).rounded())
            bytes.append(UInt8(truncatingIfNeeded: value))
            bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        }
        return bytes
    }
}

extension MockTTSRunner {
    private static let middleFrequency = 165.0
    /// Hertz.
    private static let frequencies = ["low": 110.0, "middle": middleFrequency, "high": 220.0]

    private static let voice = ParameterDescriptor(
        "voice",
        "Voice",
        summary: "The pitch: low is 110 Hz, middle 165 Hz, high 220 Hz.",
        kind: .selection(["low", "middle", "high"]),
        default: "middle"
    )
    private static let speed = ParameterDescriptor(
        "speed",
        "Speed",
        summary: "1 is 150 words a minute, 2 twice as fast.",
        kind: .number(min: 0.25, max: 4),
        default: 1
    )
    private static let schema = ParameterSchema(MockParameter.streaming + [voice, speed])
}
