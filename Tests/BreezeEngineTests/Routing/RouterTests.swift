import BreezeCore
import Testing

@testable import BreezeEngine

@Suite struct RouterTests {
    private let router = Router(policy: StandardRoutingPolicy())

    private func order(_ runners: [RunnerFacts], _ request: InferenceRequest) -> [String] {
        let decision = router.decide(request, in: RoutingContext(runners: runners, consents: ["net"]))
        return decision.candidates.filter { $0.exclusion == nil }.map(\.runner)
    }

    @Test func `on-device goes before network, loaded before unloaded, then the better tier`() {
        let runners = [
            RunnerFacts(id: "net:best", locality: .network, isLoaded: true, qualityTier: 9),
            RunnerFacts(id: "a:poor", qualityTier: 1), RunnerFacts(id: "a:good", qualityTier: 8),
            RunnerFacts(id: "a:loaded", isLoaded: true, qualityTier: 0),
        ]
        #expect(order(runners, InferenceRequest(.chat)) == ["a:loaded", "a:good", "a:poor", "net:best"])
    }

    @Test func `equals stay in the order of registration`() {
        let runners = ["x", "b", "a"].map { RunnerFacts(id: $0) }
        #expect(order(runners, InferenceRequest(.chat)) == ["x", "b", "a"])
    }

    @Test func `a name in the request leaves nobody else`() {
        let runners = [RunnerFacts(id: "a:m", modelID: "m"), RunnerFacts(id: "b:n", modelID: "n")]
        #expect(order(runners, InferenceRequest(.chat, runnerID: "b:n")) == ["b:n"])
        #expect(order(runners, InferenceRequest(.chat, runnerID: "a")) == ["a:m"])
        #expect(order(runners, InferenceRequest(.chat, modelID: "n")) == ["b:n"])
    }

    @Test func `a reserved one answers whoever names it, or its model, and nobody else`() {
        let runners = [
            RunnerFacts(id: "a:large", modelID: "large", qualityTier: 9, reservation: "it is large"),
            RunnerFacts(id: "a:small", modelID: "small"),
        ]
        #expect(order(runners, InferenceRequest(.chat)) == ["a:small"])
        #expect(order(runners, InferenceRequest(.chat, runnerID: "a")) == ["a:small"])
        #expect(order(runners, InferenceRequest(.chat, runnerID: "a:large")) == ["a:large"])
        #expect(order(runners, InferenceRequest(.chat, modelID: "large")) == ["a:large"])
        let context = RoutingContext(runners: runners, preferred: "large")
        #expect(router.decide(InferenceRequest(.chat), in: context).chosen == "a:large")
    }

    @Test func `the user's setting outranks even locality, once consent is there`() {
        let runners = [RunnerFacts(id: "a:m"), RunnerFacts(id: "net:best", locality: .network)]
        var context = RoutingContext(runners: runners, preferred: "net", consents: ["net:best"])
        #expect(router.decide(InferenceRequest(.chat), in: context).chosen == "net:best")
        context.consents = []
        #expect(router.decide(InferenceRequest(.chat), in: context).chosen == "a:m")
    }

    @Test func `a mock answers only when it is asked for, and then first`() {
        let runners = [RunnerFacts(id: "a:m"), RunnerFacts(id: "mock:llm", isMock: true, qualityTier: 0)]
        #expect(order(runners, InferenceRequest(.chat)) == ["a:m"])
        #expect(order(runners, InferenceRequest(.chat, allowsMocks: true)) == ["mock:llm", "a:m"])
        #expect(order(runners, InferenceRequest(.chat, runnerID: "mock:llm")) == ["mock:llm"])
    }

    @Test(arguments: [
        (RunnerFacts(id: "n", locality: .network), PrivacyScope.onDevice, false, "pinned_to_device"),
        (RunnerFacts(id: "n", locality: .network), .userSettings, true, "offline"),
        (RunnerFacts(id: "n", locality: .network), .userSettings, false, "no_consent"),
        (RunnerFacts(id: "a", canRun: false), .userSettings, false, "cannot_run"),
        (
            RunnerFacts(id: "a", availability: .unavailable(reason: "no library", remedy: "make setup")),
            .userSettings, false, "unavailable"
        ),
        (RunnerFacts(id: "a", memoryEstimate: 2 << 30), .userSettings, false, "insufficient_memory"),
    ])
    func `each rule gives its reason`(
        facts: RunnerFacts,
        privacy: PrivacyScope,
        offline: Bool,
        exclusion: String
    ) throws {
        let context = RoutingContext(runners: [facts], isOffline: offline, availableMemory: 1 << 30)
        let decision = router.decide(InferenceRequest(.chat, privacy: privacy), in: context)
        let candidate = try #require(decision.candidates.first)
        #expect(decision.chosen == nil)
        #expect(candidate.exclusion?.rawValue == exclusion)
        #expect(candidate.score == 0)
        #expect(candidate.reasons.count == 1)
    }

    @Test func `an unavailable runner's reason carries the mending command`() {
        let facts = RunnerFacts(
            id: "a",
            availability: .unavailable(reason: "no library", remedy: "make setup")
        )
        let decision = router.decide(InferenceRequest(.chat), in: RoutingContext(runners: [facts]))
        #expect(decision.candidates.first?.reasons == ["no library"])
        #expect(decision.candidates.first?.remedy == "make setup")
        #expect(decision.noRunner.code == .unavailable)
        #expect(decision.noRunner.remedy == "make setup")
    }

    @Test func `an app's policy may reorder and rule out, and no more`() {
        struct Upside: RoutingPolicy {
            func rank(
                _ runner: RunnerFacts,
                for request: InferenceRequest,
                in context: RoutingContext
            ) -> RoutingRank? {
                runner.id == "out"
                    ? nil : RoutingRank(score: 100 - runner.qualityTier, reasons: ["upside down"])
            }
        }
        let runners = [
            RunnerFacts(id: "good", qualityTier: 9), RunnerFacts(id: "poor", qualityTier: 1),
            RunnerFacts(id: "out"), RunnerFacts(id: "net", locality: .network, qualityTier: 0),
        ]
        let decision = Router(policy: Upside()).decide(
            InferenceRequest(.chat),
            in: RoutingContext(runners: runners)
        )
        #expect(decision.candidates.map(\.runner) == ["poor", "good", "out", "net"])
        #expect(decision.candidates.map { $0.exclusion?.rawValue } == [nil, nil, "policy", "no_consent"])
    }

    @Test func `the JSON of a decision is what scripts read`() throws {
        let decision = router.decide(
            InferenceRequest(.chat),
            in: RoutingContext(runners: [RunnerFacts(id: "a:m", modelID: "m", isLoaded: true, qualityTier: 3)]
            )
        )
        // 1 + 100 on the device + 50 loaded + 2 × tier 3
        #expect(decision.candidates.first?.score == 157)
        #expect(
            decision.candidates.first?.reasons
                == ["it runs on the device", "it is loaded already", "quality tier 3"]
        )
    }
}
