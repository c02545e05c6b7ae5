import BreezeCore
import BreezeTransport
import BreezeURLSessionTransport
import Foundation
import Synchronization
import Testing

@testable import BreezeAPIRunner

/// The two ways out, under one suite.
enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case urlSession
    #if Hub
    case asyncHTTPClient
    #endif

    var testDescription: String { rawValue }

    func transport(
        clock: any Clock<Duration> = ContinuousClock(),
        ledger: EgressLedger? = nil,
        folder: URL
    ) throws -> any HTTPTransport {
        let settings = TransportSettings(environment: [:])
        switch self {
        case .urlSession:
            return URLSessionTransport(ledger: ledger, version: "1.2.3", settings: settings, clock: clock)
        #if Hub
        case .asyncHTTPClient:
            let own = ledger ?? EgressLedger(url: folder.appending(path: "egress.jsonl"))
            return try AsyncHTTPTransport(ledger: own, version: "1.2.3", settings: settings, clock: clock)
        #endif
        }
    }
}

/// A transport that answers from a script, without a network.
final class ScriptedTransport: HTTPTransport {
    typealias Step = @Sendable (HTTPRequest) async throws -> HTTPResponse

    private let state: Mutex<(steps: [Step], requests: [HTTPRequest])>

    /// The steps are taken in turn, the last one for ever.
    init(_ steps: [Step]) {
        state = Mutex((steps, []))
    }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// The body of the last request.
    var body: JSONValue? {
        requests.last.flatMap { try? JSONDecoder().decode(JSONValue.self, from: Data($0.body)) }
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let step = state.withLock { state in
            state.requests.append(request)
            return state.steps.count > 1 ? state.steps.removeFirst() : state.steps[0]
        }
        return try await step(request)
    }

    static func step(
        _ text: String,
        status: Int = 200,
        headers: HeaderFields = ["Content-Type": "application/json"]
    )
        -> Step
    {
        { HTTPResponse(status: status, headers: headers, url: $0.url, body: HTTPBody(Array(text.utf8))) }
    }

    /// An event stream that comes in these pieces; then it ends, or breaks.
    static func stream(_ pieces: [[UInt8]], breaksWith error: (any Error)? = nil) -> Step {
        { request in
            let rest = Mutex(pieces[...])
            let body = HTTPBody(next: {
                if let piece = rest.withLock({ $0.popFirst() }) { return piece }
                if let error { throw error }
                return nil
            })
            return HTTPResponse(
                status: 200,
                headers: ["Content-Type": "text/event-stream"],
                url: request.url,
                body: body
            )
        }
    }

    convenience init(answering text: String) { self.init([Self.step(text)]) }

    convenience init(streaming text: String) { self.init([Self.stream([Array(text.utf8)])]) }
}

/// What a test asks with.
enum Bench {
    static let address = URL(string: "http://127.0.0.1:9/v1") ?? URL(filePath: "/")
    static let key = "sk-test-0123456789abcdef"

    static let weather = ToolDefinition(
        name: "get_weather",
        description: "The weather at a place.",
        parameters: [
            "type": "object", "properties": ["city": ["type": "string"]], "required": ["city"],
        ]
    )

    static func service(
        _ address: URL = address,
        dialect: APIService.Dialect = .chatCompletions,
        streams: Bool = true,
        capabilities: [AICapability] = [.chat, .vlm, .embedding],
        openRouter: OpenRouterOptions? = nil
    ) -> APIService {
        APIService(
            name: "test",
            title: "The test service",
            baseURL: address,
            dialect: dialect,
            keyName: "test",
            extensions: Set(APIService.Extension.allCases),
            streams: streams,
            openRouter: openRouter,
            models: [APIModel("acme/one", capabilities: capabilities, contextLength: 4_096)]
        )
    }

    static func runner(
        _ transport: any HTTPTransport,
        _ service: APIService = service(),
        redaction: Redaction? = nil,
        retry: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        key: @escaping APIRunner.Key = { key }
    ) throws -> APIRunner {
        try APIRunner(
            service,
            model: "acme/one",
            transport: transport,
            key: key,
            redaction: redaction,
            retry: retry,
            clock: clock
        )
    }

    /// The pieces and the result.
    static func collect(
        _ runner: APIRunner,
        _ request: InferenceRequest = InferenceRequest(.chat, prompt: "hello")
    ) async throws -> (chunks: [InferenceChunk.Content], result: InferenceResult) {
        let chunks = Mutex([InferenceChunk.Content]())
        let sink = ChunkSink { chunk in chunks.withLock { $0.append(chunk.content) } }
        let result = try await runner.run(request: request, into: sink)
        return (chunks.withLock { $0 }, result)
    }

    static func json(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }
}

extension [InferenceChunk.Content] {
    var text: String {
        compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
    }

    var reasoning: String {
        compactMap { if case .reasoning(let text) = $0 { text } else { nil } }.joined()
    }
}
