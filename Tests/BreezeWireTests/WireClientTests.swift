import BreezeCore
import BreezeTestSupport
import BreezeWire
import Foundation
import Testing

/// Our answers, read by the parsers of the clients that people have: PyPI's openai and ollama.
@Suite(.enabled(if: WireClients.areThere, "the clients are missing: run make setup"))
struct WireClientTests {
    @Test func `the clients read every answer`() async throws {
        let cases = try WireClients.cases()
        let answers = try await WireClients.judge(cases)
        try #require(answers.count == cases.count)
        for (asked, answer) in zip(cases, answers) {
            let name = Comment(rawValue: "\(asked.call): \(answer.error ?? "no error")")
            if let error = asked.error {
                #expect(answer.error?.hasPrefix(error) == true, name)
            } else {
                let values = try answer.values.map { try json($0) }
                #expect(values == asked.expected, name)
            }
        }
    }
}

enum WireClients {
    struct Case: Encodable {
        var call: String
        var body: String
        var type = "application/json"
        var status = 200
        /// What a program reads, and the exception that it meets instead.
        var expected: JSONValue = []
        var error: String?

        private enum CodingKeys: String, CodingKey { case call, body, type, status }
    }

    struct Answer: Decodable {
        var values: String?
        var error: String?
    }

    static var areThere: Bool {
        guard let python = Oracle.python else { return false }
        let library = python.deletingLastPathComponent().deletingLastPathComponent().appending(path: "lib")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library.path)) ?? []
        return versions.contains { version in
            let packages = library.appending(path: version).appending(path: "site-packages")
            return ["openai", "ollama"].allSatisfy { name in
                FileManager.default.fileExists(atPath: packages.appending(path: name).path)
            }
        }
    }

    static func judge(_ cases: [Case]) async throws -> [Answer] {
        try await Oracle.run("wire_clients.py", URL(filePath: "/"), input: cases)
    }

    static func cases() throws -> [Case] {
        try openAI() + openAIStreams() + ollama() + failures()
    }

    private static let chat = #"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#
    private static let call = result("", calls: [addCall], finish: .toolCalls)
    private static let model = ModelInfo(
        id: "m",
        format: .gguf,
        capabilities: [.chat],
        parameterCount: 7_000_000_000
    )

    private static func made(_ call: String, _ bytes: [UInt8], _ expected: JSONValue, type: String? = nil)
        -> Case
    {
        Case(
            call: call,
            body: String(decoding: bytes, as: UTF8.self),
            type: type ?? "application/json",
            expected: expected
        )
    }

    private static func vectors() -> InferenceResult {
        var answer = result()
        answer.output = .embeddings([[0.5, 0.25]])
        return answer
    }

    private static func openAI() throws -> [Case] {
        let question = try OpenAIChat.parse(bytes(chat))
        let prompt = try OpenAICompletions.parse(bytes(#"{"model":"m","prompt":"hi"}"#))
        let packed = try OpenAIEmbeddings.parse(
            bytes(#"{"model":"m","input":"x","encoding_format":"base64"}"#)
        )
        let plain = try OpenAIEmbeddings.parse(bytes(#"{"model":"m","input":"x"}"#))
        var verdict = result()
        verdict.output = .verdict(GuardianVerdict(action: .block, findings: [.init(category: "c", risk: 1)]))
        var heard = result()
        heard.output = .transcript(Transcript(text: "hi"))
        let transcript = try TranscriptionCall(form: ["model": ["m"]], file: Data([1])).answer(heard)
        let entry = OpenAIModels.Entry(id: "m", created: noon, info: model)
        let response = try ResponsesCall(parsing: bytes(#"{"model":"m","input":"hi"}"#))
        return [
            made("models", OpenAIModels.list([entry]), ["m"]),
            made("model", OpenAIModels.one(entry), ["breeze"]),
            made(
                "chat",
                try OpenAIChat.answer([result()], to: question, created: noon),
                [["Hello", "stop"]]
            ),
            made(
                "chat tools",
                try OpenAIChat.answer([call], to: question, created: noon),
                [["t1", "add", #"{"a":1}"#]]
            ),
            made("completion", OpenAICompletions.answer([result()], to: prompt, created: noon), ["Hello"]),
            made("embeddings", try OpenAIEmbeddings.answer(vectors(), to: packed), [0.5, 0.25]),
            made("embeddings float", try OpenAIEmbeddings.answer(vectors(), to: plain), [0.5, 0.25]),
            made("response", try response.answer(result(), created: noon), ["Hello"]),
            made(
                "response thinking",
                try response.answer(result(), reasoning: "hm", created: noon),
                ["reasoning", "Hello"]
            ),
            made(
                "moderation",
                try ModerationCall(parsing: bytes(#"{"input":"x"}"#)).answer([verdict]),
                [true]
            ),
            made("transcription", transcript.bytes, ["hi"]),
        ]
    }

    private static func streamed(_ stream: some WireStream, _ chunks: [InferenceChunk.Content]) throws
        -> [UInt8]
    {
        var stream = stream
        var out: [UInt8] = []
        for content in chunks { out += try stream.encode(chunk(content), choice: 0) }
        return out + stream.finish()
    }

    private static let responseEvents: JSONValue = [
        "response.created", "response.in_progress", "response.output_item.added",
        "response.content_part.added", "response.output_text.delta", "response.output_text.delta",
        "response.output_text.done", "response.content_part.done", "response.output_item.done",
        "response.completed", "Hello",
    ]

    private static func openAIStreams() throws -> [Case] {
        let usage = #"{"stream":true,"stream_options":{"include_usage":true},"# + chat.dropFirst()
        let counted = try OpenAIChat.parse(bytes(usage))
        let plain = try OpenAIChat.parse(bytes(chat))
        let response = try ResponsesCall(parsing: bytes(#"{"model":"m","input":"hi"}"#))
        let pieces: [InferenceChunk.Content] = [
            .progress(.init(stage: "loading", completed: 1, total: 2)), .text("Hel"), .text("lo"),
            .result(result()),
        ]
        let type = OpenAIChatStream.contentType
        return [
            made(
                "chat stream",
                try streamed(OpenAIChatStream(counted, created: noon), pieces),
                [["", .null], ["Hel", .null], ["lo", .null], [.null, "stop"], 5],
                type: type
            ),
            made(
                "chat stream typed",
                try streamed(OpenAIChatStream(plain, created: noon), pieces),
                ["Hello"],
                type: type
            ),
            made(
                "tool stream",
                try streamed(OpenAIChatStream(plain, created: noon), [.toolCall(addCall), .result(call)]),
                [["t1", "add", #"{"a":1}"#]],
                type: type
            ),
            made(
                "response stream",
                try streamed(ResponsesStream(response, created: noon), pieces),
                responseEvents,
                type: type
            ),
        ]
    }

    private static func ollama() throws -> [Case] {
        let question = try Ollama.parseChat(bytes(chat))
        let embed = try OllamaEmbeddings.parse(bytes(#"{"model":"m","input":"a"}"#))
        let entry = OllamaModels.Entry(info: model, modifiedAt: noon)
        let pieces: [InferenceChunk.Content] = [.text("Hello"), .result(result())]
        let pulled =
            OllamaModelCall.progress("pulling ab", digest: "ab", total: 10, completed: 5)
            + OllamaModelCall.progress("success")
        return [
            made(
                "ollama chat",
                Ollama.answer(result(), to: question, route: .chat, created: noon),
                ["Hello"]
            ),
            made(
                "ollama tools",
                Ollama.answer(call, to: question, route: .chat, created: noon),
                [["add", ["a": 1]]]
            ),
            made(
                "ollama chat stream",
                try streamed(OllamaStream(question, route: .chat, created: noon), pieces),
                [["Hello", false, .null], ["", true, 2]],
                type: OllamaStream.contentType
            ),
            made(
                "ollama generate",
                Ollama.answer(result(), to: question, route: .generate, created: noon),
                ["Hello"]
            ),
            made("ollama embed", try OllamaEmbeddings.answer(vectors(), to: embed), [[0.5, 0.25]]),
            made("ollama embeddings", try OllamaEmbeddings.answerOlder(vectors(), to: embed), [0.5, 0.25]),
            made("ollama list", OllamaModels.tags([entry]), [["m", "7B"]]),
            made("ollama ps", OllamaModels.running([.init(info: model, expiresAt: nil, memory: 1)]), ["m"]),
            made("ollama show", OllamaModels.show(entry), ["completion"]),
            made(
                "ollama pull",
                pulled,
                [["pulling ab", 5], ["success", .null]],
                type: OllamaStream.contentType
            ),
            made("ollama delete", OllamaModelCall.status("success"), ["success"]),
        ]
    }

    /// Statuses and errors in mid-stream become the exceptions that programs catch.
    private static func failures() throws -> [Case] {
        let codes: [(BreezeError.Code, String)] = [
            (.invalidRequest, "BadRequestError"), (.unauthorized, "AuthenticationError"),
            (.forbidden, "PermissionDeniedError"), (.unknownModel, "NotFoundError"),
            (.busy, "RateLimitError"),
            (.runFailed, "InternalServerError"),
        ]
        let statuses = codes.map { code, exception in
            let failure = WireFailure(BreezeError(code, "It broke."), .openAI)
            let body = String(decoding: failure.body, as: UTF8.self)
            return Case(call: "chat", body: body, status: failure.status, error: exception)
        }
        return try statuses + brokenStreams()
    }

    private static func brokenStreams() throws -> [Case] {
        var cases: [Case] = []
        var stream = OpenAIChatStream(try OpenAIChat.parse(bytes(chat)), created: noon)
        var response = ResponsesStream(
            try ResponsesCall(parsing: bytes(#"{"model":"m","input":"hi"}"#)),
            created: noon
        )
        let error = BreezeError(.runFailed, "It broke.")
        let type = OpenAIChatStream.contentType
        for (call, bytes) in [
            ("chat stream", try stream.encode(chunk(.text("Hel"))) + stream.fail(error)),
            ("response stream", try response.encode(chunk(.text("Hel"))) + response.fail(error)),
        ] {
            let body = String(decoding: bytes, as: UTF8.self)
            cases.append(Case(call: call, body: body, type: type, error: "APIError: It broke."))
        }
        let ollama = String(decoding: WireFailure(error, .ollama).body, as: UTF8.self)
        cases.append(Case(call: "ollama chat", body: ollama, status: 500, error: "ResponseError: It broke."))
        var lines = OllamaStream(try Ollama.parseChat(bytes(chat)), route: .chat, created: noon)
        let body = String(decoding: try lines.encode(chunk(.text("Hel"))) + lines.fail(error), as: UTF8.self)
        let nd = OllamaStream.contentType
        cases.append(
            Case(call: "ollama chat stream", body: body, type: nd, error: "ResponseError: It broke.")
        )
        return cases
    }
}
