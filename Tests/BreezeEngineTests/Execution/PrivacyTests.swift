import BreezeCore
import BreezeEngine
import Testing

/// What reaches a network runner, in the engine as a whole.
@Suite struct PrivacyTests {
    private let net = ScriptedRunner("net", locality: .network, onRun: { _, _ in "from afar" })

    @Test(arguments: [
        (ScriptedSettings(consents: ["net"]), PrivacyScope.onDevice),
        (ScriptedSettings(), .userSettings),
        (ScriptedSettings(["privacy.offline=true"], consents: ["net"]), .userSettings),
    ])
    func `a network runner that may not answer is asked nothing`(
        settings: ScriptedSettings,
        privacy: PrivacyScope
    ) async throws {
        let engine = Engine(settings: settings)
        try await engine.register(net)
        let request = InferenceRequest(.chat, prompt: "a secret", privacy: privacy)
        #expect(try await engine.explain(request).chosen == nil)
        await #expect(throws: BreezeError.self) { try await engine.run(request) }
        #expect(net.counts == ScriptedRunner.Counts())
    }

    @Test func `a pinned request never falls back to the network`() async throws {
        let engine = Engine(settings: ScriptedSettings(consents: ["net"]))
        try await engine.register(
            ScriptedRunner("local", onRun: { _, _ in throw BreezeError(.runFailed, "broken") })
        )
        try await engine.register(net)
        await #expect(throws: BreezeError(.runFailed, "broken")) {
            try await engine.run(InferenceRequest(.chat, prompt: "x", privacy: .onDevice))
        }
        #expect(net.counts.runs == 0)
        #expect(try await engine.run(InferenceRequest(.chat, prompt: "x")).runner == "net")
    }

    @Test func `a consent that is taken back before the fallback counts no more`() async throws {
        let settings = ScriptedSettings(consents: ["net"])
        let engine = Engine(settings: settings)
        try await engine.register(
            ScriptedRunner(
                "local",
                onRun: { _, _ in
                    settings.become([])
                    throw BreezeError(.runFailed, "broken")
                }
            )
        )
        try await engine.register(net)
        await #expect(throws: BreezeError.self) { try await engine.run(InferenceRequest(.chat, prompt: "x")) }
        #expect(net.counts.loads == 0)
        #expect(net.counts.runs == 0)
    }

    @Test func `a consent that is taken back while the runner loads counts no more`() async throws {
        let settings = ScriptedSettings(consents: ["net"])
        let engine = Engine(settings: settings)
        let slow = ScriptedRunner("net", locality: .network, onLoad: { settings.become([]) })
        try await engine.register(slow)
        let error = await #expect(throws: BreezeError.self) {
            try await engine.run(InferenceRequest(.chat, prompt: "x"))
        }
        #expect(error?.message.contains("no consent") == true)
        #expect(slow.counts.runs == 0)
    }
}
