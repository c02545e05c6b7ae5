import BreezeCore
import BreezeKit
import BreezeTestSupport
import Foundation
import Synchronization

/// The bytes of a hub, written by hand.
enum HubScript {
    static let inference = "/breeze/v1/inference"
    static let key = "brz_abcdefghijkl_secret"

    static func json(_ status: String, _ body: String, headers: String = "") -> [ScriptedServer.Step] {
        [
            .text(
                "HTTP/1.1 \(status)\r\ncontent-type: application/json\r\ncontent-length: \(body.utf8.count)\r\n"
                    + "\(headers)\r\n\(body)"
            )
        ]
    }

    static let streamHead =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"

    static func chunk(_ text: String) -> String {
        "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
    }

    static func result(_ text: String, id: String = "r1") -> String {
        """
        {"requestID":"\(id)","output":{"kind":"text","text":"\(text)"},"toolCalls":[],"finishReason":"stop",\
        "usage":{"inputTokens":3,"outputTokens":2},"timings":{"queue":0,"load":0,"run":0.5,"total":0.5},\
        "runner":"llama:tiny","isMock":false,"guardianVerdicts":[],"notices":[]}
        """
    }

    static func text(_ text: String, id: String = "r1") -> String {
        "data: {\"requestID\":\"\(id)\",\"kind\":\"text\",\"text\":\"\(text)\"}\n\n"
    }

    static func last(_ text: String, id: String = "r1") -> String {
        "data: {\"requestID\":\"\(id)\",\"kind\":\"result\",\"result\":\(result(text, id: id))}\n\n"
    }

    /// A hub that lets everybody in; `inference` is what a question gets.
    static func hub(
        state: String = "approved",
        _ inference: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]
    ) -> @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step] {
        { request in
            switch (request.method, request.path) {
            case ("POST", "/breeze/v1/apps"):
                json("201 Created", "{\"id\":\"abcdefghijkl\",\"key\":\"\(key)\",\"state\":\"\(state)\"}")
            case ("GET", "/breeze/v1/app"):
                json(
                    "200 OK",
                    "{\"id\":\"abcdefghijkl\",\"name\":\"Notes\",\"state\":\"\(state)\",\"capabilities\":[]}"
                )
            case ("GET", "/healthz"): json("200 OK", "ok\n")
            case ("POST", Self.inference): inference(request)
            default: json("404 Not Found", "{}")
            }
        }
    }

    /// An app that asks the hub at `socket` and `address`, and leaves nothing behind.
    static func configuration(
        socket: String? = nil,
        address: String? = nil,
        key: HubKey? = HubKey(app: "abcdefghijkl", text: HubScript.key),
        fallback: Fallback = .none,
        consent: NetworkConsent? = nil
    ) -> BreezeConfiguration {
        BreezeConfiguration(
            appName: "Notes",
            fallback: fallback,
            hub: .at(socket: socket, address: address),
            keys: MemoryStore(key),
            consents: MemoryStore(consent),
            host: .unknown
        )
    }
}

/// A runner that answers what it is told, and counts.
final class CountingRunner: Runner {
    let id: String
    let locality: Locality
    let supportedCapabilities: [AICapability]
    let parameterSchema: ParameterSchema
    private let availabilityNow: Availability
    private let work: @Sendable (InferenceRequest) async throws -> Void
    private let seen = Mutex<(loads: Int, requests: [InferenceRequest])>((0, []))

    init(
        _ id: String = "tiny:own",
        locality: Locality = .onDevice,
        capabilities: [AICapability] = [.chat],
        schema: ParameterSchema = ParameterSchema(),
        availability: Availability = .available,
        work: @escaping @Sendable (InferenceRequest) async throws -> Void = { _ in }
    ) {
        self.id = id
        self.locality = locality
        supportedCapabilities = capabilities
        parameterSchema = schema
        availabilityNow = availability
        self.work = work
    }

    var loads: Int { seen.withLock { $0.loads } }
    var requests: [InferenceRequest] { seen.withLock { $0.requests } }

    func availability() async -> Availability { availabilityNow }

    func load() async throws { seen.withLock { $0.loads += 1 } }

    func run(request: InferenceRequest) async throws -> InferenceResult {
        seen.withLock { $0.requests.append(request) }
        try await work(request)
        request.streamingCallback?(InferenceChunk(requestID: request.id, .text("own")))
        return InferenceResult(requestID: request.id, output: .text("own answer"), runner: id)
    }

    func unload() async {}
}
