public import BreezeCore
import Foundation

/// Speech to text from a table, by the recording's format and size. It hears nothing, but it does refuse what
/// is no recording: nothing at all, or a damaged WAV file.
public struct MockASRRunner: StreamingRunner {
    public let id = "mock:asr"
    public let supportedCapabilities: [AICapability] = [.asr]
    public let qualityTier = 0
    public let isMock = true
    public let memoryEstimate: Int64? = 0
    public let parameterSchema = Self.schema
    private let stage: MockStage

    private static let schema = ParameterSchema(MockParameter.streaming)

    /// Delays pass on `clock`.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        stage = MockStage(clock: clock)
    }

    public func load() async throws {}

    public func unload() async {}

    public func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        let turn = try await stage.begin(request, for: self)
        let audio = request.audioData ?? Data()
        let format = AudioFormat(of: audio)
        let duration = format == .wav ? try WAVHeader(reading: audio).duration : nil
        let entry = try TranscriptTable.embedded.table.entry(for: audio, format: format)
        let answer = TextAnswer(labelled: entry.text, values: turn.values)
        try await stage.send(answer, of: turn, into: sink)
        let transcript = Transcript(
            text: answer.text,
            language: entry.language,
            confidence: Self.confidence(in: audio),
            segments: duration.map { [Transcript.Segment(text: answer.text, start: 0, end: $0)] }
        )
        return InferenceResult(
            requestID: request.id,
            output: .transcript(transcript),
            runner: id,
            usage: Usage(outputTokens: answer.tokens),
            isMock: true,
            notices: format == nil ? ["The recording's format is none that the mock knows."] : []
        )
    }

    /// 0.75…0.95 in steps of 0.01, decided by the recording's bytes (FNV-1a, 64 bits).
    private static func confidence(in audio: Data) -> Double {
        let hash = audio.withUnsafeBytes { bytes in
            bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        return Double(75 + hash % 21) / 100
    }
}
