package import BreezeCore

/// Holds a value against a JSON Schema (draft 2020-12, without the keywords that ``SchemaKeywords`` refuses).
package struct SchemaCheck {
    private let root: JSONValue
    /// A schema whose branches refer to one another many times over would be checked for ever.
    private var stepsLeft = 50_000

    package init(root: JSONValue) {
        self.root = root
    }

    /// The keyword that `value` breaks; `nil` where it satisfies `schema`.
    package mutating func violation(
        of value: JSONValue,
        by schema: JSONValue,
        depth: Int = 0
    ) throws -> String? {
        stepsLeft -= 1
        guard stepsLeft > 0, depth < SchemaKeywords.maxDepth else {
            throw SchemaFailure.tooLarge("its references branch too widely or too deeply")
        }
        if let verdict = schema.boolValue { return verdict ? nil : "false" }
        guard let values = schema.objectValue else {
            throw SchemaFailure.malformed(keyword: "a schema", reason: "must be an object, true or false")
        }
        let keywords = try SchemaKeywords(values)
        return try composition(value, keywords, depth) ?? plain(value, keywords)
            ?? number(value, keywords) ?? string(value, keywords) ?? array(value, keywords, depth)
            ?? object(value, keywords, depth)
    }

    private mutating func composition(
        _ value: JSONValue,
        _ keywords: SchemaKeywords,
        _ depth: Int
    ) throws -> String? {
        if let reference = keywords["$ref"] {
            let target = try root.schema(at: reference)
            if let broken = try violation(of: value, by: target, depth: depth + 1) { return broken }
        }
        for part in try keywords.list("allOf") ?? [] {
            if let broken = try violation(of: value, by: part, depth: depth + 1) { return broken }
        }
        for (keyword, wanted) in [("anyOf", 1...Int.max), ("oneOf", 1...1)] {
            guard let branches = try keywords.list(keyword) else { continue }
            var satisfied = 0
            for branch in branches where try violation(of: value, by: branch, depth: depth + 1) == nil {
                satisfied += 1
            }
            if !wanted.contains(satisfied) { return keyword }
        }
        return nil
    }

    private func plain(_ value: JSONValue, _ keywords: SchemaKeywords) throws -> String? {
        if let types = try keywords.types, !types.contains(where: value.isOfType) { return "type" }
        if let constant = keywords["const"], constant.canonical != value.canonical { return "const" }
        if let options = try keywords.list("enum"),
            !options.contains(where: { $0.canonical == value.canonical })
        {
            return "enum"
        }
        return nil
    }

    private func number(_ value: JSONValue, _ keywords: SchemaKeywords) throws -> String? {
        guard let number = value.doubleValue else { return nil }
        if let least = try keywords.number("minimum"), number < least { return "minimum" }
        if let most = try keywords.number("maximum"), number > most { return "maximum" }
        if let below = try keywords.number("exclusiveMinimum"), number <= below { return "exclusiveMinimum" }
        if let above = try keywords.number("exclusiveMaximum"), number >= above { return "exclusiveMaximum" }
        if let step = try keywords.multipleOf, (number / step).rounded() != number / step {
            return "multipleOf"
        }
        return nil
    }

    private func string(_ value: JSONValue, _ keywords: SchemaKeywords) throws -> String? {
        // JSON Schema counts code points (RFC 8259 characters).
        guard let length = value.stringValue?.unicodeScalars.count else { return nil }
        if let least = try keywords.count("minLength"), length < least { return "minLength" }
        if let most = try keywords.count("maxLength"), length > most { return "maxLength" }
        if let pattern = try keywords.pattern, let text = value.stringValue,
            try pattern.firstMatch(in: text) == nil
        {
            return "pattern"
        }
        return nil
    }

    private mutating func array(
        _ value: JSONValue,
        _ keywords: SchemaKeywords,
        _ depth: Int
    ) throws -> String? {
        guard let elements = value.arrayValue else { return nil }
        if let least = try keywords.count("minItems"), elements.count < least { return "minItems" }
        if let most = try keywords.count("maxItems"), elements.count > most { return "maxItems" }
        if try keywords.flag("uniqueItems"), Set(elements.map(\.canonical)).count < elements.count {
            return "uniqueItems"
        }
        let prefix = try keywords.list("prefixItems") ?? []
        for (index, element) in elements.enumerated() {
            guard let schema = index < prefix.count ? prefix[index] : keywords["items"] else { continue }
            if let broken = try violation(of: element, by: schema, depth: depth + 1) { return broken }
        }
        return nil
    }

    private mutating func object(
        _ value: JSONValue,
        _ keywords: SchemaKeywords,
        _ depth: Int
    ) throws -> String? {
        guard let members = value.objectValue else { return nil }
        if let least = try keywords.count("minProperties"), members.count < least { return "minProperties" }
        if let most = try keywords.count("maxProperties"), members.count > most { return "maxProperties" }
        if try keywords.required.contains(where: { members[$0] == nil }) { return "required" }
        let properties = try keywords.properties
        for (name, member) in members {
            let isDeclared = properties[name] != nil
            guard let schema = properties[name] ?? keywords["additionalProperties"] else { continue }
            if let broken = try violation(of: member, by: schema, depth: depth + 1) {
                return isDeclared ? broken : "additionalProperties"
            }
        }
        return nil
    }
}

extension JSONValue {
    fileprivate func isOfType(_ name: String) -> Bool {
        switch (name, self) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
            ("integer", .integer), ("number", .integer), ("number", .number):
            true
        case ("integer", .number(let value)): value == value.rounded()
        default: false
        }
    }
}
