import BreezeTestSupport
import BreezeTokenizers
import Foundation

/// Hugging Face's `tokenizers`, beside ours.
enum WordPieceOracle {
    static let miniLM = Oracle.miniLM?.appending(path: "tokenizer.json")

    /// The ids of each text, frame included.
    static func ids(of texts: [String], tokenizer: URL) async throws -> [[Int32]] {
        try await Oracle.run("wordpiece_oracle.py", tokenizer, input: texts)
    }

    /// A question about a pair, and what the reference makes of it.
    struct Pair: Encodable, Sendable {
        let first: String
        let second: String
        let limit: Int
        let strategy: String

        init(_ first: String, _ second: String, limit: Int, _ truncation: PairTruncation) {
            self.first = first
            self.second = second
            self.limit = limit
            strategy =
                switch truncation {
                case .longestFirst: "longest_first"
                case .onlySecond: "only_second"
                }
        }
    }

    struct Encoding: Decodable, Sendable {
        /// `nil` where the reference refuses the limit.
        let ids: [Int32]?
        let types: [Int32]?
        /// How many ids the pair has uncut.
        let whole: Int
    }

    static func encodings(of pairs: [Pair], tokenizer: URL) async throws -> [Encoding] {
        try await Oracle.run("wordpiece_pairs_oracle.py", tokenizer, input: pairs)
    }
}
