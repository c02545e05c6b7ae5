import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeScheme

@Suite struct FuzzedURLTests {
    private struct URLCase: Decodable { let url: SpelledText }

    @Test func `a fuzzed URL is refused, or is within the bounds of its form`() throws {
        let cases: [URLCase] = try VectorFile.section("parse")
        let seeds = cases.map { Array($0.url.text.utf8) }.filter { $0.count < 2_000 }
        #expect(seeds.count > 100)
        let likely = Array("abzAZ09-_.~:/?@=&%+prompt".utf8)
        var generator = SeededGenerator(seed: 7)
        var taken = 0
        for round in 0..<Soak.count(100_000) {
            let data = Mutation.mutated(seeds, likely: likely, &generator)
            let text = String(decoding: data, as: UTF8.self)
            do {
                let url = try SchemeURL(parsing: text)
                taken += 1
                try Self.check(url, "round \(round): \(text)")
            } catch {
                let refusal = try #require(error as? SchemeRefusal, "round \(round): \(text)")
                if let callback = refusal.callback {
                    #expect(!CallbackScheme.reservedNames.contains(callback.name))
                }
            }
        }
        // Small changes to sound URLs leave some of them sound: the fuzz reaches what lies behind the grammar.
        #expect(taken > Soak.count(100_000) / 100)
    }

    /// Behind the grammar of URLs: the document that they carry.
    @Test func `a fuzzed request in a sound URL is refused, or is within the bounds of its form`() throws {
        let seeds = [
            #"{"prompt":"x","messages":[{"role":"user","content":"a","images":["AAEC"]}],"imageData":"AA=="}"#,
            #"{"prompt":"x","configuration":{"topK":40,"temperature":0.5,"stop":["."],"toolChoice":"none"}}"#,
            #"{"inputs":["a","\u00e9\ud83c\udf2c"],"categories":[{"name":"a","examples":["b"]}],"id":"q.1"}"#,
            #"{"prompt":"x","configuration":{"tools":[],"additional":{"x":[1,null,{"y":-1e3}]}},"privacy":null}"#,
        ].map { Array($0.utf8) }
        let likely = Array(#"{}[]",:\0123456789eE.-+truefalsn"#.utf8)
        var generator = SeededGenerator(seed: 10)
        var taken = 0
        for round in 0..<Soak.count(50_000) {
            let request = Mutation.mutated(seeds, likely: likely, &generator)
            let text = "breezeapp://api/chat?request=\(StrictBase64.url(request))&callback=mycoolapp"
            do {
                try Self.check(SchemeURL(parsing: text), "round \(round): \(text)")
                taken += 1
            } catch {
                let refusal = try #require(error as? SchemeRefusal, "round \(round): \(text)")
                let codes = ["invalid_request", "scope_denied", "payload_too_large", "invalid_url"]
                #expect(codes.contains(refusal.error.code.rawValue), "round \(round): \(refusal.error)")
                #expect(refusal.callback?.name == "mycoolapp" || request.isEmpty, "round \(round): \(text)")
            }
        }
        #expect(taken > Soak.count(50_000) / 100)
    }

    private static func check(_ url: SchemeURL, _ text: String) throws {
        let written = try url.written()
        #expect(try SchemeURL(parsing: written).written() == written, "\(text)")
        guard case .run(let question) = url else { return }
        let request = question.request
        #expect(request.privacy == .onDevice && request.client == nil, "\(text)")
        #expect(request.configuration.tools?.isEmpty ?? true, "\(text)")
        #expect([nil, ToolChoice.none].contains(request.configuration.toolChoice), "\(text)")
        #expect(!CallbackScheme.reservedNames.contains(question.callback.name), "\(text)")
        #expect((3...64).contains(question.callback.name.utf8.count), "\(text)")
    }
}
