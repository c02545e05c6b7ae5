import BreezeCore
import BreezeWire
import Foundation
import Testing

/// `/v1/embeddings`, `/api/embed` and `/api/embeddings`.
@Suite struct EmbeddingTests {
    private static func vectors(_ vectors: [[Float]]) -> InferenceResult {
        var answer = result()
        answer.output = .embeddings(vectors)
        return answer
    }

    @Test(arguments: [
        (#""a""#, EmbeddingCall.Input.texts(["a"])), (#"["a","b"]"#, .texts(["a", "b"])),
        ("[1,2]", .tokens([[1, 2]])), ("[[1],[2,3]]", .tokens([[1], [2, 3]])),
    ])
    func `texts and tokens are told apart`(input: String, expected: EmbeddingCall.Input) throws {
        let call = try OpenAIEmbeddings.parse(bytes(#"{"model":"m","input":\#(input),"user":"u"}"#))
        #expect(call.input == expected)
        #expect(call.encoding == .float)
        #expect(call.remarks.ignored.isEmpty)
        let request = call.request(["x"])
        #expect((request.capability, request.modelID, request.inputs) == (.embedding, "m", ["x"]))
    }

    @Test(arguments: [
        ("{}", "input"), ("[]", "input"), (#""""#, "input"), (#"["a",1]"#, "input[1]"),
        (#"["a",""]"#, "input[1]"),
        ("[1,-2]", "input[1]"), ("[[1],[]]", "input[1]"), ("[[1],[true]]", "input[1][0]"),
        ("[true]", "input[0]"),
        ("[1.5]", "input[0]"), (#"[1,"a"]"#, "input[1]"),
    ])
    func `a wrong input is named by its path`(input: String, path: String) {
        let error = failure { _ = try OpenAIEmbeddings.parse(bytes(#"{"model":"m","input":\#(input)}"#)) }
        #expect(error?.wireField == path)
    }

    @Test func `vectors come as numbers, or as base64 of little-endian floats`() throws {
        let plain = try OpenAIEmbeddings.parse(bytes(#"{"model":"m","input":"x"}"#))
        let answer = Self.vectors([[0.5, 0.25]])
        let expected = """
            {"object":"list","model":"m","data":[{"object":"embedding","index":0,"embedding":[0.5,0.25]}],
             "usage":{"prompt_tokens":3,"total_tokens":3}}
            """
        #expect(try json(OpenAIEmbeddings.answer(answer, to: plain)).withoutBreeze == json(expected))
        let packed = try OpenAIEmbeddings.parse(
            bytes(#"{"model":"m","input":"x","encoding_format":"base64"}"#)
        )
        // base64.b64encode(struct.pack("<2f", 0.5, 0.25))
        let read = try json(OpenAIEmbeddings.answer(answer, to: packed))
        #expect(read["data", "0", "embedding"] == "AAAAPwAAgD4=")
    }

    @Test func `fewer dimensions keep the length at 1, and more are refused`() throws {
        let call = try OpenAIEmbeddings.parse(bytes(#"{"model":"m","input":"x","dimensions":2}"#))
        let body = try json(OpenAIEmbeddings.answer(Self.vectors([[3, 4, 12]]), to: call))
        let vector = try #require(body["data", "0", "embedding"]?.arrayValue)
        let numbers = vector.compactMap(\.doubleValue)
        // (3, 4) / 5
        #expect(numbers.map { ($0 * 1e6).rounded() / 1e6 } == [0.6, 0.8])
        #expect(body["breeze", "notices"]?.arrayValue?.count == 1)
        let error = failure { _ = try OpenAIEmbeddings.answer(Self.vectors([[1]]), to: call) }
        #expect(error?.wireField == "dimensions")
        #expect(error?.code == .invalidParameter)
        let none = failure {
            _ = try OpenAIEmbeddings.parse(bytes(#"{"model":"m","input":"x","dimensions":0}"#))
        }
        #expect(none?.wireField == "dimensions")
    }

    @Test func `what is no number is no vector`() throws {
        let call = try OpenAIEmbeddings.parse(bytes(#"{"model":"m","input":"x"}"#))
        let error = failure { _ = try OpenAIEmbeddings.answer(Self.vectors([[.nan]]), to: call) }
        #expect(error?.code == .invalidOutput)
        #expect(failure { _ = try OpenAIEmbeddings.answer(result(), to: call) }?.code == .invalidOutput)
    }

    @Test func `Ollama's routes have lists, and one vector`() throws {
        let body =
            #"{"model":"m","input":["a","b"],"truncate":false,"keep_alive":"5m","options":{"num_ctx":64}}"#
        let call = try OllamaEmbeddings.parse(bytes(body))
        #expect(call.input == .texts(["a", "b"]))
        let config = call.request(["a", "b"]).configuration
        #expect((config.keepAlive, config.contextSize, config.additional["truncate"]) == (300, 64, false))
        let answer = try json(OllamaEmbeddings.answer(Self.vectors([[0.5], [1]]), to: call))
        let expected = """
            {"model":"m","embeddings":[[0.5],[1]],"total_duration":2250000000,"load_duration":500000000,
             "prompt_eval_count":3}
            """
        #expect(try answer.withoutBreeze == json(expected))
        let older = try OllamaEmbeddings.parseOlder(bytes(#"{"model":"m","prompt":"a"}"#))
        #expect(older.input == .texts(["a"]))
        let one = try json(OllamaEmbeddings.answerOlder(Self.vectors([[0.5]]), to: older))
        #expect(try one.withoutBreeze == json(#"{"embedding":[0.5]}"#))
    }
}
