import BreezeCore
import BreezeTransport
import Foundation

/// How providers ask their services: JSON over HTTP, failures in words that a person can act on.
struct ProviderClient: Sendable {
    let transport: any HTTPTransport
    /// As `breeze secrets set` calls it: `huggingface`.
    let name: String
    /// As a person calls it: `Hugging Face`.
    let service: String
    /// How a credential is given to Breeze.
    let remedy: String

    private static let largestAnswer = 32 << 20

    func get<Answer: Decodable>(
        _ url: URL,
        _ headers: HeaderFields = [:],
        as type: Answer.Type = Answer.self
    ) async throws -> (answer: Answer, headers: HeaderFields) {
        let response = try await send("GET", url, headers)
        let bytes = try await response.body.collect(upTo: Self.largestAnswer)
        do {
            return (try JSONDecoder().decode(type, from: Data(bytes)), response.headers)
        } catch {
            throw BreezeError(
                .invalidResponse,
                "\(service) answered something that its documentation does not say.",
                remedy: "Try again later; if it stays so, this Breeze may be too old for \(service).",
                underlying: error
            )
        }
    }

    /// A text, such as a licence; `nil` where there is none.
    func text(_ url: URL, _ headers: HeaderFields) async throws -> String? {
        do {
            let response = try await send("GET", url, headers)
            return String(decoding: try await response.body.collect(upTo: 4 << 20), as: UTF8.self)
        } catch let error as BreezeError where error.code == .unknownModel || error.code == .authRequired {
            return nil
        }
    }

    func head(_ url: URL, _ headers: HeaderFields = [:]) async throws -> HTTPResponse {
        try await send("HEAD", url, headers)
    }

    private func send(_ method: String, _ url: URL, _ headers: HeaderFields) async throws -> HTTPResponse {
        var headers = headers
        if method == "GET" { headers["Accept"] = headers["Accept"] ?? "application/json" }
        let request = HTTPRequest(method, url, purpose: .modelSearch, headers: headers)
        let response = try await transport.send(request)
        guard !(200..<300).contains(response.status) else { return response }
        let said = String(
            decoding: try await response.body.collect(upTo: 1 << 20).prefix(4_096),
            as: UTF8.self
        )
        throw fault(response, said)
    }

    private func fault(_ response: HTTPResponse, _ said: String) -> BreezeError {
        let place = response.url.withoutSecrets
        let code = response.headers["X-Error-Code"]
        switch (response.status, code) {
        case (401, "GatedRepo"?), (403, _):
            return .authRequired(
                service: name,
                "\(service): access to \(place) is restricted; its terms must be accepted there first.",
                remedy: "Accept them on the model's page, then: \(remedy)"
            )
        case (401, "RepoNotFound"?), (404, _):
            return BreezeError(
                .unknownModel,
                "\(service) has nothing at \(place).",
                remedy: "Check the name and the revision; a private model needs a credential (\(remedy))."
            )
        case (401, _):
            return .authRequired(
                service: name,
                "\(service): \(place) needs a valid credential.",
                remedy: remedy
            )
        case (429, _):
            let wait = response.headers["Retry-After"].flatMap { Int($0) }.map { Duration.seconds($0) }
            return BreezeError(
                .resourceUnavailable,
                "\(service) asks for fewer requests.",
                remedy: "Try again later.",
                retryAfter: wait
            )
        default:
            return BreezeError(
                .resourceUnavailable,
                "\(service) answered \(response.status) for \(place).",
                remedy: "Try again later.",
                underlying: ProviderAnswer(text: said)
            )
        }
    }
}

/// What a service said, for the log.
private struct ProviderAnswer: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
}
