import BreezeCore
import BreezeTokenizers
import Foundation
import Testing

/// Expected ids are worked out by hand from the vocabulary in `TinyTokenizer`.
@Suite struct `WordPiece tokenizer` {
    struct Row: CustomTestStringConvertible {
        let text: String
        let ids: [Int32]
        var testDescription: String { text.debugDescription }
    }

    private func tokenizer(_ json: String = TinyTokenizer.json()) throws -> WordPieceTokenizer {
        try WordPieceTokenizer(tokenizerJSON: Data(json.utf8))
    }

    @Test(arguments: [
        Row(text: "", ids: []),
        Row(text: " \t\r\n\u{3000}\u{2028}", ids: []),
        Row(text: "unaffable", ids: [5, 6, 7]),
        Row(text: "UNaffABLE running", ids: [5, 6, 7, 8, 9]),
        Row(text: "runners", ids: [1]),  // "runn", then nothing begins "ers": unknown as a whole
        Row(text: "cafés, cafe\u{301}!", ids: [10, 11, 12, 10, 13]),  // both forms lose the accent
        Row(text: "a中a", ids: [15, 14, 15]),  // an ideograph stands alone
        Row(text: "a\u{0}a\u{FFFD}a\u{200D}a\u{AD}", ids: [15, 16, 16, 16]),  // dropped, joins the word
        Row(text: "a\u{A0}a\u{85}a", ids: [15, 15, 16]),  // a space; U+0085 is dropped as a control
        Row(text: "a,a", ids: [15, 12, 15]),
        Row(text: "a🙂a", ids: [1]),
        Row(text: "a[SEP]a", ids: [15, 3, 15]),  // found in raw text, even in a word
        Row(text: "[MASK][MASK]", ids: [4, 4]),
        Row(text: "[sep]", ids: [18, 20, 19]),  // not the special token: case counts
        Row(text: "[SEP", ids: [18, 20]),
        Row(text: "[UNK] [PAD]", ids: [1, 0]),
        Row(text: "İ", ids: [1]),  // i, its dot dropped; not in the vocabulary alone
        Row(text: "\u{301}\u{302}", ids: []),  // nothing left of it
    ])
    func `uncased text becomes the expected ids`(row: Row) throws {
        #expect(try tokenizer().encode(row.text) == row.ids)
    }

    @Test(arguments: [
        Row(text: "Cafe cafe CAFE", ids: [21, 10, 1]),
        Row(text: "café", ids: [17]),
        Row(text: "cafe\u{301}", ids: [1]),  // not composed: accents are left as they are
        Row(text: "aé", ids: [15, 23]),
    ])
    func `cased text keeps its case and accents`(row: Row) throws {
        #expect(try tokenizer(TinyTokenizer.json(lowercase: false)).encode(row.text) == row.ids)
    }

    @Test func `lowercasing without stripping keeps what a capital expands to`() throws {
        let tokenizer = try tokenizer(TinyTokenizer.json(stripAccents: false))
        #expect(tokenizer.encode("İ CAFÉ Straße") == [24, 17, 22])
    }

    @Test func `a word of 100 scalars is split and one of 101 is unknown`() throws {
        let tokenizer = try tokenizer()
        let longest = [15] + Array(repeating: Int32(16), count: 99)
        #expect(tokenizer.encode(String(repeating: "a", count: 100)) == longest)
        #expect(tokenizer.encode(String(repeating: "á", count: 100)) == longest)
        #expect(tokenizer.encode(String(repeating: "a", count: 101)) == [1])
    }

    @Test(
        arguments: [
            (2, [2, 3], 5), (3, [2, 5, 3], 4), (6, [2, 5, 6, 7, 8, 3], 1), (7, [2, 5, 6, 7, 8, 9, 3], 0),
            (512, [2, 5, 6, 7, 8, 9, 3], 0),
        ] as [(Int, [Int32], Int)]
    )
    func `a limit cuts the text and never the frame`(limit: Int, ids: [Int32], cut: Int) throws {
        let text = try tokenizer().encode("unaffable running", limit: limit)
        #expect(text == TokenizedText(ids: ids, truncatedCount: cut))
        #expect(text.totalCount == 7)
    }

    @Test(arguments: [1, 0, -1, Int.min + 2])
    func `a limit below the frame is refused`(limit: Int) throws {
        let tokenizer = try tokenizer()
        let error = #expect(throws: BreezeError.self) { try tokenizer.encode("a", limit: limit) }
        #expect(error?.code == .invalidParameter)
    }

    @Test func `tokens that are canonically equal stay apart`() throws {
        let tokens = TinyTokenizer.tokens + ["e\u{301}", "\u{E9}"]
        let tokenizer = try tokenizer(TinyTokenizer.json(tokens: tokens, lowercase: false))
        #expect(tokenizer.vocabularySize == 27)
        #expect(tokenizer.encode("e\u{301} \u{E9}") == [25, 26])
    }

    @Test func `an added token beyond the vocabulary is found, and only as a whole word`() throws {
        let json = TinyTokenizer.json().replacing(
            "\"added_tokens\":[",
            with: """
                "added_tokens":[{"id":25,"content":"a!","single_word":true,"lstrip":true,"rstrip":true,\
                "normalized":false,"special":false},
                """
        )
        let tokenizer = try tokenizer(json)
        #expect(tokenizer.vocabularySize == 26)
        #expect(tokenizer.encode("a! ,a!, aa! a!a") == [25, 12, 25, 12, 15, 16, 13, 15, 13, 15])
    }

    @Test func `the older pair of files gives the same ids`() throws {
        let list = Data(TinyTokenizer.tokens.joined(separator: "\r\n").utf8)
        let options = Data(#"{"do_lower_case":true,"mask_token":{"content":"[MASK]"}}"#.utf8)
        let tokenizer = try WordPieceTokenizer(vocabulary: list, configuration: options)
        let text = "unaffable [MASK] Cafés a[SEP]中a runners"
        #expect(try tokenizer.encode(text, limit: 64) == self.tokenizer().encode(text, limit: 64))
        #expect(tokenizer.encode("unaffable [MASK] Cafés") == [5, 6, 7, 4, 10, 11])
    }
}
