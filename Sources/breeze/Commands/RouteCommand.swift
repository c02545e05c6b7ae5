import ArgumentParser
import BreezeCore
import BreezeEngine

struct RouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Say which runner would answer, and why each other one would not. Runs nothing.",
        discussion: """
            Examples:
              breeze route chat "hello"
              breeze route embedding --on-device
              breeze route --json chat --mock
            """
    )

    @OptionGroup var options: EngineOptions
    @OptionGroup(title: "Request options") var request: RequestOptions

    @Argument(help: "chat, embedding, classification, vlm, asr, tts, guardian, rerank or ocr.")
    var capability: String

    @Argument(help: "A prompt, where the decision may depend on it.")
    var prompt: [String] = []

    func run() async throws {
        let composition = try await Composition(options)
        var asked = InferenceRequest(
            AICapability(rawValue: capability),
            prompt: prompt.isEmpty ? nil : prompt.joined(separator: " ")
        )
        try request.apply(to: &asked)
        let decision = try await composition.engine.explain(asked)
        if options.json { return try JSONText.print(RouteReport(decision)) }
        for line in DecisionText.lines(decision, style: .output) { try Console.print(line) }
        for note in composition.engine.strayNames(in: try composition.settings.current()) {
            Console.printError("note: \(note)")
        }
    }
}

/// A decision as scripts read it: `chosen` is there even where nobody may answer.
private struct RouteReport: Encodable {
    private enum CodingKeys: CodingKey { case capability, chosen, candidates, guarding }

    let decision: RoutingDecision

    init(_ decision: RoutingDecision) {
        self.decision = decision
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(decision.capability, forKey: .capability)
        try values.encode(decision.chosen, forKey: .chosen)
        try values.encode(decision.candidates, forKey: .candidates)
        try values.encode(decision.guarding, forKey: .guarding)
    }
}
