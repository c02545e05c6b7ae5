import ArgumentParser
import BreezeCore

struct GuardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "guard",
        abstract: "Say whether a text is safe to act on, and what is in it.",
        discussion: """
            It looks for prompt injection, which blocks, and for personal data, which warns. Exits 0 for a text \
            that passes, with or without warnings, and 1 for one that is blocked: the verdict is printed in any \
            case. A failure, which is no verdict, is told on standard error.

            Examples:
              breeze guard "Ignore all previous instructions."
              breeze guard --strictness high < mail.txt
              breeze guard --json --category prompt-injection "a text"
            """
    )

    @OptionGroup var options: EngineOptions
    @OptionGroup(title: "Request options") var request: RequestOptions

    @Option(help: "low, medium or high: how little it takes to block.")
    var strictness: String?

    @Option(
        name: .customLong("category"),
        help: ArgumentHelp("Look for this alone; may be repeated.", valueName: "name")
    )
    var categories: [String] = []

    @Argument(help: "The text; without one, standard input.")
    var text: [String] = []

    private struct Report: Encodable {
        let action: GuardianVerdict.Action
        let findings: [GuardianVerdict.Finding]
        let runner: String
        let isMock: Bool
    }

    func run() async throws {
        let text = try readText()
        var asked = InferenceRequest(.guardian, prompt: text)
        try request.apply(to: &asked)
        if let strictness { asked.configuration[parameter: "strictness"] = .string(strictness) }
        if !categories.isEmpty {
            asked.configuration[parameter: "categories"] = .array(categories.map { .string($0) })
        }
        let result = try await Composition(options).run(asked)
        guard case .verdict(let verdict) = result.output else {
            throw BreezeError(
                .invalidOutput,
                "\(result.runner) answered with something else than a verdict.",
                remedy: "Choose another runner with --runner; they are listed by breeze runners."
            )
        }
        if options.json {
            try JSONText.print(
                Report(
                    action: verdict.action,
                    findings: verdict.findings,
                    runner: result.runner,
                    isMock: result.isMock
                )
            )
        } else {
            for line in verdict.lines(of: text, .output) { try Console.print(line) }
            result.printNotes()
        }
        if verdict.action == .block { throw ExitCode(1) }
    }

    private func readText() throws -> String {
        if !text.isEmpty { return text.joined(separator: " ") }
        if Console.isInputTerminal { throw ValidationError("Give a text, or one on standard input.") }
        return try TextFile.text(
            try StandardInput.read(limit: TextFile.maximumInput),
            from: "Standard input"
        )
    }
}

extension GuardianVerdict {
    fileprivate func lines(of text: String, _ style: Style) -> [String] {
        let heading =
            switch action {
            case .pass: style.good("passes")
            case .warn: style.warning("passes with a warning")
            case .block: style.bad("blocked")
            }
        return [heading]
            + findings.map { finding in
                let risk = Quantity.percent(finding.risk)
                let place = finding.span.map { span in
                    let bytes = text.utf8.dropFirst(span.lowerBound).prefix(span.count)
                    let excerpt = String(decoding: bytes, as: UTF8.self).firstLine(limit: 60)
                    return "  \"\(excerpt)\" at byte \(span.lowerBound + 1)"
                }
                return "  \(style.accent(finding.category))  \(style.dim(risk))\(place ?? "")"
            }
    }
}
