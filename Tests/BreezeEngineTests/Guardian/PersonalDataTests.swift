import BreezeCore
import Foundation
import Testing

@testable import BreezeEngine

/// What leaves the device, and what stays on it as it is.
@Suite struct PersonalDataTests {
    private static let text = "write to a@b.c today"
    private static let redacted = "write to [removed: personal-data.email] today"
    typealias Kind = GuardianFixture.Kind

    @Test(arguments: Kind.allCases)
    func `a network runner gets the request without personal data, and the result says so`(
        kind: Kind
    ) async throws {
        let fixture = try await GuardianFixture(
            kind.guardian(.standard),
            consents: ["chat"],
            locality: .network
        )
        let request = InferenceRequest(
            .chat,
            messages: [
                .init(.user, Self.text),
                .init(.assistant, "", toolCalls: [ToolCall(id: "1", name: "f", arguments: ["to": "a@b.c"])]),
                .init(.tool, "sent to a@b.c", toolCallID: "1"),
            ]
        )
        let result = try await fixture.engine.run(request)
        let seen = try #require(fixture.requests.first?.messages)
        #expect(
            seen.map(\.content) == [Self.redacted, "", "sent to [removed: personal-data.email]"]
        )
        #expect(seen[1].toolCalls?.first?.arguments == ["to": "[removed: personal-data.email]"])
        #expect(
            result.notices == [
                "The guardian watch took out of what would leave the device: personal-data.email."
            ]
        )
        #expect(result.guardianVerdicts.contains { $0.stage == .personalData && $0.action == .block })
    }

    @Test(arguments: Kind.allCases)
    func `a runner on the device gets it as it is`(kind: Kind) async throws {
        for settings in [[], ["guardian.personalData=block"]] {
            let fixture = try await GuardianFixture(
                kind.guardian(.standard),
                settings: settings,
                onRun: { request, sink in
                    try await GuardianFixture.pieces(["you wrote ", request.prompt ?? ""])(request, sink)
                }
            )
            let answer = try await fixture.stream(InferenceRequest(.chat, prompt: Self.text))
            #expect(fixture.requests.map(\.prompt) == [Self.text])
            #expect(answer.text == "you wrote \(Self.text)")
            #expect(answer.result?.notices == [])
        }
    }

    @Test func `the first one that answers on the device after the network failed gets the original`()
        async throws
    {
        let fixture = try await GuardianFixture(
            PhraseGuardian(),
            settings: ["routing.preferred.chat=chat"],
            consents: ["chat"],
            locality: .network,
            onRun: { _, _ in throw BreezeError(.runFailed, "no line") }
        )
        let local = ScriptedRunner("local", onRun: { request, _ in request.prompt ?? "" })
        try await fixture.engine.register(local)
        let result = try await fixture.engine.run(InferenceRequest(.chat, prompt: Self.text))
        #expect(result.output.text == Self.text)
        #expect(!result.notices.contains { $0.contains("leave the device") })
    }

    @Test(arguments: [AICapability.embedding, .classification, .rerank, .chat])
    func `every capability keeps it from the network`(capability: AICapability) async throws {
        let fixture = try await GuardianFixture(
            PhraseScannerGuardian(),
            consents: ["chat"],
            capabilities: [capability],
            locality: .network
        )
        let categories = [
            ClassificationCategory(name: "one", examples: [Self.text]),
            ClassificationCategory(name: "two", examples: ["x"]),
        ]
        let request = InferenceRequest(
            capability,
            prompt: Self.text,
            inputs: [Self.text],
            categories: categories
        )
        _ = try await fixture.engine.run(request)
        let seen = try #require(fixture.requests.first)
        #expect(seen.prompt == Self.redacted)
        #expect(seen.inputs == [Self.redacted])
        #expect(seen.categories?.first?.examples == [Self.redacted])
    }

    @Test func `block keeps the request here, allow lets it go`() async throws {
        for (rule, seen) in [("block", []), ("allow", [Self.text])] {
            let fixture = try await GuardianFixture(
                PhraseGuardian(),
                settings: ["guardian.personalData=\(rule)"],
                consents: ["chat"],
                locality: .network
            )
            let answer = try await fixture.stream(InferenceRequest(.chat, prompt: Self.text))
            #expect(fixture.requests.map(\.prompt) == seen)
            #expect((answer.error?.verdict?.stage == .personalData) == seen.isEmpty)
        }
    }

    @Test func `personal data without a place keeps the request here`() async throws {
        let phrases = Phrases(["a@b.c": "personal-data.email"], hasSpans: false)
        let fixture = try await GuardianFixture(
            PhraseGuardian("watch", phrases),
            consents: ["chat"],
            locality: .network
        )
        let answer = try await fixture.stream(InferenceRequest(.chat, prompt: Self.text))
        #expect(answer.error?.code == .guardianBlocked)
        #expect(fixture.requests.isEmpty)
    }

    @Test(arguments: ["guardian.personalData=redact", "guardian.runner=nobody"])
    func `nothing goes to the network where the guardian that is asked for is missing`(
        setting: String
    ) async throws {
        let fixture = try await GuardianFixture(
            nil,
            settings: [setting],
            consents: ["chat"],
            capabilities: [.embedding],
            locality: .network
        )
        await #expect(throws: BreezeError.self) {
            try await fixture.engine.run(InferenceRequest(.embedding, prompt: "x"))
        }
        #expect(fixture.requests.isEmpty)
    }

    @Test func `an image goes as it is, and the result says so`() async throws {
        let fixture = try await GuardianFixture(
            PhraseGuardian(),
            consents: ["chat"],
            capabilities: [.vlm],
            locality: .network
        )
        let result = try await fixture.engine.run(
            InferenceRequest(.vlm, prompt: "what is it?", imageData: Data([1, 2]))
        )
        #expect(result.notices.contains { $0.contains("images and recordings went as they are") })
    }

    @Test func `categories of the settings make personal data count on the device too`() throws {
        var tree = SettingsTree()
        try tree.set(["guardian", "categories"], to: ["injection", "personal-data.iban"], origin: .flag)
        #expect(!EngineSettings(tree).guardianPolicy.ignoresPersonalData)
        #expect(EngineSettings().guardianPolicy.ignoresPersonalData)
    }
}
