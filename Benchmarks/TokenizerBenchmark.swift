import BreezeModels
import BreezeTokenizers
import Foundation

/// Encoding alone, one thread.
struct TokenizerBenchmark {
    struct Command: Decodable {
        enum Kind: String, Decodable { case load, encode }

        let kind: Kind
        /// `load`: a GGUF file, a `tokenizer.json` or a SentencePiece `.model`.
        let file: String?
        /// `encode`: a file with a list of texts in JSON, and with which of the loaded tokenizers, counted from 0.
        let texts: String?
        let tokenizer: Int?
    }

    struct Figures: Encodable {
        var cpuSeconds: Double
        /// Of all texts.
        var tokens = 0
    }

    private var tokenizers: [any Tokenizer] = []
    /// The last list, which is read before the clock starts.
    private var texts: (file: String, list: [String]) = ("", [])

    mutating func answer(_ command: Command) async throws -> Figures {
        switch command.kind {
        case .load: try await load(URL(filePath: command.file ?? ""))
        case .encode: try encode(command.texts ?? "", with: tokenizers[command.tokenizer ?? 0])
        }
    }

    private mutating func load(_ file: URL) async throws -> Figures {
        let clock = Stopwatch()
        if file.pathExtension == "gguf" {
            tokenizers.append(try GGUFFile(url: file).tokenizer())
        } else {
            tokenizers.append(try await TokenizerRegistry().tokenizer(for: file))
        }
        return Figures(cpuSeconds: clock.cpuSeconds)
    }

    private mutating func encode(_ file: String, with tokenizer: any Tokenizer) throws -> Figures {
        if texts.file != file {
            texts = (
                file, try JSONDecoder().decode([String].self, from: Data(contentsOf: URL(filePath: file)))
            )
        }
        let clock = Stopwatch()
        var tokens = 0
        for text in texts.list { tokens += tokenizer.encode(text).count }
        return Figures(cpuSeconds: clock.cpuSeconds, tokens: tokens)
    }
}
