import BreezeCore
import Testing

@Suite struct RequestValidationTests {
    @Test(arguments: [
        InferenceRequest(.chat), InferenceRequest(.chat, prompt: ""), InferenceRequest(.chat, messages: []),
        InferenceRequest(.embedding), InferenceRequest(.embedding, inputs: []),
        InferenceRequest(.embedding, inputs: ["a", ""]), InferenceRequest(.tts, prompt: ""),
        InferenceRequest(.asr), InferenceRequest(.vlm, prompt: "x"), InferenceRequest(.rerank, prompt: "x"),
        InferenceRequest(.guardian),
        InferenceRequest(
            .classification,
            prompt: "x",
            categories: [ClassificationCategory(name: "one", examples: ["a"])]
        ),
        InferenceRequest(
            .classification,
            prompt: "x",
            categories: [
                ClassificationCategory(name: "a", examples: ["a"]),
                ClassificationCategory(name: "b", examples: []),
            ]
        ),
        InferenceRequest(
            .classification,
            prompt: "x",
            categories: [
                ClassificationCategory(name: "a", examples: ["a"]),
                ClassificationCategory(name: "a", examples: ["b"]),
            ]
        ),
    ])
    func `a request without what its capability needs is refused`(request: InferenceRequest) throws {
        let error = #expect(throws: BreezeError.self) { try request.validate() }
        #expect(error?.code == .invalidRequest)
    }

    @Test(arguments: [
        InferenceRequest(.chat, prompt: "hi"), InferenceRequest(.embedding, prompt: "hi"),
        InferenceRequest(.rerank, prompt: "q", inputs: ["d"]),
        InferenceRequest(AICapability(rawValue: "own")),
    ])
    func `a request with what it needs passes`(request: InferenceRequest) throws {
        try request.validate()
    }
}
