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
        #expect(request.priority == .normal)
        #expect(request.client == nil)
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
            allowsMocks: true,
            priority: .userInitiated,
            client: "mail"
        ) { _ in }
        let json = """
            {"allowsMocks":true,"audioData":"AA==","capability":"vlm",\
            "categories":[{"examples":["x"],"name":"a"}],"client":"mail",\
            "configuration":{"additional":{},"guidedOutput":{"type":"object"},"stop":["\\n"],"temperature":0.5},\
            "id":"r1","imageData":"/w==","inputs":["a"],\
            "messages":[{"content":"hi","images":["AQI="],"role":"user"}],\
            "modelID":"m","priority":"userInitiated","privacy":"onDevice","prompt":"what is this?","runnerID":"b:m"}
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
        try check(
            BreezeError(.busy, "Full.", retryAfter: .milliseconds(2_500)),
            #"{"code":"busy","message":"Full.","retryAfter":2.5}"#
        )
    }

    @Test(arguments: ["-1", "1e300"])
    func `a time to wait that is none counts as not known`(seconds: String) throws {
        let json = #"{"code":"busy","message":"Full.","retryAfter":\#(seconds)}"#
        let error = try JSONDecoder().decode(BreezeError.self, from: Data(json.utf8))
        #expect(error == BreezeError(.busy, "Full."))
    }

    @Test func `priorities are words, the later the sooner`() throws {
        let all: [RequestPriority] = [.background, .utility, .normal, .userInitiated]
        try check(all, #"["background","utility","normal","userInitiated"]"#)
        #expect(all.reversed().sorted() == all)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(RequestPriority.self, from: Data(#""urgent""#.utf8))
        }
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

    @Test(arguments: [
        (InferenceChunk.Content.text("hi"), #"{"kind":"text","requestID":"r","text":"hi"}"#),
        (.reasoning("so"), #"{"kind":"reasoning","requestID":"r","text":"so"}"#),
        (.audio(Data([0])), #"{"audio":"AA==","kind":"audio","requestID":"r"}"#),
        (
            .embedding(index: 2, vector: [1]),
            #"{"embedding":[1],"index":2,"kind":"embedding","requestID":"r"}"#
        ),
        (
            .classification(index: 0, Classification(scores: [])),
            #"{"classification":{"scores":[]},"index":0,"kind":"classification","requestID":"r"}"#
        ),
        (
            .toolCall(ToolCall(id: "c", name: "f", arguments: ["x": 1])),
            #"{"kind":"toolCall","requestID":"r","toolCall":{"arguments":{"x":1},"id":"c","name":"f"}}"#
        ),
        (
            .progress(InferenceChunk.Progress(stage: "learning", completed: 1, total: 2)),
            #"{"kind":"progress","progress":{"completed":1,"stage":"learning","total":2},"requestID":"r"}"#
        ),
    ])
    func `a chunk says its kind`(content: InferenceChunk.Content, json: String) throws {
        try check(InferenceChunk(requestID: "r", content), json)
    }

    @Test func `a result carries its whole account`() throws {
        let candidate = RoutingDecision.Candidate(
            runner: "net",
            locality: .network,
            exclusion: .noConsent,
            reasons: ["no"],
            remedy: "ask"
        )
        let event = ParameterReport.Event(kind: .refused, tier: .client, asked: 3, reason: "no")
        let result = InferenceResult(
            requestID: "r",
            output: .text("hi"),
            runner: "a:m",
            model: "m",
            finishReason: .length,
            usage: Usage(inputTokens: 1, outputTokens: 2, truncatedTokens: 3),
            timings: Timings(queue: 1, load: 2, firstChunk: 3, run: 4, total: 5),
            routing: RoutingDecision(
                capability: .chat,
                chosen: "a:m",
                candidates: [candidate],
                failures: [.init(runner: "b", error: BreezeError(.timeout, "late"))]
            ),
            parameters: ParameterReport(entries: [.init(name: "topK", events: [event])]),
            notices: ["note"]
        )
        try check(
            result,
            """
            {"finishReason":"length","guardianVerdicts":[],"isMock":false,"model":"m","notices":["note"],\
            "output":{"kind":"text","text":"hi"},\
            "parameters":{"entries":[{"events":[{"asked":3,"kind":"refused","reason":"no","tier":"client"}],\
            "name":"topK"}]},"requestID":"r",\
            "routing":{"candidates":[{"exclusion":"no_consent","locality":"network","reasons":["no"],\
            "remedy":"ask","runner":"net","score":0}],"capability":"chat","chosen":"a:m",\
            "failures":[{"error":{"code":"timeout","message":"late"},"runner":"b"}]},"runner":"a:m",\
            "timings":{"firstChunk":3,"load":2,"queue":1,"run":4,"total":5},"toolCalls":[],\
            "usage":{"inputTokens":1,"outputTokens":2,"truncatedTokens":3}}
            """
        )
        try check(
            [
                InferenceChunk(
                    requestID: "r",
                    .result(InferenceResult(requestID: "r", output: .text(""), runner: "a"))
                )
            ],
            """
            [{"kind":"result","requestID":"r","result":{"finishReason":"stop","guardianVerdicts":[],"isMock":false,\
            "notices":[],"output":{"kind":"text","text":""},"requestID":"r","runner":"a",\
            "timings":{"load":0,"queue":0,"run":0,"total":0},"toolCalls":[],\
            "usage":{"inputTokens":0,"outputTokens":0}}}]
            """
        )
    }

    @Test func `a model's description and a runner's availability`() throws {
        try check(
            ModelInfo(
                id: "m",
                format: .onnx,
                frameworks: [.onnxRuntime],
                capabilities: [.embedding],
                size: 1
            ),
            """
            {"capabilities":["embedding"],"format":"onnx","frameworks":["onnxruntime"],"id":"m","name":"m","size":1}
            """
        )
        try check(
            [Availability.available, .unavailable(reason: "gone", remedy: "get it")],
            #"[{"state":"available"},{"reason":"gone","remedy":"get it","state":"unavailable"}]"#
        )
    }

    @Test func `a parameter's kind is its type and limits`() throws {
        try check(
            [
                ParameterDescriptor.Kind.string, .boolean, .integer(min: 1), .number(max: 2),
                .selection(["a"]), .strings(maxCount: 4),
            ],
            """
            [{"type":"string"},{"type":"boolean"},{"min":1,"type":"integer"},{"max":2,"type":"number"},\
            {"options":["a"],"type":"selection"},{"maxCount":4,"type":"strings"}]
            """
        )
    }
}
