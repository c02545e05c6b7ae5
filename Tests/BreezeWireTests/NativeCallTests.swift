import BreezeCore
import BreezeWire
import Foundation
import Testing

struct `Breeze's own route` {
    private static var full: InferenceRequest {
        InferenceRequest(
            .chat,
            prompt: "hello",
            id: "r1",
            messages: [ChatMessage(.user, "hello")],
            inputs: ["a"],
            imageData: Data([1]),
            audioData: Data([2]),
            categories: [ClassificationCategory(name: "good", examples: ["fine"])],
            inputType: .query,
            modelID: "m",
            runnerID: "r",
            privacy: .onDevice,
            allowsMocks: true,
            priority: .utility,
            client: "somebody"
        )
    }

    @Test func `each field of a request is known`() throws {
        let encoded = try JSONEncoder().encode(Self.full)
        let call = try NativeCall.parse(Array(encoded), streams: false)
        #expect(call.remarks.ignored.isEmpty)
        let again = try JSONEncoder().encode(try #require(call.requests.first))
        #expect(try json(again) == json(encoded))
    }

    @Test func `what is not known is passed over, and the result says so`() throws {
        let call = try NativeCall.parse(
            bytes(#"{"capability":"chat","prompt":"hi","mood":"good"}"#),
            streams: false
        )
        let answer = try json(NativeCall.answer([result()], to: call))
        let notices = answer["notices"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(notices.count == 1 && notices[0].contains("mood"))
        let stream = NativeStream(call)
        let last = try stream.encode(InferenceChunk(requestID: "r1", .result(result())), choice: 0)
        #expect(String(decoding: last, as: UTF8.self).contains("mood"))
    }

    @Test(arguments: [
        ("", "empty"), ("[]", "an object"), ("{", "not JSON"), (#"{"prompt":"hi"}"#, "capability"),
        (#"{"capability":"chat","prompt":5}"#, "prompt is no String"),
        (#"{"capability":"chat","configuration":{"topK":"secret"}}"#, "configuration.topK is no Int"),
        (#"{"capability":"chat","capability":"embedding"}"#, "twice"),
    ])
    func `a body that is no request is refused where the fault is, without what stands there`(
        body: String,
        said: String
    ) throws {
        let error = #expect(throws: BreezeError.self) { try NativeCall.parse(bytes(body), streams: false) }
        let told = [error?.message, error?.remedy].compactMap(\.self).joined(separator: " ")
        #expect(told.contains(said), "\(told)")
        #expect(!told.contains("secret"))
    }

    @Test func `chunks come back as they were`() throws {
        let call = try NativeCall.parse(bytes(#"{"capability":"chat","prompt":"hi"}"#), streams: true)
        let chunks: [InferenceChunk.Content] = [
            .text("Hel\nlo"), .reasoning("hm"), .embedding(index: 1, vector: [0.5, -1]),
            .audio(Data([0, 255])),
            .progress(InferenceChunk.Progress(stage: "learning", completed: 1, total: 2)), .result(result()),
        ]
        let stream = NativeStream(call)
        for content in chunks {
            let chunk = InferenceChunk(requestID: "r1", content)
            let event = try #require(try events(stream.encode(chunk, choice: 0)).first)
            let decoded = try JSONDecoder().decode(InferenceChunk.self, from: JSONEncoder().encode(event))
            #expect(decoded == chunk)
        }
        #expect(stream.finish().isEmpty)
    }

    /// OpenAI's clients know some codes by another name; this route's do not.
    @Test(arguments: [
        BreezeError.Code.contextSizeExceeded, .unknownModel, .unsupported, .guardianBlocked, .busy,
    ])
    func `an error keeps its code, and when to come back`(code: BreezeError.Code) throws {
        let error = BreezeError(code, "It failed.", remedy: "Mend it.", retryAfter: .seconds(2.5))
        struct Body: Decodable { let error: BreezeError }
        let whole = WireFailure(error, .native)
        #expect(try JSONDecoder().decode(Body.self, from: Data(whole.body)).error == error)
        let stream = NativeStream(try NativeCall.parse(bytes(#"{"capability":"chat"}"#), streams: true))
        let event = stream.fail(error)
        #expect(event.starts(with: "event: error\ndata: ".utf8))
        let data = try #require(try events(event).first)
        #expect(try JSONDecoder().decode(Body.self, from: JSONEncoder().encode(data)).error == error)
    }
}
