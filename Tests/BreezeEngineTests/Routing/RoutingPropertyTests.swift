import BreezeCore
import BreezeTestSupport
import Testing

@testable import BreezeEngine

/// The promises of the router, held against 10,000 random registries.
@Suite struct RoutingPropertyTests {
    struct Scene {
        let context: RoutingContext
        let request: InferenceRequest
        let policy: any RoutingPolicy
    }

    /// Ranks by the dice, to show that no policy can break the rules.
    struct Arbitrary: RoutingPolicy {
        let salt: Int

        func rank(
            _ runner: RunnerFacts,
            for request: InferenceRequest,
            in context: RoutingContext
        ) -> RoutingRank? {
            let roll = (runner.id.utf8.reduce(salt) { ($0 &* 31) &+ Int($1) }) & 0xffff
            return roll % 11 == 0 ? nil : RoutingRank(score: roll, reasons: [])
        }
    }

    private func scene(seed: UInt64) -> Scene {
        var dice = SeededGenerator(seed: seed)
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &dice) < percent }
        let runners = (0..<Int.random(in: 0...8, using: &dice)).map { index in
            RunnerFacts(
                id: "b\(Int.random(in: 0...3, using: &dice)):m\(index)",
                modelID: chance(70) ? "m\(index)" : nil,
                locality: chance(50) ? .network : .onDevice,
                availability: chance(20) ? .unavailable(reason: "gone", remedy: nil) : .available,
                canRun: chance(85),
                isLoaded: chance(30),
                isMock: chance(20),
                memoryEstimate: chance(50) ? Int64.random(in: 0...100, using: &dice) : nil,
                qualityTier: Int.random(in: 0...9, using: &dice)
            )
        }
        let any = runners.randomElement(using: &dice)
        let consents = runners.filter { _ in chance(40) }.map { chance(50) ? $0.id : $0.backend }
        let context = RoutingContext(
            runners: runners,
            preferred: chance(30) ? any?.id : nil,
            consents: Set(consents),
            isOffline: chance(20),
            availableMemory: chance(50) ? Int64.random(in: 0...100, using: &dice) : nil
        )
        let request = InferenceRequest(
            .chat,
            prompt: "x",
            id: "r",
            modelID: chance(10) ? any?.modelID : nil,
            runnerID: chance(10) ? any?.id : nil,
            privacy: chance(30) ? .onDevice : .userSettings,
            allowsMocks: chance(30)
        )
        let policy: any RoutingPolicy =
            chance(50) ? StandardRoutingPolicy() : Arbitrary(salt: Int.random(in: 0...1000, using: &dice))
        return Scene(context: context, request: request, policy: policy)
    }

    @Test func `no registry, setting or policy breaks a promise`() throws {
        var answered = 0
        var overNetwork = 0
        for seed in 0..<10_000 as Range<UInt64> {
            let scene = scene(seed: seed)
            let decision = Router(policy: scene.policy).decide(scene.request, in: scene.context)
            let facts = Dictionary(
                scene.context.runners.map { ($0.id, $0) },
                uniquingKeysWith: { first, _ in first }
            )
            let able = decision.candidates.filter { $0.exclusion == nil }
            for candidate in able {
                let runner = try #require(facts[candidate.runner])
                check(runner, scene, seed: seed)
                overNetwork += runner.locality == .network ? 1 : 0
            }
            #expect(decision.candidates.count == scene.context.runners.count, "seed \(seed)")
            #expect(decision.chosen == able.first?.runner, "seed \(seed)")
            #expect(able.map(\.score) == able.map(\.score).sorted(by: >), "seed \(seed)")
            #expect(decision.candidates.allSatisfy { $0.exclusion == nil || $0.score == 0 }, "seed \(seed)")
            #expect(Router(policy: scene.policy).decide(scene.request, in: scene.context) == decision)
            answered += decision.chosen == nil ? 0 : 1
        }
        // The dice must reach the cases that the promises are about.
        #expect(answered > 1_000)
        #expect(overNetwork > 1_000)
    }

    private func check(_ runner: RunnerFacts, _ scene: Scene, seed: UInt64) {
        if runner.locality == .network {
            let consents = scene.context.consents
            #expect(consents.contains(runner.id) || consents.contains(runner.backend), "seed \(seed)")
            #expect(scene.request.privacy == .userSettings, "a pinned request left, seed \(seed)")
            #expect(!scene.context.isOffline, "seed \(seed)")
        }
        #expect(!runner.isMock || scene.request.allowsMocks || scene.request.runnerID != nil, "seed \(seed)")
        #expect(runner.canRun && runner.availability == .available, "seed \(seed)")
        #expect(scene.request.modelID == nil || scene.request.modelID == runner.modelID, "seed \(seed)")
    }

    /// The same scene in an engine, whose runners refuse to run for whoever may not reach them.
    private func engine(_ scene: Scene, _ profile: DeviceProfile) async throws -> Engine {
        let context = scene.context
        // No margin, so that all of the memory can be had.
        var flags = ["privacy.offline=\(context.isOffline)", "residency.reserve=0"]
        if let preferred = context.preferred { flags.append("routing.preferred.chat=\(preferred)") }
        var profile = profile
        profile.memory.available = context.availableMemory
        let engine = Engine(
            settings: ScriptedSettings(flags, consents: context.consents.sorted()),
            policy: scene.policy,
            hardware: ScriptedHardwareDetector(profile),
            logger: LogCollector().logger,
            // Ten thousand engines: the kernel is not asked to wake each.
            residency: ResidencyOptions(pressure: ScriptedPressure())
        )
        for facts in context.runners {
            let isPinned = scene.request.privacy == .onDevice
            try await engine.register(
                ScriptedRunner(
                    facts.id,
                    locality: facts.locality,
                    model: facts.modelID.map { ModelInfo(id: $0, format: .gguf) },
                    memoryEstimate: facts.memoryEstimate,
                    qualityTier: facts.qualityTier,
                    isMock: facts.isMock,
                    canRun: facts.canRun,
                    availability: facts.availability,
                    onRun: { _, _ in
                        #expect(facts.locality == .onDevice || !(isPinned || context.isOffline))
                        return ""
                    }
                )
            )
        }
        return engine
    }

    @Test func `explain equals what run did`() async throws {
        let profile = HardwareDetectors.forThisDevice().detectCapabilities()
        for seed in 0..<10_000 as Range<UInt64> {
            let scene = scene(seed: seed)
            let engine = try await engine(scene, profile)
            let explained = try await engine.explain(scene.request)
            do {
                let result = try await engine.run(scene.request)
                #expect(result.runner == explained.chosen, "seed \(seed)")
                #expect(result.routing == explained, "seed \(seed)")
            } catch let error as BreezeError {
                #expect(explained.chosen == nil, "seed \(seed)")
                #expect(error == explained.noRunner, "seed \(seed)")
            }
        }
    }
}
