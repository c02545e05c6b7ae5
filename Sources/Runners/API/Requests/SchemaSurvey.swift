import BreezeCore
import BreezeSchema

/// Whether a whole schema is one that answers can be held against, before there is an answer.
enum SchemaSurvey {
    /// - Throws: `SchemaFailure`.
    static func check(_ schema: JSONValue, depth: Int = 0) throws {
        guard let values = schema.objectValue else {
            if schema.boolValue != nil { return }
            throw SchemaFailure.malformed(keyword: "a schema", reason: "must be an object, true or false")
        }
        guard depth < SchemaKeywords.maxDepth else { throw SchemaFailure.tooLarge("it is nested too deeply") }
        let keywords = try SchemaKeywords(values)
        _ = try (keywords.pattern, keywords.types, keywords.required)
        let named = ["properties", "$defs", "definitions"].flatMap {
            values[$0]?.objectValue?.values.map(\.self) ?? []
        }
        let listed = try ["anyOf", "oneOf", "allOf", "prefixItems"].flatMap { try keywords.list($0) ?? [] }
        let single = ["items", "additionalProperties"].compactMap { values[$0] }
        for child in named + listed + single { try check(child, depth: depth + 1) }
    }
}
