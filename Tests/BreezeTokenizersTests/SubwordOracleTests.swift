import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeTokenizers

@Suite(
    .enabled(
        if: Oracle.python != nil && MadeTokenizers.corpus != nil,
        "no Python with tokenizers and sentencepiece, or no STS-B under BREEZE_SHARED: run make setup"
    )
)
struct `Subword tokenizers against their references` {
    private struct Answer: Decodable {
        let ids: [Int32]
        let decoded: String
        /// `nil` where the library does not say.
        let ranges: [[Int]]?
    }

    private static let specials = [
        "<|endoftext|>", "<|im_start|>", "<tool>", "<tool", "wholeword", "<strip>", " <strip>  ", "<unk>",
        "<s>",
        "▁", "▁▁", "Ġ", "<0x0A>", "\n\n", "   ", "'s", "'LL", "12345", "don't", "</w>", "##",
    ]

    /// Those whose normaliser joins or divides characters: the reference then counts an id to the first of the
    /// characters that it was made of, and we to all.
    private static let rewriting: Set = [
        "clip.json", "prefixed.json", "qwen2.json", "unigram.json", "unigram-t5.json", "xlmr.json",
    ]

    /// The reference libraries know Unicode up to a version each; what came later is another matter.
    @Test(arguments: MadeTokenizers.names)
    func `fuzzed texts have the reference's ids, text and offsets`(name: String) async throws {
        let file = try await MadeTokenizers.shared.file(name)
        let tokenizer =
            try name.hasSuffix(".model")
            ? SubwordTokenizer(sentencePieceModel: Data(contentsOf: file))
            : SubwordTokenizer(tokenizerJSON: Data(contentsOf: file))
        var fuzz = FuzzedText(seed: 5, specials: Self.specials, latest: 9)
        let texts = (0..<Soak.count(20_000)).map { _ in fuzz.next() }
        let answers: [Answer] = try await Oracle.run("tokenizer_oracle.py", file, input: texts)
        try #require(answers.count == texts.count)
        var differing = 0
        for (text, answer) in zip(texts, answers) where !agrees(tokenizer, name, text, answer) {
            differing += 1
            if differing <= 3 { Issue.record("\(name): \(TinyTokenizer.quoted(text))") }
        }
        #expect(differing == 0, "of \(texts.count) texts")
    }

    /// In a long text the sums are great and the words frequent: rounding and what is kept of words meet.
    @Test(arguments: MadeTokenizers.names.filter { $0.contains("unigram") || $0 == "xlmr.json" })
    func `long texts have the reference's ids`(name: String) async throws {
        let file = try await MadeTokenizers.shared.file(name)
        let tokenizer =
            try name.hasSuffix(".model")
            ? SubwordTokenizer(sentencePieceModel: Data(contentsOf: file))
            : SubwordTokenizer(tokenizerJSON: Data(contentsOf: file))
        let corpus = try String(contentsOf: #require(MadeTokenizers.corpus), encoding: .utf8)
        var fuzz = FuzzedText(seed: 6, specials: Self.specials, latest: 9)
        let texts = [corpus.prefix(60_000), corpus.suffix(20_000)].map { part in
            part.split(separator: "\n").map { "\($0)\n\(fuzz.next()) " }.joined()
        }
        let answers: [Answer] = try await Oracle.run("tokenizer_oracle.py", file, input: texts)
        for (text, answer) in zip(texts, answers) {
            // Once with an empty cache and once with a full one.
            for _ in 0..<2 { #expect(tokenizer.encode(text) == answer.ids) }
        }
    }

    private func agrees(_ tokenizer: SubwordTokenizer, _ name: String, _ text: String, _ answer: Answer)
        -> Bool
    {
        let ids = tokenizer.encode(text)
        let spans = tokenizer.encodeWithOffsets(text)
        guard ids == answer.ids, spans.map(\.id) == ids,
            Array(tokenizer.decode(ids, skippingSpecialTokens: false).utf8) == Array(answer.decoded.utf8)
        else { return false }
        var decoder = tokenizer.streamingDecoder(skippingSpecialTokens: false)
        let streamed = ids.map { decoder.append($0) }.joined() + decoder.finish()
        // In a stream a word's end is not known to be the text's.
        guard name == "clip.json" || Array(streamed.utf8) == Array(answer.decoded.utf8) else { return false }
        guard let ranges = answer.ranges, !Self.rewriting.contains(name) else { return true }
        return ranges == spans.map { [$0.range.lowerBound, $0.range.upperBound] }
    }
}
