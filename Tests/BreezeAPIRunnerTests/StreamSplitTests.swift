import BreezeCore
import Testing

@testable import BreezeAPIRunner

/// Wherever the network cuts a stream, the answer is the same.
@Suite struct StreamSplitTests {
    private static let tools = InferenceRequest(
        .chat,
        prompt: "hello",
        configuration: InferenceConfig(tools: [Bench.weather])
    )

    private func answer(_ pieces: [[UInt8]], _ dialect: APIService.Dialect) async throws -> (
        chunks: [InferenceChunk.Content], result: InferenceResult
    ) {
        let transport = ScriptedTransport([ScriptedTransport.stream(pieces)])
        let runner = try Bench.runner(transport, Bench.service(dialect: dialect))
        return try await Bench.collect(runner, Self.tools)
    }

    private func check(
        _ chunks: [InferenceChunk.Content],
        _ result: InferenceResult,
        _ name: String
    ) {
        let (text, cologne) = (
            "Grüße, 世界 👋", ToolCall(id: "call_a", name: "get_weather", arguments: ["city": "Köln"])
        )
        switch name {
        case "chat":
            #expect(chunks.text == text)
            #expect(chunks.reasoning == "Hm, größer")
            #expect(result.output == .text(text))
            #expect(result.finishReason == .stop)
            #expect(result.usage == Usage(inputTokens: 11, outputTokens: 7, cachedTokens: 4))
            #expect(result.runtime == "The test service: acme/one by Acme")
        case "calls":
            let lyon = ToolCall(id: "call_b", name: "get_weather", arguments: ["city": "Lyon"])
            #expect(result.toolCalls == [cologne, lyon])
            #expect(chunks == [.toolCall(cologne), .toolCall(lyon)])
            #expect(result.finishReason == .toolCalls)
        default:
            #expect(chunks.text == text)
            #expect(chunks.reasoning == "Hm, größer")
            #expect(result.toolCalls == [cologne])
            #expect(result.finishReason == .toolCalls)
            #expect(result.usage == Usage(inputTokens: 11, outputTokens: 7, cachedTokens: 4))
            #expect(result.runtime == "The test service: acme/one-2026")
        }
    }

    private static let recordings: [(String, String, APIService.Dialect)] = [
        ("chat", Recordings.chat, .chatCompletions), ("calls", Recordings.calls, .chatCompletions),
        ("responses", Recordings.responses, .responses),
    ]

    @Test(arguments: recordings)
    func `a stream may be cut in two at every byte`(
        name: String,
        recording: String,
        dialect: APIService.Dialect
    ) async throws {
        let bytes = Array(recording.utf8)
        for cut in 0...bytes.count {
            let (chunks, result) = try await answer([Array(bytes[..<cut]), Array(bytes[cut...])], dialect)
            check(chunks, result, name)
        }
    }

    @Test(arguments: recordings, ["\n", "\r\n", "\r"])
    func `a stream may come byte by byte, with any line end`(
        recording: (name: String, text: String, dialect: APIService.Dialect),
        lineEnd: String
    ) async throws {
        let text = recording.text.replacing("\n", with: lineEnd)
        let (chunks, result) = try await answer(text.utf8.map { [$0] }, recording.dialect)
        check(chunks, result, recording.name)
    }

    @Test(arguments: recordings)
    func `a space after the colon, and the last empty lines, may be missing`(
        name: String,
        recording: String,
        dialect: APIService.Dialect
    ) async throws {
        var text = recording.replacing("data: ", with: "data:").replacing("event: ", with: "event:")
        while text.hasSuffix("\n") { text.removeLast() }
        let (chunks, result) = try await answer([Array(text.utf8)], dialect)
        check(chunks, result, name)
    }

    @Test(arguments: recordings)
    func `a byte order mark, keep-alives and unknown fields change nothing`(
        name: String,
        recording: String,
        dialect: APIService.Dialect
    ) async throws {
        let noise = ": ping\n\nid: 7\nretry: 100\nevent: ping\n\ndata:\n\n"
        let text = "\u{FEFF}" + noise + recording.replacing("\n\n", with: "\n\n" + noise)
        let (chunks, result) = try await answer([Array(text.utf8)], dialect)
        check(chunks, result, name)
    }

    @Test func `events without the done mark are a whole answer where they say why it ended`() async throws {
        let text = Recordings.chat.replacing("data: [DONE]\n\n", with: "")
        let (chunks, result) = try await answer([Array(text.utf8)], .chatCompletions)
        check(chunks, result, "chat")
    }

    @Test func `a line without end does not fill the memory`() async throws {
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
        let error = await #expect(throws: BreezeError.self) {
            _ = try await answer(Array(repeating: piece, count: 18), .chatCompletions)
        }
        #expect(error?.code.rawValue == "invalid_response")
    }
}
