import BreezeCore
import BreezeWire
import Foundation
import Testing

/// Ollama's routes about models.
@Suite struct OllamaModelsTests {
    private static let model = ModelInfo(
        id: "qwen3-0.6b",
        format: .gguf,
        capabilities: [.chat, .vlm],
        architecture: "qwen3",
        size: 5,
        contextLength: 40_960,
        parameterCount: 596_049_920,
        quantization: "Q4_K_M",
        license: "Apache-2.0",
        digest: "ab12"
    )
    private static let details = """
        "details":{"parent_model":"","format":"gguf","family":"qwen3","families":["qwen3"],
        "parameter_size":"596.05M","quantization_level":"Q4_K_M"}
        """

    @Test func `installed models are listed`() throws {
        let body = OllamaModels.tags([.init(info: Self.model, modifiedAt: noon)])
        let expected = """
            {"models":[{"name":"qwen3-0.6b","model":"qwen3-0.6b","digest":"ab12",
             "modified_at":"2026-01-31T12:00:00.000000Z","size":5,\(Self.details)}]}
            """
        #expect(try json(body) == json(expected))
    }

    @Test func `loaded models tell when they go`() throws {
        let body = OllamaModels.running([
            .init(info: Self.model, expiresAt: noon, memory: 9, contextLength: 4_096),
            .init(info: Self.model, expiresAt: nil, memory: 9),
        ])
        let read = try json(body)
        #expect(read["models", "0", "expires_at"] == "2026-01-31T12:00:00.000000Z")
        #expect(read["models", "0", "size"] == 9)
        #expect(read["models", "0", "size_vram"] == 0)
        #expect(read["models", "0", "context_length"] == 4_096)
        #expect(read["models", "1", "expires_at"]?.stringValue?.hasPrefix("2318") == true)
    }

    @Test func `one model is shown`() throws {
        let body = OllamaModels.show(.init(info: Self.model, modifiedAt: noon, abilities: ["tools"]))
        let expected = """
            {"license":"Apache-2.0","modelfile":"","parameters":"","template":"",\(Self.details),
             "model_info":{"general.architecture":"qwen3","general.parameter_count":596049920,
             "qwen3.context_length":40960},"capabilities":["completion","vision","tools"],
             "modified_at":"2026-01-31T12:00:00.000000Z"}
            """
        #expect(try json(body) == json(expected))
    }

    // Ollama's format/format_test.go.
    @Test(arguments: [
        (0, "0"), (999, "999"), (1_000, "1K"), (1_001, "1K"), (1_000_000, "1M"), (125_000_000, "125M"),
        (500_500_000, "500.50M"), (500_550_000, "500.55M"), (1_000_000_000, "1B"), (2_800_000_000, "2.8B"),
        (2_850_000_000, "2.9B"), (28_550_000_000, "28.6B"), (1_000_000_000_000, "1000B"),
    ])
    func `parameters are counted as Ollama counts them`(count: Int64, text: String) throws {
        var model = Self.model
        model.parameterCount = count
        let read = try json(OllamaModels.tags([.init(info: model, modifiedAt: noon)]))
        #expect(read["models", "0", "details", "parameter_size"] == .string(text))
    }

    @Test func `bodies name a model by either name`() throws {
        let pull = try OllamaModelCall(
            .pull,
            parsing: bytes(#"{"name":"m","insecure":false,"stream":false}"#)
        )
        #expect((pull.model, pull.streams) == ("m", false))
        let show = try OllamaModelCall(.show, parsing: bytes(#"{"model":"m","name":"n","verbose":true}"#))
        #expect((show.model, show.remarks.ignored) == ("m", []))
        let copy = try OllamaCopyCall(parsing: bytes(#"{"source":"a","destination":"b"}"#))
        #expect((copy.source, copy.destination) == ("a", "b"))
    }

    @Test(arguments: [
        (#"{}"#, "model"), (#"{"model":""}"#, "model"), (#"{"model":"m","insecure":true}"#, "insecure"),
        (#"{"model":"m","password":"x"}"#, "password"),
    ])
    func `a fault of a pull is named`(body: String, path: String) {
        let error = failure { _ = try OllamaModelCall(.pull, parsing: bytes(body)) }
        #expect(error?.wireField == path)
    }

    @Test func `a download tells its progress line by line`() throws {
        var out = OllamaModelCall.progress("pulling manifest")
        out += OllamaModelCall.progress("pulling ab12", digest: "ab12", total: 10, completed: 5)
        out += OllamaModelCall.progress("success")
        out += OllamaModelCall.failure(BreezeError(.insufficientDisk, "The disk is full."))
        let expected = """
            [{"status":"pulling manifest"},{"status":"pulling ab12","digest":"sha256:ab12","total":10,
             "completed":5},{"status":"success"},{"error":"The disk is full."}]
            """
        #expect(try .array(lines(out)) == json(expected))
        #expect(try json(OllamaModelCall.version("1.2")) == ["version": "1.2"])
        #expect(try json(OllamaModelCall.status("success")) == ["status": "success"])
    }
}
