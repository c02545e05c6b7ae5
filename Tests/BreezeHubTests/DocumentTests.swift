import BreezeTestSupport
import Foundation
import Testing

@Suite(.enabled(if: Oracle.python != nil && TestProgram.named("breeze") != nil, "needs make setup"))
struct `The API's document` {
    /// Schemathesis asks every operation what the document says that it takes, and much that it does not.
    @Test func `says what the hub does`() async throws {
        struct Link: Decodable { let panel: String }
        let program = try #require(TestProgram.named("breeze"))
        try await RunningHub.run { base, _, environment in
            let everything = ["chat", "embedding", "rerank", "guardian", "asr", "tts", "models"]
            let key = try await RunningHub.app(everything, environment)
            try await RunningHub.waitFor(key, at: base)
            let said = try await ChildProcess(program, ["panel", "--json"], environment: environment).run()
            let link = try JSONDecoder().decode(Link.self, from: Data(said.output.utf8)).panel
            let document = URL(filePath: #filePath).appending(path: "../../../Sources/OpenAPI/openapi.json")
            let checks = try await RunningHub.ask(
                "hub_schema.py",
                [base.absoluteString, key, document.standardizedFileURL.path, "--owner", link],
                environment,
                deadline: Soak.isWhole ? .seconds(1_800) : .seconds(600)
            )
            #expect(checks.count > 60)
            for check in checks { #expect(check.ok, "\(check.name): \(check.detail)") }
        }
    }
}
