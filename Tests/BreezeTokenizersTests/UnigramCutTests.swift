import Testing

@testable import BreezeTokenizers

@Suite struct `Unigram words` {
    /// "a" and "b" are better than "ab" by 2⁻²², which single precision loses from 4 on: then the longer token,
    /// which is found first, stands.
    private static func nearEquals(single: Bool) throws -> SubwordTokenizer {
        let texts = ["<unk>", "▁", "a", "b", "ab"]
        var source = TokenizerVocabulary(kind: .unigram, tokens: texts.map { Array($0.utf8) })
        source.scores = [0, -1, -1, -1, -2 - 0x1p-22]
        source.tokenKinds = [.unknown, .normal, .normal, .normal, .normal]
        source.specialIDs = .init(unknown: 0)
        source.followsSentencePiece = single
        source.addsEnd = false
        return try #require(try source.makeTokenizer(named: "test") as? SubwordTokenizer)
    }

    @Test(
        arguments: [
            (true, [1, 2, 3, 1, 4, 1, 4, 1, 4]), (false, [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]),
        ] as [(Bool, [Int32])]
    )
    func `near equals are decided by rounding where they stand`(single: Bool, ids: [Int32]) throws {
        let tokenizer = try Self.nearEquals(single: single)
        // The second time from the cache, as far as it holds.
        for _ in 0..<2 { #expect(tokenizer.encode("ab ab ab ab") == ids) }
        #expect(tokenizer.encodeWithOffsets("ab ab ab ab", specialTokens: .parsed).map(\.id) == ids)
    }

    @Test func `unknown characters join across what no token has`() throws {
        let tokenizer = try Self.nearEquals(single: true)
        for _ in 0..<2 { #expect(tokenizer.encode("ab\u{E9}\n\n\u{E9}b\n a") == [1, 2, 3, 0, 3, 0, 1, 2]) }
        let spans = tokenizer.encodeWithOffsets("a\u{E9}\n\n\u{E9}b", specialTokens: .parsed)
        #expect(spans.map(\.range) == [0..<1, 0..<1, 1..<7, 7..<8])
    }
}
