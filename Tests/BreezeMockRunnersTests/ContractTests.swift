import BreezeCore
import BreezeMockRunners
import BreezeTestSupport
import Testing

struct ContractTests {
    private static func cases() throws -> [ContractCase] {
        try #require(try table("contract", as: [String: [ContractCase]].self)["cases"])
    }

    private func runner(_ id: String) throws -> any Runner {
        try #require(MockRunners.all(clock: InstantClock()).first { $0.id == id })
    }

    @Test(arguments: try cases())
    func `each mock owes what its table says`(_ contract: ContractCase) async throws {
        let collector = Collector()
        let runner = try runner(contract.runner)
        let expect = contract.expect
        do {
            let result = try await runner.stream(contract.request, into: collector.sink)
            #expect(expect.error == nil)
            check(result, collector, expect)
        } catch let error as BreezeError {
            #expect(error.code.rawValue == expect.error, "\(error)")
            #expect(error.message.contains(expect.message ?? "an expected error"), "\(error)")
            #expect(collector.all.isEmpty)
        }
    }

    private func check(
        _ result: InferenceResult,
        _ collector: Collector,
        _ expect: ContractCase.Expectation
    ) {
        #expect(result.isMock)
        #expect(result.requestID == "r1")
        if let text = expect.text {
            #expect(result.output.text == text)
            #expect(collector.texts.joined() == text)
        }
        if let chunks = expect.chunks { #expect(collector.texts == chunks) }
        if let reason = expect.finishReason { #expect(result.finishReason == reason) }
        if let tokens = expect.inputTokens { #expect(result.usage.inputTokens == tokens) }
        if let tokens = expect.outputTokens { #expect(result.usage.outputTokens == tokens) }
        if let calls = expect.toolCalls {
            #expect(result.toolCalls == calls)
            #expect(collector.all.filter { $0.text == nil }.map(\.content) == calls.map { .toolCall($0) })
        }
        if let notice = expect.notice { #expect(result.notices.contains { $0.contains(notice) }) }
        if case .transcript(let transcript) = result.output {
            if let language = expect.language { #expect(transcript.language == language) }
            #expect(transcript.segments?.map(\.end) == expect.duration.map { [$0] })
            #expect((0.75...0.95).contains(transcript.confidence ?? 0))
        }
        if let action = expect.action {
            #expect(
                result.output == .verdict(GuardianVerdict(action: action, findings: expect.findings ?? []))
            )
        }
    }

    @Test func `every kind of mock is there, and says that it is one`() {
        let runners = MockRunners.all()
        #expect(
            runners.map(\.id) == ["mock:llm", "mock:asr", "mock:tts", "mock:vlm", "mock:guardian"]
        )
        #expect(runners.map(\.supportedCapabilities) == [[.chat], [.asr], [.tts], [.vlm], [.guardian]])
        #expect(runners.allSatisfy { $0.isMock && $0.qualityTier == 0 && $0.locality == .onDevice })
    }

    @Test(arguments: MockRunners.all())
    func `every default value is one that its parameter takes`(_ runner: any Runner) throws {
        for descriptor in runner.parameterSchema.parameters {
            guard let value = descriptor.defaultValue else { continue }
            guard case .valid = descriptor.kind.check(value) else {
                Issue.record("\(runner.id): \(descriptor.name)")
                continue
            }
        }
    }
}
