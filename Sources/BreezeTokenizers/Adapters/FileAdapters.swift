import BreezeCore
public import Foundation

/// `tokenizer.json` of the kinds BPE and Unigram.
public struct BytePairAdapter: TokenizerAdapter {
    public init() {}

    public var format: TokenizerFormat { .bytePair }

    public func accepts(modelPath: URL) -> Bool {
        guard let file = file(modelPath) else { return false }
        return TokenizerKind.ofJSON(at: file) != "WordPiece"
    }

    public func createTokenizer(modelPath: URL) throws -> any Tokenizer {
        let url = file(modelPath)
        guard let file = try TokenizerFile(reading: url?.lastPathComponent ?? "tokenizer.json", at: url)
        else {
            throw TokenizerKind.missing("tokenizer.json", modelPath)
        }
        return SubwordTokenizer(try SubwordJSONReader.read(file, file.json()))
    }

    private func file(_ modelPath: URL) -> URL? {
        if modelPath.pathExtension == "json" { return modelPath }
        return TokenizerFolder(modelPath).file(["tokenizer.json"])
    }
}

/// SentencePiece's `.model`.
public struct SentencePieceAdapter: TokenizerAdapter {
    public init() {}

    public var format: TokenizerFormat { .sentencePiece }

    public func accepts(modelPath: URL) -> Bool { file(modelPath) != nil }

    public func createTokenizer(modelPath: URL) throws -> any Tokenizer {
        guard let file = file(modelPath) else { throw TokenizerKind.missing("tokenizer.model", modelPath) }
        let data = try TokenizerFile.data(at: file)
        return try SubwordTokenizer(sentencePieceModel: data, name: file.lastPathComponent)
    }

    private func file(_ modelPath: URL) -> URL? {
        if modelPath.pathExtension == "model" { return modelPath }
        return TokenizerFolder(modelPath).file([
            "tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "spm.model",
        ])
    }
}

/// `vocab.txt` with its configuration, or a `tokenizer.json` of the kind WordPiece.
public struct WordPieceAdapter: TokenizerAdapter {
    public init() {}

    public var format: TokenizerFormat { .wordPiece }

    public func accepts(modelPath: URL) -> Bool {
        let folder = TokenizerFolder(modelPath)
        if let file = folder.file(["tokenizer.json"]) { return TokenizerKind.ofJSON(at: file) == "WordPiece" }
        return folder.file(["vocab.txt"]) != nil
    }

    public func createTokenizer(modelPath: URL) throws -> any Tokenizer {
        try WordPieceTokenizer(directory: TokenizerFolder(modelPath).url)
    }
}

/// What kind a file is, and what is said where there is none.
enum TokenizerKind {
    /// The type that a `tokenizer.json` states for its model; `nil` where it cannot be read.
    static func ofJSON(at url: URL) -> String? {
        guard let file = try? TokenizerFile(reading: url.lastPathComponent, at: url),
            let root = try? file.json()
        else {
            return nil
        }
        return root["model"]?["type"]?.string
    }

    static func missing(_ name: String, _ place: URL) -> BreezeError {
        BreezeError(
            .invalidFile,
            "There is no \(name) at \(place.path(percentEncoded: false)).",
            remedy: "Copy the model's tokenizer files beside its weights."
        )
    }
}
