import BreezeCore
import BreezeEngine

/// Asks and prints one turn after the other.
struct ChatSession: Sendable {
    let composition: Composition
    private let options: RequestOptions
    private let system: String?

    init(_ composition: Composition, _ options: RequestOptions, system: String?) {
        self.composition = composition
        self.options = options
        self.system = system
    }

    private func request(_ messages: [ChatMessage]) throws -> InferenceRequest {
        let told = system.map { [ChatMessage(.system, $0)] } ?? []
        var request = InferenceRequest(.chat, messages: told + messages)
        try options.apply(to: &request)
        return request
    }

    /// Before anybody types a word: whether there is somebody to answer.
    func checkAbility() async throws {
        let asked = try request([ChatMessage(.user, "hello")])
        let decision = try await composition.engine.explain(asked)
        guard decision.chosen == nil else { return }
        throw shown(composition.completing(decision.noRunner, of: asked), decision)
    }

    /// On a terminal the decision is told in lines of its own, and the error leaves it out.
    private func shown(_ error: BreezeError, _ decision: RoutingDecision) -> BreezeError {
        guard error.code == .noRunner, Console.isErrorTerminal else { return error }
        for line in DecisionText.lines(decision, style: .output) { Console.printError(line) }
        return BreezeError(
            error.code,
            "No runner may answer this chat request.",
            remedy: error.remedy,
            underlying: error
        )
    }

    func result(of messages: [ChatMessage]) async throws -> InferenceResult {
        try await composition.run(try request(messages))
    }

    /// Prints the answer as it grows, and on standard error what else there is to know.
    func print(_ messages: [ChatMessage]) async throws -> InferenceResult? {
        let request = try request(messages)
        let style = Style.output
        do {
            var result: InferenceResult?
            var last: Character?
            var isThinking = false
            let progress = ProgressLine(json: false)
            defer { progress.clear() }
            for try await chunk in try composition.stream(request) {
                if chunk.isAnswer { progress.clear() }
                switch chunk.content {
                case .progress(let step) where Console.isErrorTerminal:
                    progress.show(step.stage, completed: Int64(step.completed), total: Int64(step.total))
                case .text(let text):
                    // What it thought stands apart from what it says.
                    if isThinking { try Console.write("\n\n") }
                    isThinking = false
                    let shown = Console.isOutputTerminal ? text.printable : text
                    try Console.write(shown)
                    last = shown.last ?? last
                case .reasoning(let text) where Console.isOutputTerminal:
                    try Console.write(style.dim(text.printable))
                    isThinking = true
                    last = text.last ?? last
                case .toolCall(let call):
                    try Console.print("[\(call.name)(\(call.arguments.text.printable))]")
                    last = "\n"
                case .result(let whole): result = whole
                default: break
                }
            }
            if last != "\n" { try Console.print("") }
            result?.printNotes()
            return result
        } catch let error as BreezeError where error.code == .noRunner {
            throw shown(error, try await composition.engine.explain(request))
        }
    }
}
