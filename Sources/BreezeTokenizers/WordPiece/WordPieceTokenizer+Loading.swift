public import BreezeCore
public import Foundation

extension WordPieceTokenizer {
    /// The tokenizer of a model's folder: from `tokenizer.json`, and where that is missing from `vocab.txt`
    /// with `tokenizer_config.json`.
    ///
    /// - Throws: `invalid_file` naming the file and its fault, `input_output` when a file cannot be read.
    public init(directory: URL) throws(BreezeError) {
        try self.init { directory.appending(path: $0) }
    }

    /// The same for files that lie apart, by the names that they had in their folder.
    public init(files: [String: URL]) throws(BreezeError) {
        try self.init { files[$0] }
    }

    private init(locate: (String) -> URL?) throws(BreezeError) {
        if let file = try TokenizerFile(reading: "tokenizer.json", at: locate("tokenizer.json")) {
            self.init(try TokenizerJSONReader.read(file))
            return
        }
        guard let list = try TokenizerFile(reading: "vocab.txt", at: locate("vocab.txt")) else {
            throw BreezeError(
                .invalidFile,
                "The model has neither tokenizer.json nor vocab.txt.",
                remedy: "Copy the model's tokenizer files beside its weights."
            )
        }
        let name = "tokenizer_config.json"
        guard let configuration = try TokenizerFile(reading: name, at: locate(name)) else {
            throw BreezeError(
                .invalidFile,
                "The model has vocab.txt but no \(name) to say if case counts.",
                remedy: "Copy the model's \(name) beside it."
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
