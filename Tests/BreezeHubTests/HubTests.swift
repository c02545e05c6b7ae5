import BreezeTestSupport
import Foundation
import Testing

/// The real program as a hub with mocks, asked by what others wrote.
@Suite(.enabled(if: Oracle.python != nil && TestProgram.named("breeze") != nil, "needs make setup"))
struct `The hub` {
    @Test func `OpenAI's and Ollama's own clients are satisfied`() async throws {
        try await RunningHub.run { base, _, environment in
            let key = try await RunningHub.app(["chat", "embedding", "guardian", "vlm"], environment)
            try await RunningHub.waitFor(key, at: base)
            let checks = try await RunningHub.ask("hub_clients.py", [base.absoluteString, key], environment)
            #expect(checks.count == 32)
            for check in checks { #expect(check.ok, "\(check.name): \(check.detail)") }
        }
    }

    @Test func `clients that go, and those that mean no good, do no harm`() async throws {
        try await RunningHub.run { base, socket, environment in
            let program = try #require(TestProgram.named("breeze"))
            let key = try await RunningHub.app(["chat"], environment)
            try await RunningHub.waitFor(key, at: base)
            let port = String(base.port ?? 0)
            let checks = try await RunningHub.ask(
                "hub_wire.py",
                [port, socket, key, program.path],
                environment
            )
            #expect(checks.count == 30)
            for check in checks { #expect(check.ok, "\(check.name): \(check.detail)") }
        }
    }

    @Test func `an open hub lets a stranger in, and to mocks only where it has them`() async throws {
        try await RunningHub.run(["--open"]) { base, _, _ in
            let listed = try await RunningHub.status(base.appending(path: "v1/models"))
            #expect(listed == 200)
            let judged = try await RunningHub.status(
                base.appending(path: "v1/moderations"),
                #"{"input":"hello"}"#
            )
            #expect(judged == 200)
            let question = #"{"model":"mock-llm","messages":[{"role":"user","content":"hi"}]}"#
            let asked = try await RunningHub.status(base.appending(path: "v1/chat/completions"), question)
            #expect(asked == 404)
        }
    }

    @Test func `there is one hub for a home`() async throws {
        try await RunningHub.run { _, _, environment in
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
