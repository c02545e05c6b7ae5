import BreezeCore
import BreezeWire
import Foundation
import Testing

/// The `breeze` object: what it holds reads back by the contracts' own decoders.
@Suite struct BreezeAccountTests {
    private static let full: InferenceResult = {
        var answer = result()
        answer.runtime = "llama.cpp b1"
        answer.model = "m"
        answer.isMock = true
        answer.notices = ["a notice"]
        answer.usage.truncatedTokens = 4
        answer.timings.firstChunk = 0.125
        answer.timings.tokensPerSecond = 12.5
        let verdict = GuardianVerdict(
            action: .warn,
            findings: [.init(category: "personal-data.iban", risk: 0.75, span: 1..<9, rule: "iban")]
        )
        answer.guardianVerdicts = [verdict]
        answer.guardianVerdicts[0].stage = .personalData
        answer.guardianVerdicts[0].guardian = "rules"
        let error = BreezeError(
            .busy,
            "It is \"busy\".",
            remedy: "Wait.",
            retryAfter: .milliseconds(1_500),
            verdict: verdict,
            service: "huggingface"
        )
        answer.routing = RoutingDecision(
            capability: .chat,
            chosen: "mock-llm",
            candidates: [
                .init(
                    runner: "mock-llm",
                    model: "m",
                    locality: .onDevice,
                    score: 7,
                    reasons: ["on device", "é"]
                ),
                .init(
                    runner: "api",
                    locality: .network,
                    exclusion: .noConsent,
                    reasons: [],
                    remedy: "breeze consent"
                ),
            ],
            failures: [.init(runner: "llama", error: error)],
            guarding: Guarding(guardian: "rules", input: .block, output: .filter, tools: .warn, reason: "r")
        )
        answer.parameters = ParameterReport(entries: [
            .init(
                name: "temperature",
                value: 0.5,
                tier: .client,
                events: [
                    .init(kind: .clamped, tier: .client, asked: .array(["x", true, .null]), reason: "range")
                ]
            ),
            .init(name: "seed"),
        ])
        return answer
    }()

    private struct Account: Decodable {
        var request_id: String
        var runner: String
        var runtime: String
        var mock: Bool
        var routing: RoutingDecision
        var parameters: ParameterReport
        var guardian: [GuardianVerdict]
        var timings: Timings
        var notices: [String]
        var ignored: [String]
        var truncated_tokens: Int
    }

    @Test func `contracts read back as they were`() throws {
        var call = try OpenAIChat.parse(
            bytes(
                #"{"model":"m","messages":[{"role":"user","content":"x"}],"what":1,"reasoning_effort":"low"}"#
            )
        )
        call.requests[0].id = "c1"
        let body = try json(OpenAIChat.answer([Self.full], to: call, created: noon))
        let account = try JSONDecoder().decode(
            Account.self,
            from: JSONEncoder().encode(try #require(body["breeze"]))
        )
        #expect(account.request_id == "r1")
        #expect((account.runner, account.runtime, account.mock) == ("mock-llm", "llama.cpp b1", true))
        #expect(account.routing == Self.full.routing)
        #expect(account.parameters == Self.full.parameters)
        #expect(account.guardian == Self.full.guardianVerdicts)
        #expect(account.timings == Self.full.timings)
        #expect(account.notices.last == "a notice")
        #expect(account.notices.count == 2, "how the body was read is a notice, too")
        #expect(account.ignored == ["what"])
        #expect(account.truncated_tokens == 4)
    }

    @Test func `every dialect's answer carries it`() throws {
        let chat = try Ollama.parseChat(
            bytes(#"{"model":"m","messages":[{"role":"user","content":"x"}],"y":1}"#)
        )
        let body = try json(Ollama.answer(Self.full, to: chat, route: .chat, created: noon))
        #expect(body["breeze", "ignored"] == ["y"])
        #expect(body["breeze", "mock"] == true)
        #expect(body["breeze", "routing", "chosen"] == "mock-llm")
    }
}
