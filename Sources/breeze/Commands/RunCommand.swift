import ArgumentParser
import BreezeCore
import Foundation

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Answer any request, given as JSON.",
        discussion: """
            The request comes from standard input or from a file, the result goes to standard output as \
            JSON: output, usage, timings, the routing decision and the account of every parameter.

            Examples:
              echo '{"capability":"embedding","inputs":["one","two"]}' | breeze run
              echo '{"capability":"chat","prompt":"hello"}' | breeze run --mock --param temperature=0.2
              breeze run --stream request.json            one JSON object a line, the last one the result

            A conversation, a classification, and an image:
              {"capability":"chat","messages":[{"role":"user","content":"hello"}]}
              {"capability":"classification","prompt":"Lunch at noon?","categories":[
                {"name":"plan","examples":["See you at six."]},{"name":"other","examples":["Thanks!"]}]}
              {"capability":"vlm","prompt":"What is this?","imageData":"BASE64"}      audioData for asr
            """
    )

    @OptionGroup var options: EngineOptions
    @OptionGroup(title: "Request options") var request: RequestOptions

    @Flag(help: "Print each piece of the answer as it comes, one JSON object a line.")
    var stream = false

    @Argument(help: "The file that holds the request; - or nothing for standard input.")
    var file: String?

    func run() async throws {
        let data: Data
        if let file, file != "-" {
            data = try TextFile.contents(of: file)
        } else if Console.isInputTerminal {
            throw ValidationError("Give a file, or the request on standard input.")
        } else {
            data = try StandardInput.read(limit: TextFile.maximumInput)
        }
        var asked = try RequestJSON.decode(
            InferenceRequest.self,
            from: data,
            what: "The request",
            command: "run"
        )
        try request.apply(to: &asked)
        let composition = try await Composition(options)
        guard stream else { return try JSONText.print(try await composition.run(asked)) }
        for try await chunk in try composition.stream(asked) {
            try Console.print(try JSONText.line(chunk))
        }
    }
}
