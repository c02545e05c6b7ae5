import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

struct GGUFFileTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// Worked out by hand from the specification (ggml/docs/gguf.md).
    private static let small: [UInt8] =
        Array("GGUF".utf8) + [3, 0, 0, 0] + [1, 0, 0, 0, 0, 0, 0, 0] + [2, 0, 0, 0, 0, 0, 0, 0]
        + [20, 0, 0, 0, 0, 0, 0, 0] + Array("general.architecture".utf8) + [8, 0, 0, 0]
        + [1, 0, 0, 0, 0, 0, 0, 0, 0x78] + [1, 0, 0, 0, 0, 0, 0, 0, 0x6B] + [9, 0, 0, 0]
        + [4, 0, 0, 0] + [2, 0, 0, 0, 0, 0, 0, 0] + [7, 0, 0, 0] + [0, 1, 0, 0]
        // Two rows of one element.
        + [1, 0, 0, 0, 0, 0, 0, 0, 0x74] + [2, 0, 0, 0] + [1, 0, 0, 0, 0, 0, 0, 0] + [2, 0, 0, 0, 0, 0, 0, 0]
        + [0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0] + Array(repeating: 0, count: 139.paddingTo32)
        + [0, 0, 0x80, 0x3F] + [0, 0, 0, 0xC0] + Array(repeating: 0, count: 24)

    @Test func `a small file is read as it was worked out by hand`() throws {
        let file = try GGUFFile(url: try folder.write("small.gguf", Self.small))
        #expect(file.version == 3)
        #expect(file.metadata["general.architecture"] == .string("x"))
        #expect(file.metadata["k"]?.arrayValue?.integers == [7, 256])
        #expect(file.dataOffset == 160)
        let tensor = try #require(file.tensors.first)
        #expect(tensor.dimensions == [1, 2])
        #expect(tensor.type == .f32)
        #expect(try file.bytes(of: tensor) == [0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0])
    }

    @Test func `the writer writes the bytes worked out by hand`() throws {
        var writer = GGUFWriter(architecture: "x")
        writer.set("k", .array(GGUFArray([7, 256] as [UInt32])))
        try writer.add("t", [1, 2], .f32, [1, -2])
        let url = folder.url.appending(path: "written.gguf")
        try writer.write(to: url)
        #expect([UInt8](try Data(contentsOf: url)) == Self.small)
        #expect(writer.size == Self.small.count)
    }

    @Test func `version 2 is the same but for its number`() throws {
        var bytes = Self.small
        bytes[4] = 2
        #expect(try GGUFFile(url: try folder.write("two.gguf", bytes)).version == 2)
    }

    @Test(arguments: [
        (4, [1], "version 1"), (4, [4], "version 4"), (4, [0, 0, 0, 3], "big-endian"),
    ])
    func `another version is not supported`(offset: Int, bytes: [UInt8], words: String) throws {
        var file = Self.small
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        let url = try folder.write("other.gguf", file)
        let error = #expect(throws: BreezeError.self) { try GGUFFile(url: url) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            (8, [0xFF, 0xFF], "number of tensors"), (16, [0, 0, 0, 0, 0, 0, 0, 0x80], "number of keys"),
            (24, [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], "key 0 claims 4294967295 bytes"),
            (24, [0], "key 0 is empty"), (32, [0xC0], "key 0 is not valid text"),
            (32, [0], "key 0 is not valid text"), (52, [13], "the type of general.architecture is 13"),
            (78, [9], "array of arrays"), (82, [0, 0, 0, 0, 0, 1], "number of elements of k"),
            (98, [0xFF, 1], "the name of tensor 0 claims 511 bytes"), (107, [5], "has 5 dimensions"),
            (111, [0], "dimension of 0"),
            (119, [0, 0, 0, 0, 0, 0, 0, 0x80], "dimension of 9223372036854775808"),
            (131, [0, 0, 0, 0, 0, 0, 0, 0x80], "outside the file"),
        ] as [(Int, [UInt8], String)]
    )
    func `a spoilt field is refused by its name`(offset: Int, bytes: [UInt8], words: String) throws {
        var file = Self.small
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        let url = try folder.write("spoilt.gguf", file)
        let error = #expect(throws: BreezeError.self) { try GGUFFile(url: url) }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.remedy != nil)
    }

    @Test(arguments: 0..<160)
    func `a file that ends in its header is refused`(length: Int) throws {
        let url = try folder.write("cut.gguf", Array(Self.small.prefix(length)))
        #expect(#expect(throws: BreezeError.self) { try GGUFFile(url: url) }?.code == .invalidFile)
    }

    @Test(
        arguments: [
            (Array("PK\u{3}\u{4}....".utf8), "ZIP"),
            (Array("version https://git-lfs.github.com".utf8), "Git LFS"),
            (Array("<!DOCTYPE html>".utf8), "web page"),
            (Array("hello world".utf8), "does not begin with GGUF"),
            ([], "it has 0 bytes"),
        ] as [([UInt8], String)]
    )
    func `a file of another kind is named`(bytes: [UInt8], words: String) throws {
        let url = try folder.write("other.gguf", bytes)
        let error = #expect(throws: BreezeError.self) { try GGUFFile(url: url) }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func `the same key or tensor twice is refused`() throws {
        var bytes = Self.small
        // The second key becomes the first one's name.
        bytes.replaceSubrange(65..<74, with: [20, 0, 0, 0, 0, 0, 0, 0] + Array("general.architecture".utf8))
        let url = try folder.write("twice.gguf", bytes)
        let error = #expect(throws: BreezeError.self) { try GGUFFile(url: url) }
        #expect(error?.message.contains("general.architecture is there twice") == true)
    }

    /// The sizes double on the way: every piece of the header is read once, whatever its length.
    @Test func `a large vocabulary is read when it is asked for`() throws {
        var model = TinyQwen3()
        model.layers = 1
        (model.width, model.heads, model.keyValueHeads, model.headLength) = (2, 1, 1, 2)
        model.feedForward = 2
        model.vocabulary = .padded(to: 151_936)
        let file = try GGUFFile(url: try model.write(to: folder))
        let tokens = try #require(file.metadata["tokenizer.ggml.tokens"]?.arrayValue)
        #expect(tokens.count == 151_936)
        #expect(tokens.strings == model.vocabulary.tokens)
        #expect(file.metadata["tokenizer.ggml.token_type"]?.arrayValue?.integers?.count == 151_936)
        try GGUFCheck.check(file)
    }
}

extension Int {
    fileprivate var paddingTo32: Int { (self + 31) / 32 * 32 - self }
}
