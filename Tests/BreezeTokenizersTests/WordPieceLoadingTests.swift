import BreezeCore
import BreezeTestSupport
import BreezeTokenizers
import Foundation
import Testing

@Suite struct `WordPiece loading` {
    /// A change to a good `tokenizer.json`, and what the error has to say.
    struct Damage: CustomTestStringConvertible, Sendable {
        let old: String
        let new: String
        let says: String
        var testDescription: String { "\(old) → \(new.prefix(60))" }
    }

    @Test(arguments: [
        Damage(old: #""type":"WordPiece""#, new: #""type":"BPE""#, says: "its model is BPE, not WordPiece"),
        Damage(old: "BertNormalizer", new: "NFKC", says: "its normalizer is NFKC"),
        Damage(old: "BertPreTokenizer", new: "Whitespace", says: "its pre_tokenizer is Whitespace"),
        Damage(old: "TemplateProcessing", new: "ByteLevel", says: "its post_processor is ByteLevel"),
        Damage(old: "TemplateProcessing", new: "RobertaProcessing", says: "post_processor has no usable id"),
        Damage(old: #""un":5"#, new: #""un":6"#, says: "two tokens have the id 6"),
        Damage(old: #""un":5"#, new: #""un":25"#, says: "has the id 25"),
        Damage(old: #""un":5"#, new: #""un":-1"#, says: "has the id -1"),
        Damage(old: #""un":5"#, new: #""un":9223372036854775807"#, says: "has the id 9223372036854775807"),
        Damage(old: #""un":5"#, new: #""un":9223372036854775808"#, says: "no whole number"),
        Damage(old: #""un":5"#, new: #""un":5.0"#, says: "no whole number"),
        Damage(old: #""un":5"#, new: ##""\u0023\u0023s":5"##, says: "\"##s\" is in it twice"),
        Damage(old: #""[UNK]":1"#, new: #""[UNX]":1"#, says: "two tokens have the id 1"),
        Damage(old: #""unk_token":"[UNK]""#, new: #""unk_token":"[UNX]""#, says: "\"[UNX]\" is missing"),
        Damage(old: #""ids":[2]"#, new: #""ids":[99]"#, says: "the id 99"),
        Damage(old: #""ids":[2]"#, new: #""ids":[]"#, says: "special token without ids"),
        Damage(
            old: #""content":"[MASK]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false"#,
            new: #""content":"[MASK]","single_word":true,"lstrip":false,"rstrip":false,"normalized":true"#,
            says: "normalised text"
        ),
        Damage(
            old: #""added_tokens":["#,
            new: #""added_tokens":[{"id":15,"content":"a","normalized":true},"#,
            says: "\"a\" is looked for in normalised text"
        ),
        Damage(
            old: #""added_tokens":["#,
            new: #""added_tokens":[{"id":18,"content":"[","normalized":true},{"id":18,"content":"["},"#,
            says: "\"[\" is in it twice"
        ),
        Damage(old: #"{"id":4,"#, new: #"{"id":5,"#, says: "two ids, 4 and 5"),
        Damage(old: #"{"id":4,"#, new: #"{"id":null,"#, says: "no id"),
        Damage(old: #""lowercase":true"#, new: #""lowercase":1"#, says: "lowercase is neither"),
        Damage(old: #"_word":100"#, new: #"_word":0"#, says: "max_input_chars_per_word is 0"),
        Damage(old: #""vocab":"#, new: #""words":"#, says: "its model has no vocab"),
        Damage(old: #""model":"#, new: #""mode":"#, says: "it has no model"),
        Damage(
            old: #""version":"#,
            new: #""version":\#(String(repeating: "[", count: 5000))"#,
            says: "too deeply"
        ),
        Damage(old: #""version":"1.0""#, new: #""version":"\ud800""#, says: "surrogate"),
        Damage(old: #""version":"1.0""#, new: #""version":01"#, says: "begins with 0"),
    ])
    func `a damaged file is refused by name and fault`(damage: Damage) {
        let good = TinyTokenizer.json()
        let bad = good.replacing(damage.old, with: damage.new, maxReplacements: 1)
        #expect(bad != good)
        let error = #expect(throws: BreezeError.self) {
            try WordPieceTokenizer(tokenizerJSON: Data(bad.utf8))
        }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.hasPrefix("tokenizer.json cannot be used: ") == true)
        #expect(error?.message.contains(damage.says) == true, "\(error?.message ?? "")")
        #expect(error?.remedy != nil)
    }

    @Test(arguments: ["[CLS]", "[SEP]"])
    func `a file without a template needs the tokens of the usual frame`(token: String) throws {
        let bare = try Regex(#""post_processor":.*"decoder""#)
        let good = TinyTokenizer.json().replacing(bare, with: #""post_processor":null,"decoder""#)
        let text = try WordPieceTokenizer(tokenizerJSON: Data(good.utf8)).encode("a", limit: 9)
        #expect(text.ids == [2, 15, 3])
        let bad = good.replacing(token, with: "[X]")
        let error = #expect(throws: BreezeError.self) {
            try WordPieceTokenizer(tokenizerJSON: Data(bad.utf8))
        }
        #expect(error?.message.contains("\"\(token)\" is missing") == true)
    }

    @Test(arguments: [
        Data(), Data([0xFF, 0xFE]), Data("[]".utf8), Data("{}".utf8), Data(count: 64 << 20 + 1),
    ])
    func `bytes that are no tokenizer are refused`(data: Data) {
        let error = #expect(throws: BreezeError.self) { try WordPieceTokenizer(tokenizerJSON: data) }
        #expect(error?.code == .invalidFile)
    }

    @Test func `an empty vocabulary is refused in both forms`() {
        let none = TinyTokenizer.json(tokens: [])
        let error = #expect(throws: BreezeError.self) {
            try WordPieceTokenizer(tokenizerJSON: Data(none.utf8))
        }
        #expect(error?.message.contains("vocabulary is empty") == true)
        let other = #expect(throws: BreezeError.self) {
            try WordPieceTokenizer(vocabulary: Data(), configuration: Data("{}".utf8))
        }
        #expect(other?.message.contains("vocabulary is empty") == true)
    }

    @Test(arguments: [
        (#"{"tokenizer_class":"T5Tokenizer"}"#, "T5Tokenizer"),
        (#"{"tokenizer_class":"MPNetTokenizer"}"#, "\"<s>\" is missing"),
        (#"{"added_tokens_decoder":[]}"#, "added_tokens_decoder is no"),
        (#"{"added_tokens_decoder":{"x":{"content":"<x>"}}}"#, "no content or no id"),
        (#"{"added_tokens_decoder":{"4":{}}}"#, "no content or no id"),
        (#"{"added_tokens_decoder":{"5":{"content":"[MASK]"}}}"#, "two ids, 4 and 5"),
        (#"{"added_tokens_decoder":{"30":{"content":"<x>"}}}"#, "has the id 30"),
        (#"{"additional_special_tokens":[7]}"#, "additional_special_tokens"),
        (#"{"do_lower_case":"yes"}"#, "do_lower_case"),
        (#"{"do_basic_tokenize":false}"#, "do_basic_tokenize"),
        (#"{"cls_token":"<s>"}"#, "<s>"),
        (#"{"unk_token":7}"#, "unk_token"),
        (#"{"#, "not valid JSON"),
        ("[]", "no JSON object"),
    ])
    func `options that do not fit the list are refused`(options: String, says: String) {
        let list = Data(TinyTokenizer.tokens.joined(separator: "\n").utf8)
        let error = #expect(throws: BreezeError.self) {
            try WordPieceTokenizer(vocabulary: list, configuration: Data(options.utf8))
        }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
    }

    @Test func `every cut of a file is refused`() {
        let whole = Data(TinyTokenizer.json().utf8)
        for length in 0..<whole.count {
            #expect(throws: BreezeError.self) { try WordPieceTokenizer(tokenizerJSON: whole.prefix(length)) }
        }
    }

    @Test func `mutated files load or are refused`() throws {
        var generator = SeededGenerator(seed: 2)
        let whole = Array(TinyTokenizer.json().utf8)
        var refused = 0
        for _ in 0..<600 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert(
                        Array("0123456789[]{},:\"\\-.e".utf8).randomElement(using: &generator) ?? 0,
                        at: place
                    )
                default: bytes.append(contentsOf: bytes[place..<min(place + 20, bytes.count)])
                }
            }
            do {
                let tokenizer = try WordPieceTokenizer(tokenizerJSON: Data(bytes))
                let ids = try tokenizer.encode("unaffable [SEP] cafés 中!", limit: 8).ids
                #expect(ids.allSatisfy { $0 >= 0 && $0 < Int32(tokenizer.vocabularySize) })
            } catch {
                #expect(error is BreezeError)
                refused += 1
            }
        }
        #expect(refused > 100 && refused < 600)
    }
}

@Suite struct `WordPiece folders` {
    private func folder(_ files: [String: String]) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appending(path: "breeze-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: url.appending(path: name)) }
        return url
    }

    @Test func `tokenizer.json comes before vocab.txt`() throws {
        let url = try folder(["tokenizer.json": TinyTokenizer.json(), "vocab.txt": "[UNK]"])
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try WordPieceTokenizer(directory: url).vocabularySize == TinyTokenizer.tokens.count)
    }

    @Test func `vocab.txt needs the options beside it`() throws {
        let list = TinyTokenizer.tokens.joined(separator: "\n") + "\n"
        let url = try folder(["vocab.txt": list])
        defer { try? FileManager.default.removeItem(at: url) }
        let error = #expect(throws: BreezeError.self) { try WordPieceTokenizer(directory: url) }
        #expect(error?.message.contains("no tokenizer_config.json") == true)
        try Data(#"{"do_lower_case":false}"#.utf8).write(to: url.appending(path: "tokenizer_config.json"))
        #expect(try WordPieceTokenizer(directory: url).encode("Cafe café") == [21, 17])
    }

    @Test func `an empty folder and a folder in the file's place are refused`() throws {
        let url = try folder([:])
        defer { try? FileManager.default.removeItem(at: url) }
        let error = #expect(throws: BreezeError.self) { try WordPieceTokenizer(directory: url) }
        #expect(error?.message.contains("neither tokenizer.json nor vocab.txt") == true)
        let inner = url.appending(path: "tokenizer.json")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: false)
        let other = #expect(throws: BreezeError.self) { try WordPieceTokenizer(directory: url) }
        #expect(other?.message == "tokenizer.json is not a regular file.")
    }
}
