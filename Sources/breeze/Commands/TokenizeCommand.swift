import ArgumentParser
import BreezeCore
import BreezeModels
import BreezeTokenizers
import Foundation

struct TokenizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokenize",
        abstract: "Show the tokens of a text, as a model reads it.",
        discussion: """
            Without a text it reads standard input. Texts such as <|im_end|> are text; --special makes them the \
            tokens that they name.

            Examples:
              breeze tokenize --model qwen3-0.6b-q4_k_m "The tide comes in."
              breeze tokenize --model all-minilm-l6-v2 --count < letter.txt
              breeze tokenize --tokenizer ~/model/tokenizer.json --decode 9707 1879
            """
    )

    @OptionGroup var output: OutputOptions
    @Option(help: "The installed model.") var model: String?
    @Option(help: ArgumentHelp("A tokenizer's file, or a model's folder.", valueName: "path")) var tokenizer:
        String?
    @Flag(help: "Print the number of tokens alone.") var count = false
    @Flag(help: "Read token ids, and print their text.") var decode = false
    @Flag(help: "Special tokens in the text are those tokens.") var special = false
    @Argument(help: "The text, or the ids to decode.") var text: [String] = []

    private struct Report: Encodable {
        struct Token: Encodable {
            let id: Int32
            /// As the vocabulary has it.
            let token: String?
            /// Bytes of the text's UTF-8.
            let start: Int
            let end: Int
        }

        let count: Int
        let tokens: [Token]
    }

    func validate() throws {
        guard (model == nil) != (tokenizer == nil) else {
            throw ValidationError("Give --model or --tokenizer.")
        }
        guard !(count && decode) else { throw ValidationError("--count and --decode exclude each other.") }
    }

    func run() async throws {
        let tokenizer = try await load()
        if decode { return try print(decoded: tokenizer) }
        let text = try text.isEmpty ? readText() : text.joined(separator: " ")
        let spans = tokenizer.encodeWithOffsets(text, specialTokens: special ? .parsed : .asText)
        if output.json {
            let tokens = spans.map {
                Report.Token(
                    id: $0.id,
                    token: tokenizer.token($0.id),
                    start: $0.range.lowerBound,
                    end: $0.range.upperBound
                )
            }
            return try JSONText.print(Report(count: spans.count, tokens: count ? [] : tokens))
        }
        if count { return try Console.print("\(spans.count)") }
        var table = Table("ID", "TOKEN", "BYTES")
        for span in spans {
            let bytes = "\(span.range.lowerBound)–\(span.range.upperBound)"
            table.add("\(span.id)", (tokenizer.token(span.id) ?? "").printable, bytes)
        }
        try table.print()
        try Console.print(Style.output.dim(Quantity.count(spans.count, "token")))
    }

    private func load() async throws -> any Tokenizer {
        if let model { return try ModelAccess().store.files(for: model).tokenizer() }
        return try await TokenizerRegistry().tokenizer(for: URL(fileURLWithPath: tokenizer ?? ""))
    }

    private func print(decoded tokenizer: any Tokenizer) throws {
        let words =
            try text.isEmpty ? readText().split(whereSeparator: \.isWhitespace).map(String.init) : text
        let ids = try words.map { word in
            guard let id = Int32(word), id >= 0, Int(id) < tokenizer.vocabularySize else {
                throw BreezeError(
                    .invalidParameter,
                    "\"\(word.prefix(40))\" is no token id of this model.",
                    remedy: "Ids are whole numbers from 0 to \(tokenizer.vocabularySize - 1)."
                )
            }
            return id
        }
        let text = tokenizer.decode(ids, skippingSpecialTokens: !special)
        if output.json { return try JSONText.print(["text": text]) }
        try Console.print(text)
    }

    private func readText() throws -> String {
        let data = try StandardInput.read(limit: TextFile.maximumInput)
        return try TextFile.text(data, from: "Standard input")
    }
}
