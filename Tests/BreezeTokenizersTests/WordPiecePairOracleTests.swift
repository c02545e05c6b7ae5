import BreezeCore
import BreezeTestSupport
import BreezeTokenizers
import Foundation
import Testing

@Suite(
    .enabled(
        if: Oracle.python != nil,
        "no Python with tokenizers: run make setup, or set BREEZE_PYTHON"
    )
)
struct `WordPiece pairs against their reference` {
    private static let long = String(repeating: "unaffable tokenization of the naïve device. ", count: 12)
    private static let table = [
        ("", ""), ("", "a private brain"), ("a private brain", ""), ("what is it?", "a private brain"),
        (long, long), (long, "short"), ("short", long), (long + "a", long), (long, long + "a"),
        ("日本語 中国", "שָׁלוֹם مَرْحَبًا 👍🏽"), ("e\u{301}\u{327}", "\u{0}\u{AD}"),
        ("[CLS] a", "b [SEP] [PAD] [MASK]"), ("[SEP]", "[SEP"), ("   ", "\n"),
    ]

    /// Not the smallest: of what it cuts the reference keeps every window of both texts, which takes seconds
    /// where every letter is a token.
    private static let mpnetLimits = 12...72

    @Test(.enabled(if: WordPieceOracle.miniLM != nil, "all-MiniLM-L6-v2 is not in the cache: run make setup"))
    func `a table of pairs is cut as the reference cuts it at every limit`() async throws {
        let limits = Array(3...40) + [127, 128, 129, 255, 256, 511, 512]
        try await expectEqual(
            cases(Self.table, limits: limits),
            tokenizer: try #require(WordPieceOracle.miniLM)
        )
    }

    @Test(.enabled(if: WordPieceOracle.miniLM != nil, "all-MiniLM-L6-v2 is not in the cache: run make setup"))
    func `4,000 fuzzed pairs have the reference's ids and token types`() async throws {
        var fuzz = FuzzedText(seed: 20_260_202)
        try await expectEqual(
            fuzzed(4_000, texts: &fuzz, limits: 3...63, seed: 3),
            tokenizer: try #require(WordPieceOracle.miniLM)
        )
    }

    /// The last has tokens of which one begins another, in a tokenizer that tells case.
    @Test(
        arguments: [
            (MPNetLikeTokenizer.roberta, true, []), (MPNetLikeTokenizer.template, true, ["<unk>"]),
            (MPNetLikeTokenizer.template, false, ["<unk>", "[UNK]", "<mask>"]),
            (MPNetLikeTokenizer.roberta, true, ["<s>", "[UNK]", "<unk>", "<extra_1", "<extra_12>", "<<x>"]),
        ] as [(String, Bool, [String])]
    )
    func `MPNet's kind of tokenizer has the reference's pairs`(
        postProcessor: String,
        lowercase: Bool,
        normalized: [String]
    ) async throws {
        let json = MPNetLikeTokenizer.json(
            postProcessor: postProcessor,
            lowercase: lowercase,
            normalized: normalized
        )
        let folder = try ScratchFolder()
        let file = try folder.write("tokenizer.json", json)
        try await expectEqual(cases(Self.table, limits: [24, 41, 100, 256]), tokenizer: file)
        var fuzz = FuzzedText(seed: 11, specials: MPNetLikeTokenizer.specials)
        try await expectEqual(fuzzed(1_500, texts: &fuzz, limits: Self.mpnetLimits, seed: 5), tokenizer: file)
    }

    @Test(arguments: [false, true])
    func `MPNet's older pair of files has the reference's pairs`(normalized: Bool) async throws {
        let json = MPNetLikeTokenizer.json(normalized: normalized ? ["<unk>", "<extra_1>"] : [])
        let extra = MPNetLikeTokenizer.tokens.count
        let listed = """
            "3":{"content":"<unk>","normalized":\(normalized),"special":true}\
            \(normalized ? #","\#(extra)":{"content":"<extra_1>","normalized":true,"special":true}"# : "")
            """
        let tokenizer = try WordPieceTokenizer(
            vocabulary: Data(MPNetLikeTokenizer.tokens.joined(separator: "\n").utf8),
            configuration: Data(
                #"{"tokenizer_class":"MPNetTokenizer","added_tokens_decoder":{\#(listed)}}"#.utf8
            )
        )
        let folder = try ScratchFolder()
        let file = try folder.write("tokenizer.json", json)
        var fuzz = FuzzedText(seed: 13, specials: MPNetLikeTokenizer.specials)
        try await expectEqual(
            fuzzed(1_500, texts: &fuzz, limits: Self.mpnetLimits, seed: 7),
            tokenizer: file,
            ours: tokenizer
        )
    }

    private typealias Case = (pair: WordPieceOracle.Pair, truncation: PairTruncation)

    private func cases(_ pairs: [(String, String)], limits: [Int]) -> [Case] {
        pairs.flatMap { first, second in
            limits.flatMap { limit in
                PairTruncation.allCases.map { (.init(first, second, limit: limit, $0), $0) }
            }
        }
    }

    private func fuzzed(_ count: Int, texts: inout FuzzedText, limits: ClosedRange<Int>, seed: UInt64)
        -> [Case]
    {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            let truncation: PairTruncation = Bool.random(using: &generator) ? .longestFirst : .onlySecond
            let limit = Int.random(in: limits, using: &generator)
            return (.init(texts.next(), texts.next(), limit: limit, truncation), truncation)
        }
    }

    private func expectEqual(_ cases: [Case], tokenizer file: URL, ours: WordPieceTokenizer? = nil)
        async throws
    {
        let tokenizer = try ours ?? WordPieceTokenizer(tokenizerJSON: Data(contentsOf: file))
        let frame = try #require(tokenizer.pairFrameLength)
        // With room for nothing the reference cuts the first text too, whatever was asked for; we refuse.
        let cases = cases.filter { $0.truncation == .longestFirst || $0.pair.limit > frame }
        let expected = try await WordPieceOracle.encodings(of: cases.map(\.pair), tokenizer: file)
        try #require(expected.count == cases.count)
        var differing = 0
        var cut = 0
        for ((pair, truncation), answer) in zip(cases, expected) {
            let ours = try encoded(pair, truncation, with: tokenizer)
            if let ids = answer.ids, ids.count < answer.whole { cut += 1 }
            if !isEqual(ours, answer) {
                differing += 1
                let texts = "\(TinyTokenizer.quoted(pair.first)), \(TinyTokenizer.quoted(pair.second))"
                let found = ours.map { "\($0)" } ?? "refused"
                if differing <= 3 {
                    Issue.record("\(texts) in \(pair.limit), \(truncation): \(found), not \(answer)")
                }
            }
        }
        #expect(differing == 0, "of \(cases.count) pairs")
        #expect(cut > cases.count / 20 && expected.contains { $0.ids == nil }, "the cases test no cut")
    }

    /// `nil` where the limit is refused.
    private func encoded(
        _ pair: WordPieceOracle.Pair,
        _ truncation: PairTruncation,
        with tokenizer: WordPieceTokenizer
    ) throws -> TokenizedText? {
        do {
            return try tokenizer.encode(pair.first, pair.second, limit: pair.limit, truncation: truncation)
        } catch let error as BreezeError where error.code == .invalidParameter {
            return nil
        }
    }

    private func isEqual(_ ours: TokenizedText?, _ answer: WordPieceOracle.Encoding) -> Bool {
        guard let ours, let types = answer.types else { return ours == nil && answer.ids == nil }
        let zeros = [Int32](repeating: 0, count: ours.ids.count)
        return ours.ids == answer.ids && (ours.typeIDs.isEmpty ? zeros : ours.typeIDs) == types
            && ours.totalCount == answer.whole
    }
}
