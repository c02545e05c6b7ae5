import ArgumentParser
import BreezeCore

struct ClassifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify",
        abstract: "Sort texts into categories: your own, which examples describe, or a model's.",
        discussion: """
            Without --examples a classifier answers that was trained for its labels, where one is installed.
            The examples are lines LABEL<TAB>TEXT, or JSON: {"label": ["text", …]} or \
            [{"label": …, "text": …}].

            Examples:
              breeze classify --examples examples.tsv "Can you send me the report?"
              breeze classify --model my-classifier "Can you send me the report?"
              breeze classify --json --examples examples.json < texts.txt
              breeze classify --examples train.tsv --evaluate test.tsv     how often it is right
            """
    )

    @OptionGroup var options: EngineOptions
    @OptionGroup(title: "Request options") var request: RequestOptions

    @Option(help: ArgumentHelp("Example texts with their categories.", valueName: "file"))
    var examples: String?

    @Option(help: ArgumentHelp("Labelled texts to measure the accuracy on.", valueName: "file"))
    var evaluate: String?

    @Argument(help: "The texts; without any, the lines of standard input.")
    var texts: [String] = []

    func validate() throws {
        if evaluate != nil, !texts.isEmpty { throw ValidationError("Give texts or --evaluate, not both.") }
    }

    private struct Report: Encodable {
        struct Item: Encodable {
            let text: String
            let label: String?
            let scores: [Classification.Score]
        }
        let model: String?
        let runner: String
        let runtime: String?
        let classifications: [Item]
        let notices: [String]?
    }

    func run() async throws {
        let categories = try examples.map { try LabelledTexts(file: $0).categories }
        if let evaluate { return try await measure(try LabelledTexts(file: evaluate), categories) }
        let texts = try TextInput.texts(texts)
        let answer = try await Classifications(
            of: texts,
            into: categories,
            options: request,
            in: try await Composition(options)
        )
        if options.json {
            let items = zip(texts, answer.all).map {
                Report.Item(text: $0, label: $1.label, scores: $1.scores)
            }
            let notices = answer.result.notices
            return try JSONText.print(
                Report(
                    model: answer.result.model,
                    runner: answer.result.runner,
                    runtime: answer.result.runtime,
                    classifications: items,
                    notices: notices.isEmpty ? nil : notices
                )
            )
        }
        for (text, classification) in zip(texts, answer.all) {
            try Console.print(classification.line(of: text))
        }
        answer.result.printNotes()
    }

    private func measure(_ labelled: LabelledTexts, _ categories: [ClassificationCategory]?) async throws {
        let answer = try await Classifications(
            of: labelled.items.map(\.text),
            into: categories,
            options: request,
            in: try await Composition(options)
        )
        let accuracy = Accuracy(truth: labelled.items.map(\.label), answers: answer.all.map(\.label))
        if options.json { return try JSONText.print(accuracy) }
        try Console.print(
            """
            accuracy          \(Quantity.percent(accuracy.accuracy))   \
            (\(accuracy.correct) of \(Quantity.count(accuracy.count, "text")))
            always "\(accuracy.majorityLabel)"   \(Quantity.percent(accuracy.majorityBaseline))   \
            (what guessing the commonest category gives)
            """
        )
        answer.result.printNotes()
    }
}

/// How often a classifier is right, beside what always answering the commonest category would give.
private struct Accuracy: Encodable {
    let count: Int
    let correct: Int
    let accuracy: Double
    let majorityLabel: String
    let majorityBaseline: Double

    init(truth: [String], answers: [String?]) {
        count = truth.count
        correct = zip(truth, answers).count { $0 == $1 }
        accuracy = Double(correct) / Double(max(1, count))
        let counts = Dictionary(truth.map { ($0, 1) }, uniquingKeysWith: +)
        let majority = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        majorityLabel = majority?.key ?? ""
        majorityBaseline = Double(majority?.value ?? 0) / Double(max(1, count))
    }
}

/// The categories of some texts.
struct Classifications: Sendable {
    let all: [Classification]
    let result: InferenceResult

    init(
        of texts: [String],
        into categories: [ClassificationCategory]?,
        options: RequestOptions,
        in composition: Composition
    ) async throws {
        var request = InferenceRequest(.classification, inputs: texts, categories: categories)
        try options.apply(to: &request)
        result = try await composition.run(request, showing: "classifying")
        guard case .classifications(let all) = result.output, all.count == texts.count else {
            throw BreezeError(
                .invalidOutput,
                "\(result.runner) answered \(texts.count) texts with something else than as many categories.",
                remedy: "Choose another runner with --runner; they are listed by breeze runners."
            )
        }
        self.all = all
    }
}

extension Classification {
    /// The text with its category and how sure that is.
    func line(of text: String) -> String {
        let share = scores.first.map { Quantity.percent($0.score) } ?? ""
        let label = Style.output.accent((label ?? "").printable)
        return "\(label)  \(Style.output.dim(share))  \(text.firstLine(limit: 90))"
    }
}
