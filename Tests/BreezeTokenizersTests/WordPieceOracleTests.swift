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
struct `WordPiece against its reference` {
    @Test(.enabled(if: WordPieceOracle.miniLM != nil, "all-MiniLM-L6-v2 is not in the cache: run make setup"))
    func `10,000 fuzzed texts have the reference's ids with a real vocabulary`() async throws {
        var fuzz = FuzzedText(seed: 20_260_101)
        let texts = (0..<10_000).map { _ in fuzz.next() }
        try await expectEqual(texts, tokenizer: try #require(WordPieceOracle.miniLM))
    }

    /// With every scalar a token, the ids show each step of the normalisation and not only the unknown token.
    @Test(arguments: [(true, nil), (false, nil), (true, false), (false, true)] as [(Bool, Bool?)])
    func `fuzzed texts have the reference's ids scalar by scalar`(lowercase: Bool, strip: Bool?) async throws
    {
        var fuzz = FuzzedText(seed: 7)
        let texts = (0..<2_500).map { _ in fuzz.next() }
        let json = TinyTokenizer.json(tokens: Self.everyScalar, lowercase: lowercase, stripAccents: strip)
        try await withFile(json) { try await expectEqual(texts, tokenizer: $0) }
    }

    /// Of the large uniform blocks (unassigned, private use, most ideographs) every 97th scalar.
    @Test(arguments: [true, false])
    func `the scalars of Unicode have the reference's ids`(clean: Bool) async throws {
        let scalars = (0..<0x110000).compactMap(Unicode.Scalar.init(_:)).filter { scalar in
            (Self.isDistinct(scalar) || scalar.value % 97 == 0) && !FuzzedText.isOfLaterCasing(scalar)
        }
        let texts = stride(from: 0, to: scalars.count, by: 64).map { first in
            var text = String.UnicodeScalarView()
            for scalar in scalars[first..<min(first + 64, scalars.count)] {
                // Before: whether it divides a word. After: whether marks are ordered around it.
                text += ["a", scalar, "b", " ", "a", "\u{8D4}", scalar, "\u{1D165}", " "]
            }
            return String(text)
        }
        let json = TinyTokenizer.json(tokens: Self.everyScalar, cleanText: clean)
        try await withFile(json) { try await expectEqual(texts, tokenizer: $0) }
    }

    private func expectEqual(_ texts: [String], tokenizer file: URL) async throws {
        let expected = try await WordPieceOracle.ids(of: texts, tokenizer: file)
        let tokenizer = try WordPieceTokenizer(tokenizerJSON: Data(contentsOf: file))
        try #require(expected.count == texts.count)
        var differing = 0
        for (text, ids) in zip(texts, expected) {
            let ours = try tokenizer.encode(text, limit: .max)
            if ours.ids != ids || ours.truncatedCount != 0 {
                differing += 1
                if differing <= 3 { Issue.record("\(TinyTokenizer.quoted(text)): \(ours.ids), not \(ids)") }
            }
        }
        #expect(differing == 0, "of \(texts.count) texts")
    }

    private func withFile(_ json: String, _ body: (URL) async throws -> Void) async throws {
        let folder = try ScratchFolder()
        try await body(try folder.write("tokenizer.json", json))
    }

    /// The special tokens, then every distinct scalar, each to begin a word and to continue one.
    private static let everyScalar: [String] = {
        var tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
        for scalar in (0..<0x110000).compactMap(Unicode.Scalar.init(_:)) where isDistinct(scalar) {
            tokens += [String(Character(scalar)), "##\(Character(scalar))"]
        }
        return tokens
    }()

    /// Assigned, and not in one of the blocks of thousands that are treated alike.
    private static func isDistinct(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .unassigned, .privateUse: false
        case .otherLetter: scalar.value < 0x6000 || (0xF900...0x16FFF).contains(scalar.value)
        default: true
        }
    }
}
