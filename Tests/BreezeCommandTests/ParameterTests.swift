import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Parameter reports` {
    private func report(
        _ configuration: String,
        _ flags: String...
    ) async throws -> (entry: (String) -> [String: Any]?, outcome: Program.Outcome) {
        let request = "{\"capability\":\"chat\",\"prompt\":\"hello\",\"configuration\":\(configuration)}"
        let outcome = try await Program().run(["run", "--mock"] + flags, bytes: Array(request.utf8))
        let parameters = try outcome.json()["parameters"] as? [String: Any]
        let entries = parameters?["entries"] as? [[String: Any]] ?? []
        return ({ name in entries.first { $0["name"] as? String == name } }, outcome)
    }

    @Test func `a default is reported as the runner's`() async throws {
        let temperature = try #require(try await report("{}").entry("temperature"))
        #expect(temperature["tier"] as? String == "runnerDefault")
        #expect((temperature["events"] as? [Any])?.isEmpty == true)
    }

    @Test func `an overridden value is reported with the tier that lost`() async throws {
        let answer = try await report("{\"temperature\":0.25}", "--set", "defaults.temperature=0.75")
        let temperature = try #require(answer.entry("temperature"))
        #expect(temperature["tier"] as? String == "client")
        #expect(temperature["value"] as? Double == 0.25)
        let events = try #require(temperature["events"] as? [[String: Any]])
        let lost = try #require(events.first { $0["tier"] as? String == "engineSettings" })
        #expect(lost["kind"] as? String == "overridden")
        #expect(lost["asked"] as? Double == 0.75)
    }

    @Test func `a value that the runner does not know is reported as refused`() async throws {
        let answer = try await report("{\"topK\":40}")
        #expect(answer.outcome.code == 0)
        let topK = try #require(answer.entry("topK"))
        #expect(topK["value"] == nil)
        let events = try #require(topK["events"] as? [[String: Any]])
        #expect(events.map { $0["kind"] as? String } == ["refused"])
        #expect(events.first?["tier"] as? String == "client")
    }

    @Test(arguments: ["temperature=99", "temperature=hot", "responseStyle=rude"])
    func `a value out of its range is an error`(_ parameter: String) async throws {
        let outcome = try await Program().run("chat", "--mock", "--param", parameter, "hello")
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["code"] == "invalid_parameter")
    }
}

@Suite struct `Routing explained` {
    private func decision(_ arguments: String...) async throws -> [String: Any] {
        let outcome = try await Program().run(["route", "--json"] + arguments)
        #expect(outcome.code == 0)
        return try outcome.json()
    }

    private func candidates(_ decision: [String: Any]) throws -> [[String: Any]] {
        let candidates = try #require(decision["candidates"] as? [[String: Any]])
        for candidate in candidates {
            #expect(Set(candidate.keys).isSuperset(of: ["runner", "locality", "score", "reasons"]))
            #expect((candidate["reasons"] as? [String])?.isEmpty == false)
        }
        return candidates
    }

    @Test func `without a model nobody is chosen, and the mock says why it is not`() async throws {
        let decision = try await decision("chat", "hello")
        #expect(decision.keys.contains("chosen"))
        #expect(decision["chosen"] is NSNull)
        let mock = try #require(try candidates(decision).first { $0["runner"] as? String == "mock:llm" })
        #expect(mock["exclusion"] as? String == "mock")
        #expect(mock["score"] as? Int == 0)
    }

    @Test func `a mock that is asked for is chosen`() async throws {
        let decision = try await decision("chat", "--mock")
        #expect(decision["chosen"] as? String == "mock:llm")
        #expect(try candidates(decision).first?["locality"] as? String == "onDevice")
    }

    @Test func `a mock that is named is chosen`() async throws {
        #expect(try await decision("chat", "--runner", "mock:llm")["chosen"] as? String == "mock:llm")
    }

    @Test func `a request that is pinned to the device stays there`() async throws {
        let decision = try await decision("tts", "--mock", "--on-device", "hello")
        #expect(decision["chosen"] as? String == "mock:tts")
        #expect(try candidates(decision).allSatisfy { $0["locality"] as? String == "onDevice" })
    }

    @Test func `a capability without a runner has no candidates`() async throws {
        let decision = try await decision("rerank")
        #expect(decision["chosen"] is NSNull)
        #expect(try candidates(decision).isEmpty)
    }

    @Test func `people read the reasons too`() async throws {
        let outcome = try await Program().run("route", "chat")
        #expect(outcome.output.contains("mock:llm"))
        #expect(outcome.output.contains("answers only when it is asked for"))
        #expect(!outcome.output.contains("\u{1B}"))
    }
}
