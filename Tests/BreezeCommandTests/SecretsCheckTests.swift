import BreezeTestSupport
import Foundation
import Testing

@Suite(.enabled(if: Oracle.python != nil, "there is no Python to be Hugging Face: run make setup"))
struct `Checking a key from the command line` {
    private struct Request: Encodable {
        let arguments: [String]
        let environment: [String: String]
        /// The one that is taken.
        let token = "hf_marker_good"
    }

    private struct Answer: Decodable {
        struct Asked: Decodable, Equatable {
            let path: String
            let authorization: String
        }
        let code: Int32
        let output: String
        let errors: String
        let asked: [Asked]
    }

    private func check(_ token: String, _ program: Program, _ options: String...) async throws -> Answer {
        let executable: URL = try #require(Program.executable)
        let request = Request(
            arguments: ["secrets", "test", "huggingface"] + options,
            environment: program.environment.merging(["HF_TOKEN": token]) { $1 }
        )
        return try await Oracle.run("secret_check.py", executable, input: request)
    }

    @Test func `a good one is accepted, and told whose it is`() async throws {
        let program = try Program()
        let answer = try await check("hf_marker_good", program)
        #expect(answer.code == 0)
        #expect(answer.output == "Hugging Face takes the environment's HF_TOKEN (ann).\n")
        #expect(answer.asked == [.init(path: "/api/whoami-v2", authorization: "Bearer hf_marker_good")])
        let ledger = try String(
            contentsOf: program.home.appending(path: "egress.jsonl"),
            encoding: .utf8
        )
        #expect(ledger.contains("credential_check"))
        #expect(!(answer.output + answer.errors + ledger).contains("marker"))
    }

    @Test func `a bad one is refused with the service to set it for`() async throws {
        let answer = try await check("hf_marker_bad", Program())
        #expect(answer.code == 1)
        #expect(answer.errors.contains("Hugging Face refuses the environment's HF_TOKEN."))
        #expect(answer.errors.contains(#""service":"huggingface""#))
        #expect(!(answer.output + answer.errors).contains("marker"))
    }

    @Test func `nothing is asked where nothing may leave the device`() async throws {
        let answer = try await check("hf_marker_good", Program(), "--set", "privacy.offline=true")
        #expect(answer.code == 1)
        #expect(answer.errors.contains("resource_unavailable"))
        #expect(answer.asked.isEmpty)
    }
}
