import BreezeAccess
import BreezeCore
import BreezeHub
import BreezeKit
import BreezeLocalHTTP
import Foundation

/// The hub of this home, asked as its owner.
struct OwnHub: InferenceService {
    private struct Link: Encodable { let code: String }
    private struct Session: Decodable { let token: String }

    private let place: HubLock.Place
    private let http: HubHTTP

    /// `nil` where none runs, or it listens where nobody asks without TLS.
    init?(_ paths: BreezePaths) {
        guard let place = HubLock.running(paths.data),
            let address = place.socket.map(LocalAddress.socket) ?? LocalAddress(http: place.address)
        else { return nil }
        self.place = place
        http = HubHTTP(client: LocalHTTPClient(address))
    }

    func run(_ request: InferenceRequest) async throws -> InferenceResult {
        try await asOwner { try await http.answer(HubHTTP.body(request), token: $0, into: nil) }
    }

    func stream(_ request: InferenceRequest) -> InferenceStream {
        InferenceStream { sink in
            let result = try await asOwner {
                try await http.answer(HubHTTP.body(request), token: $0, into: sink)
            }
            try await sink.send(InferenceChunk(requestID: request.id, .result(result)))
        }
    }

    /// A request ends with the task that sent it.
    func cancel(_ id: String) async -> Bool { false }

    func explain(_ request: InferenceRequest) async throws -> RoutingDecision {
        try await asOwner { token in
            let body = try HubHTTP.body(request)
            return try await decoded(Self.asking("POST", "/breeze/v1/route", token, body))
        }
    }

    /// Within a session that ends with it.
    private func asOwner<Value>(_ work: (_ token: String) async throws -> Value) async throws -> Value {
        do {
            let link = try HubHTTP.body(Link(code: OwnerSessions.linkCode(proof: place.proof)))
            let session: Session = try await decoded(Self.asking("POST", "/breeze/v1/session", nil, link))
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await work(session.token)) } catch { outcome = .failure(error) }
            // Else it would end by itself, after twelve hours.
            _ = try? await http.send(Self.asking("DELETE", "/breeze/v1/session", session.token))
            return try outcome.get()
        } catch let error as NothingSent {
            throw BreezeError(
                .resourceUnavailable,
                "The hub does not answer: \(error.reason)",
                remedy: error.remedy ?? "Try again."
            )
        }
    }

    private func decoded<Value: Decodable>(_ request: LocalRequest) async throws -> Value {
        try await http.decoded(try await http.send(request), "what it says")
    }

    private static func asking(_ method: String, _ path: String, _ token: String?, _ body: [UInt8] = [])
        -> LocalRequest
    {
        let fields = [("accept", "application/json"), ("content-type", "application/json")]
        return LocalRequest(
            method,
            path,
            fields: fields + (token.map { [("authorization", "Bearer \($0)")] } ?? []),
            body: body
        )
    }
}
