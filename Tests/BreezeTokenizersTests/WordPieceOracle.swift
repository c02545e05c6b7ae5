import BreezeTestSupport
import Foundation

/// Hugging Face's `tokenizers`, beside ours.
enum WordPieceOracle {
    static let miniLM = Oracle.miniLM?.appending(path: "tokenizer.json")

    /// The ids of each text, frame included.
    static func ids(of texts: [String], tokenizer: URL) throws -> [[Int32]] {
        try Oracle.run("wordpiece_oracle.py", tokenizer, input: texts, in: try ScratchFolder())
    }
}
