package import BreezeCore

/// One schema object, read keyword by keyword.
package struct SchemaKeywords {
    package static let maxDepth = 128

    /// What ``SchemaCheck`` holds a value against.
    private static let enforced: Set<String> = [
        "type", "enum", "const", "properties", "required", "additionalProperties", "minProperties",
        "maxProperties", "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "minimum", "maximum",
        "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern", "anyOf",
        "oneOf", "allOf", "$ref",
    ]
    /// They constrain nothing. `format` is an annotation unless a schema's dialect says otherwise (JSON
    /// Schema 2020-12, validation, section 7.2.1).
    private static let annotations: Set<String> = [
        "title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly",
        "format", "$schema", "$comment", "$defs", "definitions", "contentEncoding", "contentMediaType",
    ]
    private static let typeNames: Set<String> = [
        "null", "boolean", "integer", "number", "string", "array", "object",
    ]

    package let values: [String: JSONValue]

    /// - Throws: ``SchemaFailure/unsupported(keyword:)`` for any keyword that is neither enforced nor an
    /// annotation.
    package init(_ values: [String: JSONValue]) throws {
        let known = { (name: String) in
            Self.enforced.contains(name) || Self.annotations.contains(name) || name.hasPrefix("x-")
        }
        if let stranger = values.keys.filter({ !known($0) }).min() {
            throw SchemaFailure.unsupported(keyword: stranger)
        }
        self.values = values
    }

    package subscript(keyword: String) -> JSONValue? { values[keyword] }

    package func count(_ keyword: String) throws -> Int? {
        guard let value = values[keyword] else { return nil }
        guard let count = value.intValue, count >= 0 else {
            throw SchemaFailure.malformed(keyword: keyword, reason: "must be an integer that is not negative")
        }
        return count
    }

    package func number(_ keyword: String) throws -> Double? {
        guard let value = values[keyword] else { return nil }
        guard let number = value.doubleValue, number.isFinite else {
            throw SchemaFailure.malformed(keyword: keyword, reason: "must be a number")
        }
        return number
    }

    package func list(_ keyword: String) throws -> [JSONValue]? {
        guard let value = values[keyword] else { return nil }
        guard let list = value.arrayValue else {
            throw SchemaFailure.malformed(keyword: keyword, reason: "must be an array")
        }
        return list
    }

    package func flag(_ keyword: String) throws -> Bool {
        guard let value = values[keyword] else { return false }
        guard let flag = value.boolValue else {
            throw SchemaFailure.malformed(keyword: keyword, reason: "must be true or false")
        }
        return flag
    }

    package var multipleOf: Double? {
        get throws {
            guard let step = try number("multipleOf") else { return nil }
            guard step > 0 else {
                throw SchemaFailure.malformed(keyword: "multipleOf", reason: "must be above 0")
            }
            return step
        }
    }

    /// Swift's reading of it, which for what schemas use is ECMA-262's.
    package var pattern: Regex<AnyRegexOutput>? {
        get throws {
            guard let value = values["pattern"] else { return nil }
            guard let text = value.stringValue, let pattern = try? Regex(text) else {
                throw SchemaFailure.malformed(keyword: "pattern", reason: "must be a regular expression")
            }
            return pattern
        }
    }

    package var properties: [String: JSONValue] {
        get throws {
            guard let value = values["properties"] else { return [:] }
            guard let properties = value.objectValue else {
                throw SchemaFailure.malformed(keyword: "properties", reason: "must be an object")
            }
            return properties
        }
    }

    package var required: [String] {
        get throws {
            try (list("required") ?? []).map { name in
                guard let name = name.stringValue else {
                    throw SchemaFailure.malformed(keyword: "required", reason: "must hold strings")
                }
                return name
            }
        }
    }

    /// The allowed types; `nil` where every one is.
    package var types: [String]? {
        get throws {
            guard let value = values["type"] else { return nil }
            let types = (value.arrayValue ?? [value]).compactMap(\.stringValue)
            guard !types.isEmpty, Self.typeNames.isSuperset(of: types) else {
                throw SchemaFailure.malformed(keyword: "type", reason: "must name JSON types")
            }
            return types
        }
    }
}

extension JSONValue {
    /// The schema that `reference` (`#` or `#/…`, an RFC 6901 pointer) names within this one.
    package func schema(at reference: JSONValue) throws -> JSONValue {
        guard let pointer = reference.stringValue else {
            throw SchemaFailure.malformed(keyword: "$ref", reason: "must be a string")
        }
        // Other documents and anchors are not looked up.
        guard pointer == "#" || pointer.hasPrefix("#/") else {
            throw SchemaFailure.unsupported(keyword: "$ref")
        }
        var target = self
        for step in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = String(step).replacing("~1", with: "/").replacing("~0", with: "~")
            let next =
                target[name]
                ?? Int(name).flatMap { index in
                    target.arrayValue.flatMap { $0.indices.contains(index) ? $0[index] : nil }
                }
            guard let next else {
                throw SchemaFailure.malformed(
                    keyword: "$ref",
                    reason: "\(pointer) names nothing in the schema"
                )
            }
            target = next
        }
        return target
    }

    /// `4.0` and `4` are one value to JSON Schema.
    package var canonical: JSONValue {
        switch self {
        case .number(let value): Int(exactly: value).map { .integer($0) } ?? self
        case .array(let values): .array(values.map(\.canonical))
        case .object(let values): .object(values.mapValues(\.canonical))
        default: self
        }
    }
}
