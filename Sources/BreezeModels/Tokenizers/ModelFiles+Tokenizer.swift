import BreezeCore
public import BreezeTokenizers
import Foundation

extension ModelFiles {
    /// The model's own tokenizer, from whichever of its files holds it.
    /// - Throws: ``BreezeError`` `.unsupported` for a model without one, `.invalidFile` naming the fault.
    public func tokenizer() throws -> any Tokenizer {
        if let gguf { return try GGUFCheck.open(gguf).tokenizer() }
        if let json = files["tokenizer.json"] {
            if let wordPiece = try? WordPieceTokenizer(files: files) { return wordPiece }
            return try SubwordTokenizer(tokenizerJSON: Data(contentsOf: json))
        }
        if files["vocab.txt"] != nil { return try WordPieceTokenizer(files: files) }
        if let model = files.first(where: { $0.key.hasSuffix(".model") }) {
            return try SubwordTokenizer(sentencePieceModel: Data(contentsOf: model.value), name: model.key)
        }
        throw BreezeError(
            .unsupported,
            "The model \(manifest.info.id) has no tokenizer that Breeze reads.",
            remedy:
                "Models that take text have tokenizer.json, vocab.txt or a SentencePiece .model beside them."
        )
    }
}
