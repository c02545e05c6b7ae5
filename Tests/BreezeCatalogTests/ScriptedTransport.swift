import BreezeCore
import BreezeTransport
import Foundation
import Synchronization

/// Answers by path, and remembers what was asked.
final class ScriptedTransport: HTTPTransport {
    struct Answer {
        var status = 200
        var headers: HeaderFields = [:]
        var body = ""
    }

    private let answers: [String: Answer]
    private let seen = Mutex<[HTTPRequest]>([])

    /// `answers` by path and query, without the server's name.
    init(_ answers: [String: Answer]) {
        self.answers = answers
    }

    var requests: [HTTPRequest] { seen.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        seen.withLock { $0.append(request) }
        let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let answer = answers[request.url.path(percentEncoded: true) + query] ?? Answer(status: 404)
        return HTTPResponse(
            status: answer.status,
            headers: answer.headers,
            url: request.url,
            body: HTTPBody(Array(answer.body.utf8))
        )
    }
}

/// Serves files whole, by path and query, as an ordinary server without ranges does.
final class FileTransport: HTTPTransport {
    private let files: [String: Data]
    private let counts = Mutex<[String: Int]>([:])

    init(_ files: [String: Data]) {
        self.files = files
    }

    /// How often a file itself was asked for.
    func asked(_ path: String) -> Int { counts.withLock { $0[path] ?? 0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let path = request.url.path(percentEncoded: true) + query
        guard let data = files[path] else { return HTTPResponse(status: 404, url: request.url) }
        let headers: HeaderFields = ["Content-Length": "\(data.count)", "ETag": "\"1\""]
        if request.method == "HEAD" { return HTTPResponse(status: 200, headers: headers, url: request.url) }
        counts.withLock { $0[path, default: 0] += 1 }
        return HTTPResponse(status: 200, headers: headers, url: request.url, body: HTTPBody(Array(data)))
    }
}
