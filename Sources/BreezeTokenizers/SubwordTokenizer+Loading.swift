public import BreezeCore
public import Foundation

extension SubwordTokenizer {
    /// - Parameter tokenizerJSON: the contents of a `tokenizer.json`.
    /// - Throws: `invalid_file` naming the fault; `unsupported` for a part that is not known.
    public init(tokenizerJSON: Data) throws(BreezeError) {
        let file = try TokenizerFile(name: "tokenizer.json", data: tokenizerJSON)
        self.init(try SubwordJSONReader.read(file, file.json()))
    }

    /// - Parameters:
    ///   - sentencePieceModel: the contents of a SentencePiece `.model`.
    ///   - name: the file's, for errors.
    /// - Throws: `invalid_file` naming the fault; `unsupported` for its kinds `word` and `char`.
    public init(sentencePieceModel: Data, name: String = "tokenizer.model") throws(BreezeError) {
        guard sentencePieceModel.count <= TokenizerFile.maximumSize else {
            throw TokenizerFile.invalid(name, "it is larger than \(TokenizerFile.maximumSize >> 20) MB")
        }
        let source = try SentencePieceFile(name: name, bytes: Array(sentencePieceModel)).vocabulary()
        let builder = try VocabularyBuilder(source, name: name)
        self.init(try source.kind == .unigram ? builder.unigramModel() : builder.sentencePieceModel())
    }
}
