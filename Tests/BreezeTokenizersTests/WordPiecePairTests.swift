import BreezeCore
import BreezeTokenizers
import Foundation
import Testing

/// Expected ids are worked out by hand from the vocabularies in `TinyTokenizer` and `MPNetLikeTokenizer`.
@Suite struct `WordPiece pairs` {
    private func tokenizer(_ json: String = TinyTokenizer.json()) throws -> WordPieceTokenizer {
        try WordPieceTokenizer(tokenizerJSON: Data(json.utf8))
    }

    @Test func `a pair has the frame and the token types of its template`() throws {
        let tokenizer = try tokenizer()
        let pair = try tokenizer.encode("unaffable", "a cafe", limit: 64)
        #expect(pair.ids == [2, 5, 6, 7, 3, 15, 10, 3])
        #expect(pair.typeIDs == [0, 0, 0, 0, 0, 1, 1, 1])
        #expect(pair.truncatedCount == 0)
        #expect(tokenizer.pairFrameLength == 3)
        #expect(tokenizer.frameLength == 2)
        #expect(try tokenizer.encode("", "", limit: 3).ids == [2, 3, 3])
        #expect(try tokenizer.encode("unaffable", limit: 64).typeIDs.isEmpty)
    }

    @Test(
        arguments: [
            (.longestFirst, 3, [2, 3, 3], 5),
            (.longestFirst, 4, [2, 5, 3, 3], 4),  // the place goes to the longer
            (.longestFirst, 6, [2, 5, 6, 3, 15, 3], 2),
            (.longestFirst, 7, [2, 5, 6, 3, 15, 10, 3], 1),
            (.longestFirst, 8, [2, 5, 6, 7, 3, 15, 10, 3], 0),
            (.onlySecond, 7, [2, 5, 6, 7, 3, 15, 3], 1),
            (.onlySecond, 8, [2, 5, 6, 7, 3, 15, 10, 3], 0),
        ] as [(PairTruncation, Int, [Int32], Int)]
    )
    func `a limit cuts the texts and never the frame`(
        truncation: PairTruncation,
        limit: Int,
        ids: [Int32],
        cut: Int
    ) throws {
        let pair = try tokenizer().encode("unaffable", "a cafe", limit: limit, truncation: truncation)
        #expect(pair.ids == ids)
        #expect(pair.typeIDs.count == ids.count)
        #expect(pair.truncatedCount == cut)
        #expect(pair.totalCount == 8)
    }

    @Test(arguments: PairTruncation.allCases, [2, 0, -1, Int.min])
    func `a limit below the frame is refused`(truncation: PairTruncation, limit: Int) throws {
        let tokenizer = try tokenizer()
        let error = #expect(throws: BreezeError.self) {
            try tokenizer.encode("a", "a", limit: limit, truncation: truncation)
        }
        #expect(error?.code == .invalidParameter)
        #expect(error?.message.contains("the frame alone takes 3") == true)
    }

    /// At 3 the reference would cut the first text too, which is what this choice is there to prevent.
    @Test(arguments: [3, 4, 5, 6])
    func `a first text that leaves the second no room is refused with the counts`(limit: Int) throws {
        let tokenizer = try tokenizer()
        let error = #expect(throws: BreezeError.self) {
            try tokenizer.encode("unaffable", "a cafe", limit: limit, truncation: .onlySecond)
        }
        #expect(error?.code == .invalidParameter)
        #expect(error?.message.contains("3 ids and the frame 3") == true)
        #expect(error?.message.contains("within \(limit)") == true)
        #expect(error?.remedy?.contains("7 or more") == true)
    }

    @Test func `a first text alone may fill the limit`() throws {
        let pair = try tokenizer().encode("unaffable", "", limit: 6, truncation: .onlySecond)
        #expect(pair == TokenizedText(ids: [2, 5, 6, 7, 3, 3], typeIDs: [0, 0, 0, 0, 0, 1]))
    }

    @Test func `a template is followed in whatever order it has`() throws {
        let part = TinyTokenizer.part
        let json = TinyTokenizer.json(pair: [part("B", 4), part("[SEP]", 1), part("A", 0)])
        let pair = try tokenizer(json).encode("unaffable", "a cafe", limit: 5)
        #expect(pair.ids == [15, 10, 3, 5, 6])
        #expect(pair.typeIDs == [4, 4, 1, 0, 0])
    }

    @Test func `a single text has the token types of its template`() throws {
        let plain = #"\#(TinyTokenizer.part("A", 0)),\#(TinyTokenizer.part("[SEP]", 0))],"pair""#
        let json = TinyTokenizer.json().replacing(plain, with: plain.replacing("0", with: "1"))
        let text = try tokenizer(json).encode("a cafe", limit: 9)
        #expect(text == TokenizedText(ids: [2, 15, 10, 3], typeIDs: [0, 1, 1, 1]))
    }

    @Test func `a file that states no frame for pairs loads and encodes single texts`() throws {
        let bare = try Regex(#""post_processor":.*"decoder""#)
        let none = TinyTokenizer.json().replacing(bare, with: #""post_processor":null,"decoder""#)
        for json in [none, TinyTokenizer.json(pair: [])] {
            let tokenizer = try tokenizer(json)
            #expect(tokenizer.pairFrameLength == nil)
            #expect(try tokenizer.encode("a", limit: 9).ids == [2, 15, 3])
            let error = #expect(throws: BreezeError.self) { try tokenizer.encode("a", "a", limit: 9) }
            #expect(error?.code == .unsupported)
        }
    }

    @Test(
        arguments: [
            (["A"], "1 places for the first text and 0 for the second"),
            (["A", "A", "B"], "2 places for the first text and 1 for the second"),
            (["A", "B", "C"], "neither A nor B"),
            (["A", "B", "[MASK]"], "special token without ids"),
        ]
    )
    func `a template that cannot be followed is refused`(parts: [String], says: String) {
        let json = TinyTokenizer.json(pair: parts.map { TinyTokenizer.part($0, 0) })
        let error = #expect(throws: BreezeError.self) { try tokenizer(json) }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["-1", "4294967296", "null", "\"1\""])
    func `a token type that is no small number is refused`(type: String) {
        let part = #"{"Sequence":{"id":"B","type_id":\#(type)}}"#
        let json = TinyTokenizer.json(pair: [TinyTokenizer.part("A", 0), part])
        let error = #expect(throws: BreezeError.self) { try tokenizer(json) }
        #expect(error?.message.contains("type_id") == true)
    }

    @Test func `MPNet has two ends between its texts and one token type`() throws {
        let tokenizer = try tokenizer(MPNetLikeTokenizer.json())
        // "!" and "#" are the first and the third scalar of the vocabulary: 6 and 10.
        let pair = try tokenizer.encode("!", "#", limit: 64)
        #expect(pair == TokenizedText(ids: [0, 6, 2, 2, 10, 2]))
        #expect(pair.typeIDs.isEmpty)
    }

    @Test(arguments: ["BertTokenizer", "BertTokenizerFast", "DistilBertTokenizer"])
    func `a list of tokens of BERT's kind has BERT's pairs`(name: String) throws {
        let tokenizer = try WordPieceTokenizer(
            vocabulary: Data(TinyTokenizer.tokens.joined(separator: "\n").utf8),
            configuration: Data(#"{"tokenizer_class":"\#(name)"}"#.utf8)
        )
        let pair = try tokenizer.encode("Unaffable", "a [SEP]", limit: 64)
        #expect(pair.ids == [2, 5, 6, 7, 3, 15, 3, 3])
        #expect(pair.typeIDs == [0, 0, 0, 0, 0, 1, 1, 1])
    }
}
