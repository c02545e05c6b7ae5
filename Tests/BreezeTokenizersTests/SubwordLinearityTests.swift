import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeTokenizers

@Suite struct `Subword work` {
    /// Every byte a token; merges of letters, of spaces and of both, as deep as they go in a vocabulary.
    private static let bytePair: TokenizerVocabulary = {
        var tokens = (UInt8.min ... .max).map { ByteAlphabet.symbol(of: $0) }
        var source = TokenizerVocabulary(kind: .bytePair, tokens: [])
        for letter in ["a", "Ġ", "é"] {
            var piece = letter == "é" ? Array("Ã©".utf8) : Array(letter.utf8)
            if letter == "é" {
                source.merges.append(Array("Ã ©".utf8))
                tokens.append(piece)
            }
            for _ in 0..<4 {
                source.merges.append(piece + [0x20] + piece)
                piece += piece
                tokens.append(piece)
            }
        }
        source.tokens = tokens
        source.preTokenizer = "qwen2"
        return source
    }()

    private static let scored: [TokenizerVocabulary] = [
        TokenizerVocabulary.Kind.sentencePiece, .unigram,
    ].map { kind in
        let texts = ["<unk>", "▁", "a", "b", "aa", "aaaa", "aaaaaaaa", "▁▁", "▁▁▁▁", "▁a", "ab"]
        var source = TokenizerVocabulary(kind: kind, tokens: texts.map { Array($0.utf8) })
        source.scores = texts.indices.map { -Float($0) }
        source.tokenKinds = [.unknown] + Array(repeating: .normal, count: texts.count - 1)
        source.specialIDs = .init(beginning: 1, end: 1, unknown: 0)
        return source
    }

    @Test(arguments: ["a", " ", "ab", "é", "1", "a b", "\n", "\u{301}", "中", "'l", "a\u{85}"], 0..<3)
    func `grows with the text and not faster`(unit: String, kind: Int) throws {
        let source = kind == 0 ? Self.bytePair : Self.scored[kind - 1]
        let tokenizer = try #require(try source.makeTokenizer(named: "test") as? SubwordTokenizer)
        let few = tokenizer.run(String(repeating: unit, count: 20_000), .parsed, wantsOffsets: false).work
        let many = tokenizer.run(String(repeating: unit, count: 40_000), .parsed, wantsOffsets: false).work
        #expect(few > 0)
        // A heap's depth grows with the logarithm.
        #expect(Double(many) <= 2.2 * Double(few) + 1_000)
        #expect(many <= 40_000 * unit.utf8.count * 60)
    }

    @Test(arguments: ["a", " "])
    func `a megabyte of one word or of white space is encoded whole`(unit: String) throws {
        for source in [Self.bytePair] + Self.scored {
            let text = String(repeating: unit, count: 1 << 20)
            let tokenizer = try source.makeTokenizer(named: "test")
            #expect(tokenizer.decode(tokenizer.encode(text)).utf8.count == text.utf8.count)
        }
    }

    /// Patterns that a backtracking engine would read anew from each place.
    @Test(arguments: [#"\s+$"#, "a*b", "(a|aa)+b", #"[ax]+y|a"#, "a.*b|a"])
    func `a pattern reads no place more often than it has states`(pattern: String) throws {
        let splitter = PieceSplitter(delimiter: .pattern(try PatternMatcher(pattern)))
        let work = [20_000, 40_000].map { count in
            let text = Array(String(repeating: pattern.contains("s") ? " " : "a", count: count).utf8) + [0x78]
            var memory = PatternMatcher.Memory()
            _ = splitter.split(text, [0..<text.count], &memory)
            return memory.work
        }
        // What is read beyond a match is remembered from the 64th scalar on.
        #expect(work[1] <= 2 * work[0] + 10_000)
        #expect(work[1] <= 40_000 * 80)
    }
}
