import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

struct EncoderPromptTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func configuration(
        _ model: TinyEncoder,
        under name: String = "tiny-bert"
    ) throws -> EncoderConfiguration {
        try EncoderConfiguration(directory: try model.write(to: folder, under: name))
    }

    @Test(
        arguments: [
            (#"{"prompts": {"query": "q: ", "document": "d: "}}"#, ["query": "q: ", "passage": "d: "], nil),
            (#"{"prompts": {"query": "q: ", "passage": "p: "}}"#, ["query": "q: ", "passage": "p: "], nil),
            (#"{"prompts": {"document": "d: ", "passage": "p: "}}"#, ["passage": "p: "], nil),
            (
                #"{"prompts": {"document": "d: ", "sts": "s: "}, "default_prompt_name": "document"}"#,
                ["passage": "d: ", "sts": "s: "], "passage"
            ),
            (#"{"prompts": {"query": "", "document": ""}, "default_prompt_name": null}"#, [:], nil),
            (#"{"prompts": {"query": ""}, "default_prompt_name": "query"}"#, [:], nil),
            (#"{"prompts": null}"#, [:], nil),
            (#"{"__version__": {"sentence_transformers": "2.0.0"}}"#, [:], nil),
        ] as [(String, [String: String], String?)]
    )
    func `the publisher's prompts are kept by purpose`(
        text: String,
        prompts: [String: String],
        byDefault: String?
    ) throws {
        let configuration = try configuration(TinyEncoder(publisher: text))
        #expect(configuration.prompts == prompts)
        #expect(configuration.defaultPrompt == byDefault)
    }

    @Test(arguments: [
        (#"{"prompts": ["query: "]}"#, "prompts"), (#"{"prompts": {"query": 7}}"#, "query"),
        (#"{"prompts": {"query": "q: "}, "default_prompt_name": "sts"}"#, "sts"), ("[", "not valid JSON"),
    ])
    func `prompts that make no sense are refused`(text: String, named: String) {
        let error = #expect(throws: BreezeError.self) { try configuration(TinyEncoder(publisher: text)) }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains("config_sentence_transformers.json") == true)
        #expect(error?.message.contains(named) == true)
    }

    private static let e5 = ["query": "query: ", "passage": "passage: "]

    @Test(
        arguments: [
            ("e5-small-v2", e5, "query"), ("E5-Base", e5, "query"), ("multilingual-e5-small", e5, "query"),
            ("multilingual-e5-large-instruct", [:], nil), ("my-e5-small", [:], nil), ("e5", [:], nil),
            (
                "bge-small-en-v1.5", ["query": "Represent this sentence for searching relevant passages: "],
                nil
            ),
            ("bge-small-zh-v1.5", [:], nil), ("bge-reranker-base", [:], nil), ("all-minilm-l6-v2", [:], nil),
        ] as [(String, [String: String], String?)]
    )
    func `a family that wants prompts is known by its name`(
        name: String,
        prompts: [String: String],
        byDefault: String?
    ) throws {
        let fromFolder = try configuration(TinyEncoder(), under: name)
        #expect(fromFolder.prompts == prompts)
        #expect(fromFolder.defaultPrompt == byDefault)
        let path = TinyEncoder(overrides: ["_name_or_path": "\"intfloat/\(name)\""])
        #expect(try configuration(path).prompts == prompts)
    }

    @Test func `what the publisher states comes before the family`() throws {
        let model = TinyEncoder(publisher: #"{"prompts": {"query": "find: "}}"#)
        let configuration = try configuration(model, under: "e5-small-v2")
        #expect(configuration.prompts == ["query": "find: "])
        #expect(configuration.defaultPrompt == nil)
    }

    @Test func `a classifier has no family's prompts`() throws {
        #expect(try configuration(TinyEncoder(labels: ["a", "b"]), under: "e5-small-v2").prompts.isEmpty)
    }

    @Test func `a prompt that pooling leaves out is not supported`() throws {
        let directory = try TinyEncoder().write(to: folder)
        let text = #"{"pooling_mode_mean_tokens": true, "include_prompt": false}"#
        try folder.write("tiny-bert/1_Pooling/config.json", text)
        let error = #expect(throws: BreezeError.self) { try EncoderConfiguration(directory: directory) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("include_prompt") == true)
    }

    @Test func `a manifest keeps the prompts of the folder's name`() async throws {
        let store = ModelStore(home: folder.url.appending(path: "home"))
        let directory = try TinyEncoder().write(to: folder, under: "e5-tiny")
        let manifest = try await store.importModel(from: directory).manifest
        #expect(manifest.encoder?.prompts == Self.e5)
        #expect(try store.list().models == [manifest])
    }
}
