import BreezeLocalHTTP
package import Foundation

/// `Tests/Oracles/fault_server.py`, running: what its paths answer is scripted, and it tells what it was
/// asked.
package struct FaultServer: Sendable, Decodable {
    package enum Port: Sendable { case https, cdn, http }

    /// A request as the server saw it.
    package struct Entry: Sendable, Decodable {
        package let path: String
        package let query: String
        package let method: String
        /// Names in lower case.
        package let headers: [String: String]
        package let port: String
        package let body: String
        package let status: Int
        /// Bytes of the body that were given to the connection.
        package let sent: Int
        package let over: Bool
        /// Whether all of the answer was sent.
        package let whole: Bool

        /// Where the asked range begins; `nil` where there was none.
        package var rangeStart: Int? {
            headers["range"].flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) }
        }
    }

    private let https: Int
    private let cdn: Int
    private let http: Int
    private let ca: String

    /// Starts one, and ends it when `body` is done.
    package static func run(_ body: @escaping @Sendable (FaultServer) async throws -> Void) async throws {
        guard let python = Oracle.python else { throw ChildFailure(description: "no Python: run make setup") }
        let script = URL(filePath: #filePath).appending(path: "../../Oracles/fault_server.py")
            .standardizedFileURL
        let outcome = try await ChildProcess(python, [script.path]).run { child in
            try await child.waits(for: "}\n")
            let server = try JSONDecoder().decode(FaultServer.self, from: Data(child.output.text.utf8))
            try await body(server)
            try child.send(SIGTERM)
        }
        guard outcome.code == 0 else {
            throw ChildFailure(description: "the fault server ended with \(outcome.code): \(outcome.errors)")
        }
    }

    /// The certificate that vouches for it.
    package var trustRoot: URL { URL(filePath: ca) }

    package func port(_ port: Port = .https) -> Int {
        switch port {
        case .https: https
        case .cdn: cdn
        case .http: http
        }
    }

    /// The path may have a query.
    package func url(_ path: String, on port: Port = .https) throws -> URL {
        let scheme = port == .http ? "http" : "https"
        guard let url = URL(string: "\(scheme)://localhost:\(self.port(port))\(path)") else {
            throw ChildFailure(description: "\(path) is no path")
        }
        return url
    }

    /// The steps are JSON, as the server's own documentation has it; `{https}`, `{cdn}` and `{http}` become
    /// addresses.
    package func script(_ path: String, _ steps: String) async throws {
        let steps = steps.replacing("{cdn}", with: "https://localhost:\(cdn)")
            .replacing("{https}", with: "https://localhost:\(https)")
            .replacing("{http}", with: "http://localhost:\(http)")
        _ = try await ask("/script", posting: "{\"path\":\"\(path)\",\"steps\":\(steps)}")
    }

    /// Of a body, in hexadecimal digits, by hashlib.
    package func digest(seed: Int, size: Int) async throws -> String {
        struct Answer: Decodable { let sha256: String }
        let data = try await ask("/digest?seed=\(seed)&size=\(size)")
        return try JSONDecoder().decode(Answer.self, from: data).sha256
    }

    package func log(_ path: String) async throws -> [Entry] {
        try JSONDecoder().decode([Entry].self, from: try await ask("/log")).filter { $0.path == path }
    }

    /// Until so many bytes of the path's bodies have been sent in all.
    package func wait(_ path: String, bytes: Int) async throws {
        _ = try await ask("/wait?path=\(path)&bytes=\(bytes)")
    }

    /// Until so many of its requests are over.
    package func wait(_ path: String, closed: Int) async throws {
        _ = try await ask("/wait?path=\(path)&closed=\(closed)")
    }

    package func open(gate: String) async throws {
        _ = try await ask("/open?gate=\(gate)")
    }

    private func ask(_ path: String, posting body: String? = nil) async throws -> Data {
        guard let address = LocalAddress(http: "http://localhost:\(http)") else {
            throw ChildFailure(description: "\(http) is no port")
        }
        let request = LocalRequest(body == nil ? "GET" : "POST", path, body: Array((body ?? "").utf8))
        return Data(try await LocalHTTPClient(address).send(request).body.collect())
    }
}
