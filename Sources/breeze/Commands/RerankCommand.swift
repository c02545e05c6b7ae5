import ArgumentParser
import BreezeCore
import Foundation

struct RerankCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerank",
        abstract: "Order texts by how well they answer a query, each read together with it.",
        discussion: """
            More exact than similar, and slower: for the best few of a search. It needs a cross-encoder, for \
            example ms-marco-MiniLM-L6-v2.

            Examples:
              breeze rerank "how tall is it?" "It is 324 m high." "It opened in 1889."
              breeze rerank --top 3 --in found.txt "when do we meet?"     one text a line
              cat found.txt | breeze rerank --json "when do we meet?"
            """
    )

    @OptionGroup var options: EngineOptions
    @OptionGroup(title: "Request options") var request: RequestOptions

    @Option(name: .customLong("in"), help: ArgumentHelp("A file with one text a line.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("How many to show; by default all.", valueName: "count"))
    var top: Int?

    @Argument(help: "What the texts are held against.")
    var query: String

    @Argument(help: "The texts; without any and without --in, the lines of standard input.")
    var texts: [String] = []

    func validate() throws {
        if let top, top < 1 { throw ValidationError("--top takes a count of at least 1.") }
        if file != nil, !texts.isEmpty { throw ValidationError("Give texts or --in, not both.") }
    }

    private struct Report: Encodable {
        struct Item: Encodable {
            let index: Int
            let text: String
            let score: Double
        }
        let query: String
        let model: String?
        let runner: String
        let runtime: String?
        let results: [Item]
        let notices: [String]?
    }

    func run() async throws {
        let texts = try TextInput.texts(texts, file: file)
        var request = InferenceRequest(.rerank, prompt: query, inputs: texts)
        try self.request.apply(to: &request)
        let result = try await Composition(options).run(request, showing: "ranking")
        guard case .ranking(let ranking) = result.output,
            ranking.allSatisfy({ texts.indices.contains($0.index) })
        else {
            throw BreezeError(
                .invalidOutput,
                "\(result.runner) answered with something else than a ranking of the texts.",
                remedy: "Choose another runner with --runner; they are listed by breeze runners."
            )
        }
        let items = ranking.prefix(top ?? ranking.count).map {
            Report.Item(index: $0.index, text: texts[$0.index], score: $0.score)
        }
        if options.json {
            return try JSONText.print(
                Report(
                    query: query,
                    model: result.model,
                    runner: result.runner,
                    runtime: result.runtime,
                    results: items,
                    notices: result.notices.isEmpty ? nil : result.notices
                )
            )
        }
        for item in items {
            let score = String(format: "%7.3f", item.score)
            try Console.print("\(Style.output.accent(score))  \(item.text.firstLine(limit: 100))")
        }
        result.printNotes()
    }
}
