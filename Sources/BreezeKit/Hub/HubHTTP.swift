package import BreezeCore
package import BreezeLocalHTTP
import Foundation

/// The hub's routes, over the socket or over loopback.
package struct HubHTTP: Sendable {
    static let inference = "/breeze/v1/inference"

    let client: LocalHTTPClient

    package init(client: LocalHTTPClient) {
        self.client = client
    }

    private struct Failure: Decodable {
        let error: BreezeError
    }

    private struct Asking: Encodable {
        let name: String
        let capabilities: [String]
        let network: Bool
    }

    struct Registered: Decodable {
        let id: String
        let key: String
        let state: String
    }

    struct App: Decodable {
        let id: String
        let state: String
    }

    /// Asks to be let in. What it answers is this app's for good, so it is asked once.
    func register(_ name: String, _ capabilities: [AICapability], network: Bool) async throws -> Registered {
        let asking = Asking(name: name, capabilities: capabilities.map(\.rawValue), network: network)
        let request = LocalRequest(
            "POST",
            "/breeze/v1/apps",
            fields: [("content-type", "application/json"), ("accept", "application/json")],
            body: try Self.body(asking)
        )
        let registered: Registered = try await decoded(try await send(request), "what it gave the app")
        guard registered.key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !registered.key.isEmpty else {
            throw KitFault.malformed("the key is no key")
        }
        return registered
    }

    /// What the hub knows of the app whose key it is.
    func app(_ key: HubKey) async throws -> App {
        let response = try await send(LocalRequest("GET", "/breeze/v1/app", fields: Self.fields(key)))
        return try await decoded(response, "what it knows of the app")
    }

    /// Sends a request in the name of whose token it is, and follows the answer where there is a sink. `body` is the
    /// request's.
    package func answer(_ body: [UInt8], token: String, into sink: ChunkSink?) async throws
        -> InferenceResult
    {
        let accept = sink == nil ? "application/json" : "text/event-stream"
        let response = try await send(
            LocalRequest(
                "POST",
                Self.inference,
                fields: [
                    ("authorization", "Bearer \(token)"), ("accept", accept),
                    ("content-type", "application/json"),
                ],
                body: body
            )
        )
        let isStream = response.head["content-type"]?.hasPrefix("text/event-stream") == true
        guard let sink, isStream, response.head.status == 200 else {
            return try await decoded(response, "the result")
        }
        return try await HubStream(hub: self, body: response.body).follow(into: sink)
    }

    package static func body(_ value: some Encodable) throws(BreezeError) -> [UInt8] {
        do { return Array(try JSONEncoder().encode(value)) } catch { throw KitFault.unwritable(error) }
    }

    /// Whether it is a hub that answers.
    func isThere() async throws -> Bool {
        try await send(LocalRequest("GET", "/healthz")).head.status == 200
    }

    static func fields(_ key: HubKey) -> [(name: String, value: String)] {
        [("authorization", "Bearer \(key.text)"), ("accept", "application/json")]
    }

    /// - Throws: ``NothingSent``, ``BreezeError``, `CancellationError`.
    package func send(_ request: LocalRequest) async throws -> LocalResponse {
        try await mapping { try await client.send(request) }
    }

    package func decoded<Value: Decodable>(_ response: LocalResponse, _ what: String) async throws -> Value {
        guard (200...299).contains(response.head.status) else { throw await failure(response) }
        let bytes = try await mapping { try await response.body.collect() }
        do { return try JSONDecoder().decode(Value.self, from: Data(bytes)) } catch {
            throw KitFault.malformed("\(what) is not as this app knows it", underlying: error)
        }
    }

    /// Another way may be taken only before anything was sent, which ``send(_:)`` alone says.
    func mapping<Value>(_ work: () async throws -> Value) async throws -> Value {
        do { return try await work() } catch let failure as LocalHTTPFailure {
            throw KitFault.connection(failure, to: client.address)
        }
    }

    /// What the hub says of an answer that is none.
    func failure(_ response: LocalResponse) async -> any Error {
        let bytes: [UInt8]
        do { bytes = try await mapping { try await response.body.collect() } } catch { return error }
        let wait = Self.retryAfter(response.head)
        guard let error = Self.error(in: bytes) else { return Self.unexplained(response.head.status, wait) }
        if error.code == .keyNotValid { return KitFault.unknownKey }
        if error.code == .notFound { return KitFault.otherVersion }
        guard error.retryAfter == nil, let wait else { return error }
        return BreezeError(
            error.code,
            error.message,
            remedy: error.remedy,
            retryAfter: wait,
            verdict: error.verdict,
            service: error.service
        )
    }

    static func error(in bytes: [UInt8]) -> BreezeError? {
        try? JSONDecoder().decode(Failure.self, from: Data(bytes)).error
    }

    private static func retryAfter(_ head: ResponseHead) -> Duration? {
        head["retry-after"].flatMap { Int($0) }.flatMap { (0...86_400).contains($0) ? .seconds($0) : nil }
    }

    private static func unexplained(_ status: Int, _ wait: Duration?) -> BreezeError {
        switch status {
        case 401: KitFault.unknownKey
        case 429, 503:
            BreezeError(
                .resourceUnavailable,
                "The hub takes no request now (status \(status)).",
                remedy: "Try again later.",
                retryAfter: wait
            )
        default: KitFault.malformed("it has the status \(status), and says nothing more")
        }
    }
}
