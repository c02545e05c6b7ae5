import BreezeCore
import Testing

@testable import BreezeLlamaRunner

@Suite struct GuidedSchemaTests {
    @Test(
        arguments: [
            (["type": "string", "pattern": "a"], "not anchored"),
            (["type": "string", "pattern": "^(a"], "regular expression"),
            (["type": "number", "minimum": 0], "minimum of anything but an integer"),
            (["type": "array", "uniqueItems": true], "uniqueItems"),
            (["type": "object", "properties": ["a": ["items": ["not": [:]]]]], "not"),
            (["type": "object", "additionalProperties": ["multipleOf": 2]], "multipleOf"),
            (["anyOf": [["type": "null"], ["oneOf": []]]], "oneOf"),
            (3, "an object, true or false"),
        ] as [(JSONValue, String)]
    )
    func `what the grammar does not enforce is refused, wherever it stands`(schema: JSONValue, reason: String)
    {
        let error = #expect(throws: BreezeError.self) { try GuidedSchema(schema) }
        #expect(error?.message.contains(reason) == true)
    }

    @Test(
        arguments: [
            (["type": "integer", "minimum": 1], "0", "minimum"),
            (["type": "string", "pattern": "^a+$"], #""ab""#, "pattern"),
            (["type": "object", "required": ["a"]], "{}", "required"),
        ] as [(JSONValue, String, String)]
    )
    func `a finished answer is held against the schema`(schema: JSONValue, answer: String, broken: String)
        throws
    {
        let guided = try GuidedSchema(schema)
        let error = #expect(throws: BreezeError.self) { try guided.validate(answer) }
        #expect(error?.code == .invalidOutput)
        #expect(error?.message.contains(broken) == true)
    }

    @Test func `an answer that was cut off is no JSON`() throws {
        let error = #expect(throws: BreezeError.self) { try GuidedSchema(true).validate("{\"a\": ") }
        #expect(error?.remedy?.contains("maxTokens") == true)
        try GuidedSchema(["type": "array", "items": ["type": "boolean"]]).validate("[true, false]")
    }
}
