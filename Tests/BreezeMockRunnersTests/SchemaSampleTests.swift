import BreezeCore
import BreezeMockRunners
import Foundation
import Testing

struct SchemaSampleTests {
    private static func cases() throws -> SchemaCases { try table("schemas") }

    private func answer(to schema: JSONValue) async throws -> InferenceResult {
        let configuration = InferenceConfig(guidedOutput: schema)
        return try await MockLLMRunner().run(
            request: InferenceRequest(.chat, prompt: "hello", configuration: configuration)
        )
    }

    @Test(arguments: try cases().samples)
    func `guided output is the value that the schema leaves`(_ sample: SchemaCases.Sample) async throws {
        let text = try #require(try await answer(to: sample.schema).output.text)
        // Compared as a JSON tree: 1 and 1.0 are one number there.
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) == sample.value)
    }

    @Test(arguments: try cases().refusals)
    func `a schema that cannot be satisfied is refused by name`(_ refusal: SchemaCases.Refusal) async throws {
        let error = await #expect(throws: BreezeError.self) { try await answer(to: refusal.schema) }
        #expect(error?.code.rawValue == refusal.code)
        #expect(error?.message.contains(refusal.word) == true, "\(error?.message ?? "")")
    }

    @Test func `references that double at each step are refused and not followed for ever`() async throws {
        var definitions: [String: JSONValue] = ["d0": ["type": "null"]]
        for depth in 1...40 {
            let below: JSONValue = ["$ref": .string("#/$defs/d\(depth - 1)")]
            definitions["d\(depth)"] = [
                "type": "object", "properties": ["a": below, "b": below], "required": ["a", "b"],
            ]
        }
        let schema: JSONValue = ["$ref": "#/$defs/d40", "$defs": .object(definitions)]
        let error = await #expect(throws: BreezeError.self) { try await answer(to: schema) }
        #expect(error?.code == .unsupported)
    }
}
