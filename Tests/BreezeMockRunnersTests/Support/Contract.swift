import BreezeCore
import Foundation
import Testing

/// What one mock owes to one request. What a case leaves out is not looked at.
struct ContractCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Expectation: Decodable, Sendable {
        var text: String?
        var chunks: [String]?
        var finishReason: InferenceResult.FinishReason?
        var inputTokens: Int?
        var outputTokens: Int?
        var toolCalls: [ToolCall]?
        var language: String?
        var duration: Double?
        var action: GuardianVerdict.Action?
        var findings: [GuardianVerdict.Finding]?
        var notice: String?
        var error: String?
        /// A part of the error's message.
        var message: String?
    }

    let name: String
    let runner: String
    let request: InferenceRequest
    let expect: Expectation

    var testDescription: String { "\(runner): \(name)" }
}

struct SchemaCases: Decodable, Sendable {
    struct Sample: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let schema: JSONValue
        let value: JSONValue

        var testDescription: String { name }
    }

    struct Refusal: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let schema: JSONValue
        let code: String
        let word: String

        var testDescription: String { name }
    }

    let samples: [Sample]
    let refusals: [Refusal]
}

/// Reads a table of this target; a test that finds none of its cases fails for want of arguments.
func table<Table: Decodable>(_ name: String, as type: Table.Type = Table.self) throws -> Table {
    let url = try #require(
        Bundle.module.url(forResource: name, withExtension: "json", subdirectory: "Fixtures")
    )
    return try JSONDecoder().decode(Table.self, from: Data(contentsOf: url))
}
