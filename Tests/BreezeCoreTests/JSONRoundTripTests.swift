import BreezeCore
import Foundation
import Testing

/// The JSON forms are what scripts, hubs and stored requests rely on: each is written out here by hand.
@Suite struct JSONRoundTripTests {
    private let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    private func check<Value: Codable & Equatable>(_ value: Value, _ json: String) throws {
        #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(Value.self, from: Data(json.utf8)) == value)
    }

    @Test func `a capability is its name, and vision is another name of vlm`() throws {
        try check([AICapability.chat, .vlm], #"["chat","vlm"]"#)
        #expect(try JSONDecoder().decode([AICapability].self, from: Data(#"["vision"]"#.utf8)) == [.vlm])
        #expect(AICapability(rawValue: "vision") == .vlm)
    }

    @Test func `the standard capabilities are the specification's`() {
        let names = ["chat", "vlm", "asr", "tts", "guardian", "embedding", "classification", "rerank", "ocr"]
        #expect(AICapability.standard.map(\.rawValue) == names)
    }

    @Test func `a request needs its capability alone, and unknown fields are passed over`() throws {
        let json =
            #"{"capability":"chat","prompt":"hi","invented":{"later":[1]},"configuration":{"topK":3,"new":1}}"#
        let request = try JSONDecoder().decode(InferenceRequest.self, from: Data(json.utf8))
        #expect(request.capability == .chat)
        #expect(request.prompt == "hi")
        #expect(request.configuration.topK == 3)
        #expect(request.privacy == .userSettings)
        #expect(!request.allowsMocks)
        #expect(!request.id.isEmpty)
    }

    @Test func `a request keeps everything but its callback`() throws {
        let request = InferenceRequest(
            .vlm,
            prompt: "what is this?",
            id: "r1",
            messages: [ChatMessage(.user, "hi", images: [Data([1, 2])])],
            inputs: ["a"],
            imageData: Data([0xff]),
            audioData: Data([0]),
            categories: [ClassificationCategory(name: "a", examples: ["x"])],
            configuration: InferenceConfig(temperature: 0.5, stop: ["\n"], guidedOutput: ["type": "object"]),
            modelID: "m",
            runnerID: "b:m",
            privacy: .onDevice,
            allowsMocks: true
        ) { _ in }
        let json = """
            {"allowsMocks":true,"audioData":"AA==","capability":"vlm",\
            "categories":[{"examples":["x"],"name":"a"}],\
            "configuration":{"additional":{},"guidedOutput":{"type":"object"},"stop":["\\n"],"temperature":0.5},\
            "id":"r1","imageData":"/w==","inputs":["a"],\
            "messages":[{"content":"hi","images":["AQI="],"role":"user"}],\
            "modelID":"m","privacy":"onDevice","prompt":"what is this?","runnerID":"b:m"}
            """
        #expect(String(decoding: try encoder.encode(request), as: UTF8.self) == json)
        let back = try JSONDecoder().decode(InferenceRequest.self, from: Data(json.utf8))
        #expect(String(decoding: try encoder.encode(back), as: UTF8.self) == json)
        #expect(back.streamingCallback == nil)
    }

    @Test func `formats and frameworks have names, and custom ones keep theirs`() throws {
        try check([ModelFormat.gguf, .custom("mine")], #"["gguf","mine"]"#)
        try check([Framework.onnxRuntime, .custom("Mine")], #"["onnxruntime","Mine"]"#)
        #expect(Framework.coreML.displayName == "Core ML")
        #expect(Framework.custom("Mine").displayName == "Mine")
    }

    @Test func `an error is code, message and remedy`() throws {
        try check(
            BreezeError(.noRunner, "Nobody.", remedy: "Get one."),
            #"{"code":"no_runner","message":"Nobody.","remedy":"Get one."}"#
        )
        try check(BreezeError(.timeout, "Late."), #"{"code":"timeout","message":"Late."}"#)
    }

    @Test(arguments: [
        (ToolChoice.auto, #"["auto"]"#), (.none, #"["none"]"#), (.required, #"["required"]"#),
        (.named("f"), #"[{"name":"f"}]"#),
    ])
    func `a tool choice is a word or a name`(choice: ToolChoice, json: String) throws {
        try check([choice], json)
    }

    @Test func `a tool choice of another word is refused`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([ToolChoice].self, from: Data(#"["perhaps"]"#.utf8))
        }
    }

    @Test(arguments: [
        (InferenceOutput.text("hi"), #"{"kind":"text","text":"hi"}"#),
        (.embeddings([[1, 0.5]]), #"{"embeddings":[[1,0.5]],"kind":"embeddings"}"#),
        (
            .classifications([Classification(scores: [.init(label: "a", score: 1)])]),
            #"{"classifications":[{"scores":[{"label":"a","score":1}]}],"kind":"classifications"}"#
        ),
        (
            .ranking([RankedDocument(index: 1, score: 2)]),
            #"{"kind":"ranking","ranking":[{"index":1,"score":2}]}"#
        ),
        (.transcript(Transcript(text: "t")), #"{"kind":"transcript","transcript":{"text":"t"}}"#),
        (
            .audio(AudioClip(data: Data([0]), mediaType: "audio/wav", sampleRate: 8000, duration: 1)),
            #"{"audio":{"data":"AA==","duration":1,"mediaType":"audio/wav","sampleRate":8000},"kind":"audio"}"#
        ),
        (
            .verdict(GuardianVerdict(action: .pass)),
            #"{"kind":"verdict","verdict":{"action":"pass","findings":[]}}"#
        ),
    ])
    func `an output says its kind`(output: InferenceOutput, json: String) throws {
        try check(output, json)
    }

    @Test func `JSON values keep integers apart from other numbers`() throws {
        try check(
            JSONValue.object(["a": [1, 2.5, true, .null, "x"], "b": [:]]),
            #"{"a":[1,2.5,true,null,"x"],"b":{}}"#
        )
    }
}
