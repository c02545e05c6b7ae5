import BreezeCore
import BreezeWire
import Foundation
import Testing

/// Models, moderations, ranking and tokens.
@Suite struct OpenAIOtherRoutesTests {
    @Test func `models are listed, and shown one by one`() throws {
        let entry = OpenAIModels.Entry(id: "m", created: noon)
        let one = #"{"id":"m","object":"model","created":1769860800,"owned_by":"breeze"}"#
        #expect(try json(OpenAIModels.one(entry)).withoutBreeze == json(one))
        let list = try json(OpenAIModels.list([entry]))
        #expect((list["object"], list["data", "0", "id"]) == ("list", "m"))
    }

    @Test func `a guardian's verdict is a moderation`() throws {
        let body = #"{"model":"omni-moderation-latest","input":["a","b"]}"#
        var call = try ModerationCall(parsing: bytes(body))
        call.requests[0].id = "c1"
        #expect(call.requests.map(\.prompt) == ["a", "b"])
        #expect(call.requests.allSatisfy { $0.capability == .guardian && $0.modelID == nil })
        var answers = [result(), result(id: "r2")]
        answers[0].output = .verdict(GuardianVerdict(action: .pass))
        answers[1].output = .verdict(
            GuardianVerdict(
                action: .block,
                findings: [
                    .init(category: "prompt-injection", risk: 0.5),
                    .init(category: "prompt-injection", risk: 0.9),
                ]
            )
        )
        let expected = """
            {"id":"modr-c1","model":"mock-llm","results":[
              {"flagged":false,"categories":{},"category_scores":{},"category_applied_input_types":{}},
              {"flagged":true,"categories":{"prompt-injection":true},"category_scores":{"prompt-injection":0.9},
               "category_applied_input_types":{"prompt-injection":["text"]}}]}
            """
        #expect(try json(call.answer(answers)).withoutBreeze == json(expected))
        #expect(failure { _ = try call.answer([result()]) }?.code == .invalidOutput)
    }

    @Test func `parts of one content are judged together, pictures not at all`() throws {
        let parts = #"[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#
        #expect(
            try ModerationCall(parsing: bytes(#"{"input":\#(parts)}"#)).requests.map(\.prompt) == ["a\nb"]
        )
        let picture = #"{"input":[{"type":"image_url","image_url":{"url":"data:,"}}]}"#
        let error = failure { _ = try ModerationCall(parsing: bytes(picture)) }
        #expect(error?.wireField == "input[0].image_url")
        #expect(
            failure { _ = try ModerationCall(parsing: bytes(#"{"input":["a",1]}"#)) }?.wireField == "input[1]"
        )
    }

    @Test func `documents are ranked, best first`() throws {
        let body = """
            {"model":"m","query":"q","documents":["a",{"text":"b"},"c"],"top_n":2,"return_documents":true}
            """
        var call = try RerankCall(parsing: bytes(body))
        call.request.id = "c1"
        #expect((call.request.prompt, call.request.inputs) == ("q", ["a", "b", "c"]))
        var answer = result()
        answer.output = .ranking([
            .init(index: 1, score: 0.75), .init(index: 2, score: 0.5), .init(index: 0, score: 0),
        ])
        let expected = """
            {"id":"rerank-c1","object":"list","model":"m","results":[
              {"index":1,"relevance_score":0.75,"document":{"text":"b"}},
              {"index":2,"relevance_score":0.5,"document":{"text":"c"}}],
             "usage":{"prompt_tokens":3,"total_tokens":3}}
            """
        #expect(try json(call.answer(answer)).withoutBreeze == json(expected))
    }

    @Test(arguments: [
        (#"{"model":"m","documents":["a"]}"#, "query"), (#"{"model":"m","query":"q"}"#, "documents"),
        (#"{"model":"m","query":"q","documents":[]}"#, "documents"),
        (#"{"model":"m","query":"q","documents":[1]}"#, "documents[0]"),
        (#"{"model":"m","query":"q","documents":[{"title":"x"}]}"#, "documents[0].text"),
        (#"{"model":"m","query":"q","documents":["a"],"top_n":0}"#, "top_n"),
    ])
    func `a fault of a ranking is named`(body: String, path: String) {
        #expect(failure { _ = try RerankCall(parsing: bytes(body)) }?.wireField == path)
    }

    @Test(arguments: ["content", "input", "prompt"])
    func `a text is tokenized under each of its names`(name: String) throws {
        let call = try TokenizeCall(parsing: bytes(#"{"\#(name)":"x","model":"m","with_pieces":true}"#))
        #expect((call.text, call.model, call.wantsPieces, call.addsSpecialTokens) == ("x", "m", true, false))
        #expect(
            try json(call.answer([1, 2])).withoutBreeze == ["model": "m", "count": 2, "tokens": [1, 2]]
        )
        let pieces = try json(call.answer([1, 2], pieces: [.text("é"), .bytes([0xC3])]))
        let expected = #"[{"id":1,"piece":"é"},{"id":2,"piece":[195]}]"#
        #expect(try pieces["tokens"] == json(expected))
    }

    @Test func `tokens become a text again`() throws {
        let call = try DetokenizeCall(parsing: bytes(#"{"tokens":[1,2]}"#))
        #expect(call.tokens == [1, 2])
        #expect(try json(call.answer("x")).withoutBreeze == ["content": "x"])
        #expect(
            failure { _ = try DetokenizeCall(parsing: bytes(#"{"tokens":[1,"a"]}"#)) }?.wireField
                == "tokens[1]"
        )
        #expect(failure { _ = try TokenizeCall(parsing: bytes("{}")) }?.wireField == "content")
    }
}
