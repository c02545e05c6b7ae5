public import BreezeCore
import Foundation

/// Says of an image what its header says: the format, by its magic bytes, and the size in pixels.
public struct MockVLMRunner: StreamingRunner {
    public let id = "mock:vlm"
    public let supportedCapabilities: [AICapability] = [.vlm]
    public let qualityTier = 0
    public let isMock = true
    public let memoryEstimate: Int64? = 0
    public let parameterSchema = Self.schema
    private let stage: MockStage

    private static let schema = ParameterSchema(
        MockParameter.streaming + [MockParameter.maxTokens, MockParameter.stop]
    )

    /// Delays pass on `clock`.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        stage = MockStage(clock: clock)
    }

    public func load() async throws {}

    public func unload() async {}

    public func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        let turn = try await stage.begin(request, for: self)
        let image = request.imageData ?? request.conversation.compactMap(\.images?.last).last ?? Data()
        guard let header = ImageHeader(of: image) else { throw Self.noImage(image) }
        let answer =
            if let schema = request.configuration.guidedOutput {
                try TextAnswer(guidedBy: schema, values: turn.values)
            } else {
                TextAnswer(
                    labelled: try ImageReplies.embedded.table.reply(for: header, bytes: image.count),
                    values: turn.values
                )
            }
        try await stage.send(answer, of: turn, into: sink)
        let words = request.conversation.reduce(0) { $0 + Words.count(in: $1.content) }
        return InferenceResult(
            requestID: request.id,
            output: .text(answer.text),
            runner: id,
            finishReason: answer.finishReason,
            usage: Usage(inputTokens: words, outputTokens: answer.tokens),
            isMock: true
        )
    }

    private static func noImage(_ data: Data) -> BreezeError {
        let head = data.prefix(8).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count < 2 ? "0\(digits)" : digits
        }
        return BreezeError(
            .invalidRequest,
            "The image data is no image: it begins with the bytes \(head.joined(separator: " ")).",
            remedy: "Send a PNG, JPEG, GIF, WebP, BMP, HEIC, AVIF or TIFF file."
        )
    }
}

/// What the mock says of an image; `{format}`, `{width}`, `{height}` and `{bytes}` are filled in.
private struct ImageReplies: Decodable, Sendable {
    static let embedded = Fixture<ImageReplies>(PackageResources.images_json, named: "images.json")

    let sized: String
    let unsized: String

    func reply(for header: ImageHeader, bytes: Int) -> String {
        (header.size == nil ? unsized : sized)
            .replacing("{format}", with: header.format.rawValue)
            .replacing("{width}", with: header.size.map { "\($0.width)" } ?? "")
            .replacing("{height}", with: header.size.map { "\($0.height)" } ?? "")
            .replacing("{bytes}", with: "\(bytes)")
    }
}
