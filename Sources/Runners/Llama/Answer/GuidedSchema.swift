import BreezeCore
import BreezeSchema
import Foundation

/// The JSON Schema of a guided answer: refused where llama.cpp's grammar would enforce less than it says, and
/// what the finished answer is held against.
struct GuidedSchema {
    /// The grammar drops them without a word.
    private static let unenforced: Set<String> = [
        "minProperties", "maxProperties", "uniqueItems", "multipleOf", "oneOf",
    ]
    private static let limits = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]

    private let schema: JSONValue

    init(_ schema: JSONValue) throws {
        self.schema = schema
        try Self.check(schema, depth: 0)
    }

    private static func check(_ schema: JSONValue, depth: Int) throws {
        guard let values = schema.objectValue else {
            if schema.boolValue != nil { return }
            throw malformed("a schema must be an object, true or false")
        }
        guard depth < SchemaKeywords.maxDepth else { throw malformed("it is nested too deeply") }
        let keywords: SchemaKeywords
        do {
            keywords = try SchemaKeywords(values)
            _ = try keywords.pattern
        } catch let failure as SchemaFailure {
            throw failure.error(in: "guidedOutput", by: "llama.cpp's grammar")
        }
        if let keyword = unenforced.intersection(values.keys).min() {
            throw unsupported("the keyword \(keyword)")
        }
        let types = (try? keywords.types) ?? nil
        if let limit = limits.first(where: { values[$0] != nil }), types != ["integer"] {
            throw unsupported("\(limit) of anything but an integer")
        }
        if let pattern = values["pattern"]?.stringValue, !(pattern.hasPrefix("^") && pattern.hasSuffix("$")) {
            throw unsupported("the pattern \(pattern), which is not anchored with ^ and $")
        }
        try children(of: values).forEach { try check($0, depth: depth + 1) }
    }

    /// The schemas within a schema.
    private static func children(of values: [String: JSONValue]) -> [JSONValue] {
        let named = ["properties", "$defs", "definitions"].flatMap {
            values[$0]?.objectValue?.values.map { $0 } ?? []
        }
        let listed = ["anyOf", "allOf", "prefixItems"].flatMap { values[$0]?.arrayValue ?? [] }
        let single = ["items", "additionalProperties"].compactMap { values[$0] }.filter {
            $0.objectValue != nil
        }
        return named + listed + single
    }

    /// - Throws: ``BreezeError/Code/invalidOutput`` where the answer is no JSON, or breaks the schema.
    func validate(_ answer: String) throws {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(answer.utf8)) else {
            throw BreezeError(
                .invalidOutput,
                "The model's answer ended before its JSON was whole.",
                remedy: "Allow more tokens (maxTokens), or a larger contextSize."
            )
        }
        var check = SchemaCheck(root: schema)
        guard let broken = try check.violation(of: value, by: schema) else { return }
        throw BreezeError(
            .invalidOutput,
            "The model's answer breaks the schema's \(broken).",
            remedy: "Ask again."
        )
    }

    private static func unsupported(_ what: String) -> BreezeError {
        BreezeError(
            .unsupported,
            "guidedOutput has \(what), which llama.cpp's grammar cannot enforce.",
            remedy: "Leave it out of the schema, or ask another runner."
        )
    }

    private static func malformed(_ fault: String) -> BreezeError {
        BreezeError(
            .invalidRequest,
            "guidedOutput is no valid JSON Schema: \(fault).",
            remedy: "Correct the schema."
        )
    }
}
