import BreezeCore
import BreezeTransport
import Foundation

/// Sends one request to a service, again where that is safe, and gives its answer once it is a good one.
struct APIClient: Sendable {
    /// Bytes of an error's body, or of a whole answer, that are read.
    private static let errorLimit = 1 << 20
    static let bodyLimit = 256 << 20

    let service: APIService
    let model: APIModel
    let transport: any HTTPTransport
    let key: APIRunner.Key
    let retry: RetryPolicy
    let clock: any Clock<Duration>

    /// A conversation with the service about one request.
    struct Call: Sendable {
        let client: APIClient
        let key: String?
        let texts: [String]

        func error(_ failure: APIFailure) -> BreezeError {
            let said = ServerWords.shown(failure.message, hiding: key, texts)
            return failure.error(client.service, client.model, said: said)
        }
    }

    /// `texts` are what no error may repeat.
    func call(_ texts: [String]) async throws -> Call {
        Call(client: self, key: try await currentKey(), texts: texts)
    }

    /// - Throws: ``BreezeError/Code/authRequired`` where the service needs a key and there is none.
    func currentKey() async throws -> String? {
        guard service.keyName != nil else { return nil }
        let found: String?
        do { found = try await key() } catch is CancellationError { throw CancellationError() } catch {
            throw error as? BreezeError ?? .keyUnreadable(service)
        }
        guard let found, !found.isEmpty else { throw BreezeError.keyMissing(service) }
        return found
    }
}

extension APIClient.Call {
    /// - Returns: An answer with a status of 200 to 299.
    func post(_ path: String, _ body: JSONValue) async throws -> HTTPResponse {
        let request = try request(path, body)
        var attempt = 0
        while true {
            attempt += 1
            let (failure, wait): (BreezeError, Duration?)
            do {
                let response = try await client.transport.send(request)
                if (200..<300).contains(response.status) { return response }
                let reported = await report(response)
                failure = error(reported)
                wait =
                    reported.maySendAgain
                    ? client.retry.wait(after: attempt, asked: reported.retryAfter) : nil
            } catch let error as BreezeError where error.wasNeverSent {
                failure = error
                wait = client.retry.wait(after: attempt, asked: nil)
            }
            guard let wait else { throw failure }
            try await client.clock.sleep(for: wait)
        }
    }

    private func request(_ path: String, _ body: JSONValue) throws -> HTTPRequest {
        var headers = HeaderFields()
        for (name, value) in client.service.headers.sorted(by: { $0.key < $1.key }) { headers[name] = value }
        headers["Content-Type"] = "application/json"
        headers["Accept"] =
            body["stream"] == true ? "text/event-stream, application/json" : "application/json"
        if let options = client.service.openRouter {
            if let referer = options.referer { headers["HTTP-Referer"] = referer.absoluteString }
            if let title = options.title { headers["X-Title"] = title }
        }
        if let key { headers["Authorization"] = "Bearer \(key)" }
        return HTTPRequest(
            "POST",
            client.service.baseURL.appending(path: path),
            purpose: .inference,
            headers: headers,
            body: Array(try body.compactText().utf8)
        )
    }

    /// What a status that is none of success means. A body that cannot be read leaves the status.
    private func report(_ response: HTTPResponse) async -> APIFailure {
        let bytes = (try? await response.body.collect(upTo: APIClient.errorLimit)) ?? []
        let body = try? JSONValue(parsing: bytes)
        var failure = body.flatMap { APIFailure(reported: $0) } ?? APIFailure()
        failure.isForeign = body?.objectValue == nil
        failure.status = response.status
        failure.retryAfter = client.retry.retryAfter(
            response.headers["Retry-After"],
            milliseconds: response.headers["Retry-After-Ms"]
        )
        failure.forbidsRetry = response.headers["X-Should-Retry"] == "false"
        return failure
    }
}

extension APIFailure {
    /// Whether the service turned the request away before it did anything. A 503 alone may come from a balancer whose
    /// server died over the request; one that says when to come back was meant.
    fileprivate var maySendAgain: Bool {
        guard !forbidsRetry, !isOutOfCredit else { return false }
        return status == 429 || status == 503 && retryAfter != nil
    }
}
