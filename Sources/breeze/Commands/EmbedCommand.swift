import ArgumentParser
import BreezeCore
import Foundation

struct EmbedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "embed",
        abstract: "Turn texts into vectors.",
        discussion: """
            Examples:
              breeze embed "a first text" "a second text"
              breeze embed --json "a text" | jq '.embeddings[0][:4]'
              breeze embed --json < texts.txt                one text a line
              breeze embed --as query "when do we meet?"     for models that tell queries from passages
            """
    )

    @OptionGroup var options: EngineOptions
    @OptionGroup(title: "Request options") var request: RequestOptions

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("query or passage: the part that the texts play in a search.", valueName: "part"),
        transform: { text in
            guard let type = InputType(rawValue: text) else {
                throw ValidationError("--as takes query or passage, not \"\(text)\".")
            }
            return type
        }
    )
    var type: InputType?

    @Argument(help: "The texts; without any, the lines of standard input.")
    var texts: [String] = []

    private struct Report: Encodable {
        let model: String?
        let runner: String
        let runtime: String?
        let dimensions: Int
        let embeddings: [[Float]]
        /// Only where something was left out.
        let truncatedTokens: Int?
        /// Only where there is one.
        let notices: [String]?
    }

    func run() async throws {
        let texts = try TextInput.texts(texts)
        let composition = try await Composition(options)
        let answer = try await Embeddings(of: texts, as: type, options: request, in: composition)
        let result = answer.result
        if options.json {
            return try JSONText.print(
                Report(
                    model: result.model,
                    runner: result.runner,
                    runtime: result.runtime,
                    dimensions: answer.dimensions,
                    embeddings: answer.vectors,
                    truncatedTokens: result.usage.truncatedTokens,
                    notices: result.notices.isEmpty ? nil : result.notices
                )
            )
        }
        for (text, vector) in zip(texts, answer.vectors) {
            let start = vector.prefix(4).map { $0.formatted(.number.precision(.fractionLength(4))) }
            try Console.print(Style.output.bold(text.firstLine(limit: 80)))
            try Console.print("  [\(start.joined(separator: ", ")), …] \(vector.count) dimensions")
        }
        answer.printNotes()
    }
}
