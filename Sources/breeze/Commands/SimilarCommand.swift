import ArgumentParser
import BreezeCore
import Foundation

struct SimilarCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "similar",
        abstract: "Find the texts that mean nearly the same as a query.",
        discussion: """
            Examples:
              breeze similar "a pet" "the dog sleeps" "the rate went up" "two cats"
              breeze similar --top 3 --in notes.txt "when do we meet?"     one text a line
              cat notes.txt | breeze similar --json "when do we meet?"
            """
    )

    @OptionGroup var options: EngineOptions
    @OptionGroup(title: "Request options") var request: RequestOptions

    @Option(name: .customLong("in"), help: ArgumentHelp("A file with one text a line.", valueName: "file"))
    var file: String?

    @Option(help: ArgumentHelp("How many to show.", valueName: "count"))
    var top = 5

    @Argument(help: "What to look for.")
    var query: String

    @Argument(help: "Where to look; without texts and without --in, the lines of standard input.")
    var texts: [String] = []

    func validate() throws {
        if top < 1 { throw ValidationError("--top takes a count of at least 1.") }
        if file != nil, !texts.isEmpty { throw ValidationError("Give texts or --in, not both.") }
    }

    private struct Report: Encodable {
        let query: String
        let model: String?
        let runner: String
        let runtime: String?
        let results: [SimilarText]
        let notices: [String]?
    }

    func run() async throws {
        let texts = try TextInput.texts(texts, file: file)
        let composition = try await Composition(options)
        let answer = try await Embeddings(of: texts, as: .passage, options: request, in: composition)
        let query = try await Embeddings(
            of: [query],
            as: .query,
            options: request.pinned(to: answer.result.runner),
            in: composition
        )
        let found = SimilarText.ranked(texts, answer.vectors, by: query.vectors[0]).prefix(top)
        if options.json {
            let notices =
                answer.result.notices + query.result.notices.filter { !answer.result.notices.contains($0) }
            return try JSONText.print(
                Report(
                    query: self.query,
                    model: answer.result.model,
                    runner: answer.result.runner,
                    runtime: answer.result.runtime,
                    results: Array(found),
                    notices: notices.isEmpty ? nil : notices
                )
            )
        }
        for text in found {
            let score = String(format: "%6.3f", text.score)
            try Console.print("\(Style.output.accent(score))  \(text.text.firstLine(limit: 100))")
        }
        answer.printNotes()
    }
}

/// A text and how near it is to the query.
struct SimilarText: Encodable {
    /// Its place among the texts, counted from 0.
    let index: Int
    let text: String
    /// Cosine similarity.
    let score: Double

    /// Nearest first.
    static func ranked(_ texts: [String], _ vectors: [[Float]], by query: [Float]) -> [SimilarText] {
        let scored = zip(texts, vectors).enumerated().map { index, pair in
            SimilarText(index: index, text: pair.0, score: Embeddings.similarity(query, pair.1))
        }
        return scored.sorted { ($0.score, $1.index) > ($1.score, $0.index) }
    }
}
