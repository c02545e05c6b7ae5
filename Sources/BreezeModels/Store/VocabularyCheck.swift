import BreezeCore
import Foundation

/// Whether the tokenizer beside a model belongs to it.
struct VocabularyCheck {
    let directory: URL
    /// Some publishers round the embedding table up to a multiple of this.
    private static let padding = 128

    func check(against configuration: EncoderConfiguration) throws {
        let (url, size) = try vocabularySize()
        guard size <= configuration.vocabularySize, configuration.vocabularySize < size + Self.padding else {
            throw BreezeError(
                .invalidFile,
                "\(url.path) has \(size) tokens, and the model was made for \(configuration.vocabularySize).",
                remedy: "Fetch the tokenizer that belongs to this model."
            )
        }
    }

    private func vocabularySize() throws -> (URL, Int) {
        let url = directory.appending(path: "tokenizer.json")
        if let file = try ConfigurationFile(optional: url) {
            guard let model = file.tree["model"], let vocabulary = model["vocab"]?.object else {
                throw file.invalid("it has no vocabulary")
            }
            var ids = try Set(vocabulary.map { token, id in try identifier(id, of: token, in: file) })
            for token in file.tree["added_tokens"]?.array ?? [] {
                ids.insert(try identifier(token["id"] ?? .null, of: token["content"]?.string ?? "", in: file))
            }
            return (url, (ids.max() ?? -1) + 1)
        }
        let list = directory.appending(path: "vocab.txt")
        let bytes = try FileReader.contents(of: list, limit: 256 << 20)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return (list, lines.last?.isEmpty == true ? lines.count - 1 : lines.count)
    }

    private func identifier(_ id: JSONTree, of token: String, in file: ConfigurationFile) throws -> Int {
        guard let id = id.integer, id >= 0, id < Int(Int32.max) else {
            throw file.invalid("the token \"\(token.excerpt)\" has no usable id")
        }
        return id
    }
}
