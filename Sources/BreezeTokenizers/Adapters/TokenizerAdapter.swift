public import Foundation

/// Makes tokenizers from one kind of file.
public protocol TokenizerAdapter: Sendable {
    var format: TokenizerFormat { get }

    /// Whether the model at this place has such a tokenizer, by the names of its files and what they begin with.
    func accepts(modelPath: URL) -> Bool

    /// `modelPath` is a model's folder, its file, or the tokenizer's file itself.
    ///
    /// - Throws: `invalid_file` naming the file and its fault, or that there is none; `unsupported` for a
    ///   kind that is not known.
    func createTokenizer(modelPath: URL) throws -> any Tokenizer
}

/// Where a model's tokenizer files may be.
struct TokenizerFolder {
    let url: URL

    /// `modelPath` itself where it is a folder, else the folder that holds it.
    init(_ modelPath: URL) {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(
            atPath: modelPath.path(percentEncoded: false),
            isDirectory: &isFolder
        )
        url = exists && isFolder.boolValue ? modelPath : modelPath.deletingLastPathComponent()
    }

    /// The first of these files that there is.
    func file(_ names: [String]) -> URL? {
        names.map { url.appending(path: $0) }
            .first { FileManager.default.fileExists(atPath: $0.path(percentEncoded: false)) }
    }
}
