import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

struct EncoderHeadTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func configuration(_ model: TinyEncoder) throws -> EncoderConfiguration {
        try EncoderConfiguration(directory: try model.write(to: folder))
    }

    private func refusal(_ model: TinyEncoder) -> BreezeError? {
        #expect(throws: BreezeError.self) {
            let directory = try model.write(to: folder)
            _ = try EncoderGraph(
                configuration: try EncoderConfiguration(directory: directory),
                weights: try SafetensorsFile(url: directory.appending(path: "model.safetensors"))
            )
        }
    }

    @Test func `labels come in the order of their ids`() throws {
        // Eleven: in the order of text, "10" would come before "2".
        let labels = (0...10).map { "class \($0)" }
        let head = try #require(try configuration(TinyEncoder(labels: labels)).head)
        #expect(head.labels == labels)
        #expect(head.scoring == .softmax)
    }

    @Test(arguments: [
        (["id2label": ""], ["LABEL_0", "LABEL_1"]), (["id2label": "", "num_labels": "1"], ["LABEL_0"]),
        (["id2label": #"{"1": null, "0": "no"}"#], ["no", "LABEL_1"]),
    ])
    func `labels without a name are numbered`(overrides: [String: String], labels: [String]) throws {
        let model = TinyEncoder(labels: ["a", "b"], overrides: overrides)
        #expect(try configuration(model).head?.labels == labels)
    }

    private static let identity = "\"torch.nn.modules.linear.Identity\""

    @Test(arguments: [
        (1, [:], EncoderConfiguration.Head.Scoring.sigmoid), (2, [:], .softmax),
        (3, ["problem_type": "\"multi_label_classification\""], .sigmoid),
        (2, ["problem_type": "\"single_label_classification\""], .softmax),
        (2, ["problem_type": "null"], .softmax),
        (1, ["problem_type": "\"regression\""], .identity),
        (1, ["sentence_transformers": "{\"activation_fn\": \(identity), \"version\": \"4.1.0\"}"], .identity),
        (1, ["sbert_ce_default_activation_function": identity], .identity),
        (3, ["sbert_ce_default_activation_function": identity], .softmax),
        (
            1, ["sentence_transformers": #"{"activation_fn": "torch.nn.modules.activation.Sigmoid"}"#],
            .sigmoid
        ),
    ])
    func `scores are made as the model's files say`(
        count: Int,
        overrides: [String: String],
        scoring: EncoderConfiguration.Head.Scoring
    ) throws {
        let labels = (0..<count).map { "l\($0)" }
        #expect(try configuration(TinyEncoder(labels: labels, overrides: overrides)).head?.scoring == scoring)
    }

    @Test func `a cross-encoder that says so keeps its head beside its modules`() throws {
        let publisher =
            #"{"model_type": "CrossEncoder", "activation_fn": "torch.nn.modules.linear.Identity"}"#
        let model = TinyEncoder(labels: ["LABEL_0"], publisher: publisher)
        let directory = try model.write(to: folder)
        let modules = #"[{"idx": 0, "path": "", "type": "sentence_transformers.base.modules.Transformer"}]"#
        try folder.write("tiny-bert/modules.json", modules)
        let configuration = try EncoderConfiguration(directory: directory)
        #expect(configuration.head == EncoderConfiguration.Head(labels: ["LABEL_0"], scoring: .identity))
        #expect(configuration.capabilities == [.rerank])
        try folder.write(
            "tiny-bert/modules.json",
            #"[{"path": "", "type": "Transformer"}, {"type": "Score"}]"#
        )
        let error = #expect(throws: BreezeError.self) { try EncoderConfiguration(directory: directory) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("Score") == true)
    }

    @Test func `beside modules of sentence-transformers a head is left out`() throws {
        let model = TinyEncoder(overrides: ["architectures": "[\"BertForSequenceClassification\"]"])
        let configuration = try configuration(model)
        #expect(configuration.head == nil)
        #expect(configuration.capabilities == [.embedding, .classification])
    }

    @Test(arguments: ["BertModel", "BertForMaskedLM", "BertForPreTraining"])
    func `what a model was trained with is no head`(name: String) throws {
        let model = TinyEncoder(pooling: nil, overrides: ["architectures": "[\"\(name)\"]"])
        #expect(try configuration(model).head == nil)
    }

    @Test(arguments: [
        "BertForTokenClassification", "BertForQuestionAnswering", "BertForMultipleChoice",
        "BertForNextSentencePrediction",
    ])
    func `a head of another kind is refused by name`(name: String) {
        let error = refusal(TinyEncoder(pooling: nil, overrides: ["architectures": "[\"\(name)\"]"]))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(name) == true)
        #expect(error?.message.contains("config.json") == true)
    }

    @Test(arguments: [
        ("id2label", #"{"0": "a", "2": "b"}"#), ("id2label", #"{"1": "a", "2": "b"}"#),
        ("id2label", #"{"0": "a", "one": "b"}"#), ("id2label", #"{"0": "a", "01": "b"}"#),
        ("id2label", #"{"0": "a", "1": 7}"#), ("id2label", "{}"), ("id2label", #"["a", "b"]"#),
        ("architectures", "\"BertForSequenceClassification\""), ("architectures", "[7]"),
        ("architectures", "[]"), ("problem_type", "7"), ("id2label", #"{"0": "a", "1": "b", "2": "c"}"#),
        ("id2label", #"{"0": "a"}"#),
    ])
    func `labels that make no sense or do not fit the weights are refused`(key: String, value: String) {
        let error = refusal(TinyEncoder(labels: ["a", "b"], overrides: [key: value]))
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(key) == true, "\(error?.message ?? "no error")")
        #expect(error?.message.contains("config.json") == true)
    }

    @Test func `labels that do not fit are counted against the classifier's rows`() {
        let error = refusal(TinyEncoder(.mpnet, labels: ["a", "b"], overrides: ["id2label": #"{"0": "a"}"#]))
        #expect(error?.message.contains("classifier.out_proj.weight") == true)
        #expect(error?.message.contains("2 rows") == true)
        #expect(error?.message.contains("1 label") == true)
    }

    @Test(arguments: [
        ("problem_type", "\"ranking\"", "ranking"),
        ("sbert_ce_default_activation_function", "\"torch.nn.Tanh\"", "Tanh"),
    ])
    func `a way to score that is not known is refused`(key: String, value: String, named: String) {
        let error = refusal(TinyEncoder(labels: ["a", "b"], overrides: [key: value]))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(named) == true)
    }

    @Test(arguments: [
        (TinyEncoder.Architecture.bert, "pooler.dense.weight"), (.bert, "classifier.bias"),
        (.distilbert, "pre_classifier.weight"), (.distilbert, "classifier.weight"),
        (.mpnet, "classifier.dense.bias"), (.mpnet, "classifier.out_proj.weight"),
        (.mpnet, "encoder.relative_attention_bias.weight"),
        (.distilbert, "transformer.layer.1.attention.k_lin.bias"),
        (.mpnet, "encoder.layer.0.attention.attn.o.weight"),
    ])
    func `a missing tensor of any architecture is named`(
        architecture: TinyEncoder.Architecture,
        name: String
    ) {
        let missing: @Sendable (String, [Int]) -> [Int]? = { $0 == name ? nil : $1 }
        let error = refusal(TinyEncoder(architecture, labels: ["a", "b"], edit: missing))
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains("\"\(name)\"") == true, "\(error?.message ?? "no error")")
    }

    @Test(arguments: [
        (TinyEncoder.Architecture.distilbert, "n_layers", "1"), (.distilbert, "n_layers", "3"),
        (.distilbert, "dim", "32"), (.distilbert, "n_heads", "3"), (.distilbert, "hidden_dim", "25"),
        (.distilbert, "vocab_size", "13"), (.mpnet, "num_attention_heads", "8"),
        (.mpnet, "relative_attention_num_buckets", "64"), (.mpnet, "max_position_embeddings", "4"),
    ])
    func `a configuration that does not fit its architecture is refused`(
        architecture: TinyEncoder.Architecture,
        key: String,
        value: String
    ) {
        #expect(
            refusal(TinyEncoder(architecture, pooling: nil, overrides: [key: value]))?.code == .invalidFile
        )
    }

    @Test(arguments: [
        (["LABEL_0"], [AICapability.rerank]), (["NEGATIVE", "POSITIVE"], [.classification]),
    ])
    func `a model with a head is listed with what the head is for`(
        labels: [String],
        capabilities: [AICapability]
    ) async throws {
        let store = ModelStore(home: folder.url.appending(path: "home"))
        let directory = try TinyEncoder(.distilbert, labels: labels).write(to: folder)
        let manifest = try await store.importModel(from: directory).manifest
        #expect(manifest.info.capabilities == capabilities)
        #expect(manifest.info.architecture == "distilbert")
        #expect(manifest.encoder?.head?.labels == labels)
        #expect(try store.list().models == [manifest])
    }

    @Test func `an unknown architecture is refused with those that are known`() {
        let error = refusal(TinyEncoder(overrides: ["model_type": "\"roberta\""]))
        #expect(error?.code == .unsupported)
        for name in ["roberta", "bert", "distilbert", "mpnet"] {
            #expect(error?.message.contains(name) == true)
        }
    }

    @Test func `an unknown activation is refused under the architecture's own key`() {
        let error = refusal(TinyEncoder(.distilbert, activation: "swish"))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("activation") == true && error?.message.contains("swish") == true)
    }

    @Test func `MPNet's texts are two tokens shorter than its position table`() throws {
        let configuration = try configuration(TinyEncoder(.mpnet, positions: 34, pooling: nil))
        #expect(configuration.positions == 34)
        #expect(configuration.firstPosition == 2)
        #expect(configuration.maximumLength == 32)
        #expect(configuration.tokenTypes == 0)
        #expect(configuration.hasRelativePositions)
    }
}
