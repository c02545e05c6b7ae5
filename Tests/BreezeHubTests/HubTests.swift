import BreezeTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The real program as a hub with mocks, asked by what others wrote.
@Suite(.enabled(if: Oracle.python != nil && TestProgram.named("breeze") != nil, "needs make setup"))
struct `The hub` {
    private struct Place: Decodable {
        let address: String
        let socket: String
    }

    private struct Check: Decodable {
        let name: String
        let ok: Bool
        let detail: String
    }

    /// Starts a hub in a home of its own, and ends it when `body` is done.
    private static func run(
        _ options: [String] = ["--mock"],
        _ body:
            @escaping @Sendable (_ base: URL, _ socket: String, _ environment: [String: String]) async throws
            -> Void
    ) async throws {
        let program = try #require(TestProgram.named("breeze"))
        let folder = try ScratchFolder()
        let inherited = ProcessInfo.processInfo.environment
        var environment = ["BREEZE_HOME": folder.url.path, "HOME": folder.url.path]
        for name in ["PATH", "LD_LIBRARY_PATH"] { environment[name] = inherited[name] }
        var child = ChildProcess(
            program,
            ["serve", "--port", "0", "--json", "--socket", "/tmp/breeze-\(UUID().uuidString).sock"] + options
        )
        child.environment = environment
        let known = environment
        let outcome = try await child.run { running in
            try await running.waits(for: "}\n")
            let place = try JSONDecoder().decode(Place.self, from: Data(running.text.utf8))
            try await body(try #require(URL(string: place.address)), place.socket, known)
            try running.send(SIGTERM)
        }
        #expect(outcome.code == 128 + SIGTERM)
        withExtendedLifetime(folder) {}
    }

    private static func app(_ capabilities: [String], _ environment: [String: String]) async throws -> String
    {
        struct Issued: Decodable { let key: String }
        let program = try #require(TestProgram.named("breeze"))
        let allowed = capabilities.flatMap { ["--allow", $0] }
        let outcome = try await ChildProcess(
            program,
            ["apps", "add", "Tests", "--json"] + allowed,
            environment: environment
        ).run()
        return try JSONDecoder().decode(Issued.self, from: Data(outcome.output.utf8)).key
    }

    private static func ask(
        _ script: String,
        _ arguments: [String],
        _ environment: [String: String]
    ) async throws -> [Check] {
        let file = URL(filePath: #filePath).appending(path: "../../Oracles/\(script)").standardizedFileURL
        let outcome = try await ChildProcess(
            try #require(Oracle.python),
            [file.path] + arguments,
            environment: environment
        ).run()
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try outcome.output.split(separator: "\n").map {
            try JSONDecoder().decode(Check.self, from: Data($0.utf8))
        }
    }

    /// `nil` where nobody answers.
    private static func status(_ url: URL, _ body: String? = nil, key: String? = nil) async throws -> Int? {
        var request = URLRequest(url: url)
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body.map { Data($0.utf8) }
        if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode
    }

    /// Until another process's decision has reached the hub.
    private static func waitFor(_ key: String, at base: URL) async throws {
        for _ in 0..<600 {
            if try await status(base.appending(path: "v1/models"), key: key) == 200 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the key never counted")
    }

    @Test func `OpenAI's and Ollama's own clients are satisfied`() async throws {
        try await Self.run { base, _, environment in
            let key = try await Self.app(["chat", "embedding", "guardian", "vlm"], environment)
            try await Self.waitFor(key, at: base)
            let checks = try await Self.ask("hub_clients.py", [base.absoluteString, key], environment)
            #expect(checks.count == 32)
            for check in checks { #expect(check.ok, "\(check.name): \(check.detail)") }
        }
    }

    @Test func `clients that go, and those that mean no good, do no harm`() async throws {
        try await Self.run { base, socket, environment in
            let program = try #require(TestProgram.named("breeze"))
            let key = try await Self.app(["chat"], environment)
            try await Self.waitFor(key, at: base)
            let port = String(base.port ?? 0)
            let checks = try await Self.ask("hub_wire.py", [port, socket, key, program.path], environment)
            #expect(checks.count == 30)
            for check in checks { #expect(check.ok, "\(check.name): \(check.detail)") }
        }
    }

    @Test func `an open hub lets a stranger in, and to mocks only where it has them`() async throws {
        try await Self.run(["--open"]) { base, _, _ in
            let listed = try await Self.status(base.appending(path: "v1/models"))
            #expect(listed == 200)
            let judged = try await Self.status(base.appending(path: "v1/moderations"), #"{"input":"hello"}"#)
            #expect(judged == 200)
            let question = #"{"model":"mock-llm","messages":[{"role":"user","content":"hi"}]}"#
            let asked = try await Self.status(base.appending(path: "v1/chat/completions"), question)
            #expect(asked == 404)
        }
    }

    @Test func `there is one hub for a home`() async throws {
        try await Self.run { _, _, environment in
            let program = try #require(TestProgram.named("breeze"))
            let second = try await ChildProcess(
                program,
                ["serve", "--port", "0", "--socket", "none"],
                environment: environment
            ).run()
            #expect(second.code == 1 && second.errors.contains("runs already"))
        }
    }

    @Test(arguments: [
        (["--host", "0.0.0.0"], "read on its way"),
        (["--host", "0.0.0.0", "--open", "--insecure"], "--open"),
        (["--tls-certificate", "x.pem"], "go together"),
        (["--port", "70000"], "0 to 65535"),
    ])
    func `what would open the device by mistake is refused`(options: [String], said: String) async throws {
        let program = try #require(TestProgram.named("breeze"))
        let folder = try ScratchFolder()
        let outcome = try await ChildProcess(
            program,
            ["serve", "--port", "0"] + options,
            environment: ["BREEZE_HOME": folder.url.path, "HOME": folder.url.path]
        ).run()
        #expect(outcome.code != 0 && outcome.errors.contains(said))
    }
}
