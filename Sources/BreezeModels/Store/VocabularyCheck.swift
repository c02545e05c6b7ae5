import BreezeCore
import BreezeTokenizers
import Foundation

/// Whether the tokenizer beside a model loads, and belongs to it.
enum VocabularyCheck {
    /// Some publishers round the embedding table up to a multiple of this.
    private static let padding = 128

    /// - Throws: ``BreezeError`` `.invalidFile` for a tokenizer that does not load or has too many or too few
    ///   tokens.
    static func check(_ directory: URL, against configuration: EncoderConfiguration) throws {
        let size = try WordPieceTokenizer(directory: directory).vocabularySize
        guard size <= configuration.vocabularySize, configuration.vocabularySize < size + padding else {
            throw BreezeError(
                .invalidFile,
                "The tokenizer in \(directory.path) has \(size) tokens, not \(configuration.vocabularySize).",
                remedy: "Fetch the tokenizer that belongs to this model."
            )
        }
    }
}
