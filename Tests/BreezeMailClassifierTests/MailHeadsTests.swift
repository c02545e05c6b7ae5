import BreezeCore
import BreezeMail
import Foundation
import Testing

@testable import BreezeMailClassifier

@Suite struct MailHeadsTests {
    @Test func `training twice gives the same bytes, and they read back as they were`() throws {
        let trainer = HeadTrainer(version: "test", encoder: "e", provenance: ["here"])
        let data = try Fixtures.heads.encoded()
        let (again, read) = (try trainer.heads(Fixtures.corpus).encoded(), try MailHeads(data))
        let isSame = (again == data, read == Fixtures.heads)
        #expect(isSame == (true, true))
    }

    @Test(arguments: [
        ("", BreezeError.Code.invalidFile), ("{}", .invalidFile), ("{\"version\": 1", .invalidFile),
    ])
    func `what are no heads is an error`(text: String, code: BreezeError.Code) {
        #expect(Self.code(Data(text.utf8)) == code)
    }

    @Test func `heads of another version, or with weights missing, are refused`() throws {
        let whole = String(decoding: try Fixtures.heads.encoded(), as: UTF8.self)
        for (key, value) in [
            ("\"words\" : \(MailWords.version)\n", "\"words\" : 99\n"),
            ("\"splitter\" : \(PassageSplitter.version),", "\"splitter\" : 99,"),
        ] {
            let text = whole.replacing(key, with: value)
            #expect(text.count == whole.count + value.count - key.count && text.contains(value))
            #expect(Self.code(Data(text.utf8)) == .unsupported)
        }
        var short = Fixtures.heads
        short.categories.removeLast()
        #expect(Self.code(try short.encoded()) == .invalidFile)
    }

    /// A failed expectation would print all weights.
    private static func code(_ data: Data) -> BreezeError.Code? {
        do {
            _ = try MailHeads(data)
            return nil
        } catch {
            return (error as? BreezeError)?.code
        }
    }

    @Test func `those that ship are small, and say where they come from`() throws {
        let heads = try MailHeads.shipped
        #expect(try heads.encoded().count < 1_000_000)
        #expect(heads.encoder == "all-minilm-l6-v2" && heads.dimension == 384)
        #expect(heads.provenance.count == 3)
    }

    @Test func `a word that few mails have gets no weight`() {
        var corpus = Fixtures.corpus
        corpus.append(Fixtures.mail("zanzibar", 0, unwanted: true, nil))
        let heads = HeadTrainer(version: "test", encoder: "e", provenance: []).heads(corpus)
        let rare = MailWords(subject: "", text: "zanzibar").features[0]
        #expect(heads.spam.words.values[Int(rare)] == 0)
        let known = MailWords(subject: "", text: "pills").features[0]
        #expect(heads.spam.words.values[Int(known)] > 0)
    }
}

@Suite struct PackedBytesTests {
    @Test(
        arguments: [
            ([], []), ([1, -1], [1, 255]), ([0], [0x80, 1]), ([5, 0, 0, 0, -127], [5, 0x80, 3, 0x81]),
            // 200 is 0x48 and one times 128.
            ([Int8](repeating: 0, count: 200), [0x80, 0xC8, 1]),
        ] as [([Int8], [UInt8])]
    )
    func `runs of nothing are counted`(values: [Int8], bytes: [UInt8]) {
        #expect(PackedBytes.pack(values) == Data(bytes))
        #expect(PackedBytes.unpack(Data(bytes)) == values)
    }

    @Test(
        arguments: [
            [0x80], [0x80, 0], [0x80, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x80, 0xFF, 0xFF, 0xFF, 0x7F],
        ] as [[UInt8]]
    )
    func `what was cut off or asks for the memory is nothing`(bytes: [UInt8]) {
        #expect(PackedBytes.unpack(Data(bytes)) == nil)
    }
}
