public import BreezeCore
public import Foundation

extension WordPieceTokenizer {
    /// The tokenizer of a model's folder: from `tokenizer.json`, and where that is missing from `vocab.txt`
    /// with `tokenizer_config.json`.
    ///
    /// - Throws: `invalid_file` naming the file and its fault, `input_output` when a file cannot be read.
    public init(directory: URL) throws(BreezeError) {
        if let file = try TokenizerFile(reading: "tokenizer.json", in: directory) {
            self.init(try TokenizerJSONReader.read(file))
            return
        }
        let folder = directory.lastPathComponent
        guard let list = try TokenizerFile(reading: "vocab.txt", in: directory) else {
            throw BreezeError(
                .invalidFile,
                "The folder \(folder) has neither tokenizer.json nor vocab.txt.",
                remedy: "Copy the model's tokenizer files into it."
            )
        }
        guard let configuration = try TokenizerFile(reading: "tokenizer_config.json", in: directory) else {
            throw BreezeError(
                .invalidFile,
                "The folder \(folder) has vocab.txt but no tokenizer_config.json to say if case counts.",
                remedy: "Copy the model's tokenizer_config.json into it."
            )
        }
        self.init(try VocabularyListReader.read(list, configuration: configuration))
    }

    /// - Parameter tokenizerJSON: the contents of a `tokenizer.json`.
    /// - Throws: `invalid_file` naming the fault.
    public init(tokenizerJSON: Data) throws(BreezeError) {
        let file = try TokenizerFile(name: "tokenizer.json", data: tokenizerJSON)
        self.init(try TokenizerJSONReader.read(file))
    }

    /// - Parameters:
    ///   - vocabulary: the contents of a `vocab.txt`.
    ///   - configuration: the contents of the `tokenizer_config.json` beside it.
    /// - Throws: `invalid_file` naming the file and its fault.
    public init(vocabulary: Data, configuration: Data) throws(BreezeError) {
        self.init(
            try VocabularyListReader.read(
                TokenizerFile(name: "vocab.txt", data: vocabulary),
                configuration: TokenizerFile(name: "tokenizer_config.json", data: configuration)
            )
        )
    }
}
