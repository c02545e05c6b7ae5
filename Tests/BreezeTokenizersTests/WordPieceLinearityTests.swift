import Foundation
import Testing

@testable import BreezeTokenizers

@Suite struct `WordPiece work` {
    /// Repeated: words, one endless word, unknown words, marks that wait to be ordered, openings of tokens.
    @Test(arguments: ["unaffable ", "a", "runners", "a\u{1D165}", "\u{8D4}\u{1D165}", "[", "[SE", "한", "中"])
    func `grows no faster than the text`(unit: String) throws {
        let tokenizer = try WordPieceTokenizer(tokenizerJSON: Data(TinyTokenizer.json().utf8))
        let few = tokenizer.run(String(repeating: unit, count: 2_000), limit: 8)
        let many = tokenizer.run(String(repeating: unit, count: 20_000), limit: 8)
        #expect(many.work <= 10 * few.work + 100)
        #expect(many.work <= 20_000 * unit.utf8.count * 8)
        #expect(many.ids.count <= 8)
    }

    /// Openings of a token that is looked for in normalised text, all of which are held back for a while.
    @Test(arguments: ["<", "<<u", "<unk", "<unk>", "<u\u{301}nk", "<unk\u{1D165}"])
    func `grows no faster than the text where tokens are normalised`(unit: String) throws {
        let json = MPNetLikeTokenizer.json(normalized: ["<unk>", "<<<<<<<<<<<<<<<u>"])
        let tokenizer = try WordPieceTokenizer(tokenizerJSON: Data(json.utf8))
        let few = tokenizer.run(String(repeating: unit, count: 2_000), limit: 8)
        let many = tokenizer.run(String(repeating: unit, count: 20_000), limit: 8)
        #expect(many.work > 0)
        // The first bytes of a text are cheaper, because less is held yet.
        #expect(many.work <= 11 * few.work)
        #expect(many.work <= 20_000 * unit.utf8.count * 64)
    }

    @Test func `a word without end is stored up to the longest that the model splits`() throws {
        let tokenizer = try WordPieceTokenizer(tokenizerJSON: Data(TinyTokenizer.json().utf8))
        let encoder = tokenizer.run(String(repeating: "a", count: 1_000_000), limit: 8)
        #expect(encoder.ids == [1])
        #expect(encoder.work == 0)
    }
}
