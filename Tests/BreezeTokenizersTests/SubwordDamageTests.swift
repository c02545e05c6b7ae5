import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeTokenizers

@Suite struct `Damaged subword tokenizers` {
    private static let whole = """
        {"added_tokens":[{"id":4,"content":"<s>","special":true}],"normalizer":null,"pre_tokenizer":null,\
        "post_processor":null,"decoder":null,"model":{"type":"BPE","unk_token":"a",\
        "vocab":{"a":0,"b":1,"ab":2,"abab":3},"merges":["a b",["ab","ab"]]}}
        """

    @Test func `the whole one is read`() throws {
        let tokenizer = try SubwordTokenizer(tokenizerJSON: Data(Self.whole.utf8))
        #expect(tokenizer.encode("ababb<s>") == [3, 1, 4])
        #expect(tokenizer.vocabularySize == 5)
    }

    @Test(
        arguments: [
            (#""ab","ab"]"#, #""ab","x"]"#, "names a token that it does not have"),
            (#""a b""#, #""a b c""#, "is not two tokens"),
            (#""b":1"#, #""b":0"#, "two tokens have the id 0"),
            (#""b":1"#, #""b":-1"#, "no usable id"),
            (#""b":1"#, #""b":99999999999"#, "no usable id"),
            (#""id":4"#, #""id":99999999"#, "has the id"),
            (#""id":4"#, #""id":1"#, "the id 1 is that of"),
            (#""unk_token":"a""#, #""unk_token":"z""#, "missing from its vocabulary"),
            (
                #""normalizer":null"#,
                #""normalizer":{"type":"Precompiled","precompiled_charsmap":"////fwAA"}"#, "map"
            ),
            (#""normalizer":null"#, #""normalizer":{"type":"Magic"}"#, "not supported"),
            (
                #""pre_tokenizer":null"#, #""pre_tokenizer":{"type":"Split","pattern":{"Regex":"(?<=a)"}}"#,
                "(?<=a)"
            ),
            (#""type":"BPE""#, #""type":"WordLevel""#, "not supported"),
            (#""decoder":null"#, #""decoder":{"type":"CTC"}"#, "not supported"),
            (
                #""post_processor":null"#,
                #""post_processor":{"type":"BertProcessing","cls":["a",77],"sep":["b",1]}"#, "77"
            ),
        ] as [(String, String, String)]
    )
    func `a fault is named`(part: String, spoilt: String, reason: String) throws {
        let json = Self.whole.replacing(part, with: spoilt)
        try #require(json != Self.whole)
        let error = #expect(throws: BreezeError.self) { try SubwordTokenizer(tokenizerJSON: Data(json.utf8)) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(bytes.count)] + bytes
    }

    private static func piece(_ text: String, _ kind: UInt8) -> [UInt8] {
        let score = withUnsafeBytes(of: Float(-1).bitPattern.littleEndian) { Array($0) }
        return field(1, field(1, Array(text.utf8)) + [0x15] + score + [0x18, kind])
    }

    private static let model =
        piece("<unk>", 2) + piece("<s>", 3) + piece("▁", 1) + piece("a", 1) + piece("▁a", 1)
        + field(2, [0x18, 1])
        + field(3, [0x18, 1, 0x20, 1, 0x28, 1])

    @Test func `a model of five tokens is read`() throws {
        let tokenizer = try SubwordTokenizer(sentencePieceModel: Data(Self.model))
        #expect(tokenizer.encode("a  a") == [4, 4])
        #expect(tokenizer.decode([4, 4]) == "a a")
    }

    @Test func `a model cut anywhere is read to a whole field or refused`() throws {
        for length in 0..<Self.model.count {
            do {
                _ = try SubwordTokenizer(sentencePieceModel: Data(Self.model.prefix(length))).encode("a b")
            } catch {
                #expect(error.code == .invalidFile)
            }
        }
    }

    /// Sizes that pass the end, other wire types, other kinds, broken UTF-8: whatever comes, no trap.
    @Test func `mutated files are refused with a typed error or read`() throws {
        var generator = SeededGenerator(seed: 17)
        for source in [Self.model, Array(Self.whole.utf8)] {
            for _ in 0..<Soak.count(20_000) {
                var bytes = source
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let place = Int.random(in: bytes.indices, using: &generator)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                    case 1: bytes.remove(at: place)
                    default: bytes.insert(bytes[place], at: place)
                    }
                }
                let data = Data(bytes)
                do {
                    let tokenizer =
                        source == Self.model
                        ? try SubwordTokenizer(sentencePieceModel: data)
                        : try SubwordTokenizer(tokenizerJSON: data)
                    _ = tokenizer.decode(tokenizer.encode("ab a<s> ▁中\u{0}"))
                } catch {
                    #expect([.invalidFile, .unsupported].contains((error as BreezeError).code))
                }
            }
        }
    }

    @Test func `a vocabulary that contradicts itself is refused`() {
        let two = [Array("a".utf8), Array("b".utf8)]
        var scores = TokenizerVocabulary(kind: .sentencePiece, tokens: two)
        scores.scores = [1]
        var twice = TokenizerVocabulary(kind: .sentencePiece, tokens: two + [Array("a".utf8)])
        twice.specialIDs = .init(beginning: 0)
        var merges = TokenizerVocabulary(kind: .bytePair, tokens: two)
        merges.merges = [Array("a b".utf8)]
        var special = TokenizerVocabulary(kind: .sentencePiece, tokens: two)
        special.specialIDs = .init(beginning: 7)
        var number = TokenizerVocabulary(kind: .unigram, tokens: two)
        number.scores = [.nan, 0]
        var words = TokenizerVocabulary(kind: .bytePair, tokens: two)
        words.preTokenizer = "tomorrow's"
        let empty = TokenizerVocabulary(kind: .unigram, tokens: [])
        for source in [scores, twice, merges, special, number, words, empty] {
            #expect(throws: BreezeError.self) { try source.makeTokenizer(named: "test.gguf") }
        }
    }
}
