import BreezeCore
import BreezeSchema

/// Makes a value that satisfies a JSON Schema, always the same one, and refuses the schema where it cannot.
///
/// It takes the first way that the schema leaves open: the first type that is not null, the first of `enum`,
/// `anyOf` and `oneOf`, every declared property, one element for an array. Where a `$ref` leads back to
/// itself it leaves the optional part out. What it made is held against the whole schema before it is handed
/// out.
struct SchemaSample {
    private static let maxStringLength = 65_536

    let root: JSONValue
    /// Few lines of schema can ask for values without measure.
    private var valuesLeft = 10_000

    /// Throws ``BreezeError/Code/unsupported`` naming the keyword that could not be satisfied; `parameter`
    /// says whose schema it is.
    static func value(for schema: JSONValue, parameter: String) throws -> JSONValue {
        do {
            var sample = SchemaSample(root: schema)
            let value = try sample.make(schema, Place())
            var check = SchemaCheck(root: schema)
            if let broken = try check.violation(of: value, by: schema) {
                throw SchemaFailure.unsupported(keyword: broken)
            }
            return value
        } catch let failure as SchemaFailure {
            throw failure.error(in: parameter, by: "the mock")
        }
    }

    private init(root: JSONValue) {
        self.root = root
    }

    /// Where in the value the next one goes.
    struct Place {
        /// Elements of an array whose elements must differ count up from 0; elsewhere 0.
        var variant = 0
        var depth = 0
        /// The references that are being followed.
        var open: Set<JSONValue> = []
    }

    mutating func make(_ schema: JSONValue, _ place: Place) throws -> JSONValue {
        valuesLeft -= 1
        guard valuesLeft > 0, place.depth < SchemaKeywords.maxDepth else {
            throw SchemaFailure.tooLarge("too many values, or too deep ones")
        }
        var place = place
        place.depth += 1
        if let isOpen = schema.boolValue {
            guard isOpen else { throw SchemaFailure.unsupported(keyword: "false") }
            return SchemaSample.text(length: nil, place.variant)
        }
        let keywords = try flattened(schema, &place)
        for keyword in ["anyOf", "oneOf"] where keywords[keyword] != nil {
            return try branch(keyword, of: keywords, place)
        }
        if let constant = keywords["const"] { return constant }
        if let options = try keywords.list("enum") { return try option(options, keywords, place) }
        return try value(of: keywords, place)
    }

    /// The schema with its `$ref` and `allOf` folded in. Where two parts disagree the later stands, and the
    /// check of the whole value decides.
    private func flattened(_ schema: JSONValue, _ place: inout Place) throws -> SchemaKeywords {
        guard var values = schema.objectValue else {
            throw SchemaFailure.malformed(keyword: "a schema", reason: "must be an object, true or false")
        }
        while values["$ref"] != nil || values["allOf"] != nil {
            if let reference = values.removeValue(forKey: "$ref") {
                guard place.open.insert(reference).inserted else { throw SchemaFailure.endless }
                values = try Self.merge(try root.schema(at: reference), into: values)
            } else if let parts = values.removeValue(forKey: "allOf") {
                for part in parts.arrayValue ?? [] {
                    // Each part's own reference is followed before the next part could replace it.
                    let keywords = try part.boolValue == true ? [:] : flattened(part, &place).values
                    values = try Self.merge(.object(keywords), into: values)
                }
            }
        }
        return try SchemaKeywords(values)
    }

    private static func merge(
        _ addition: JSONValue,
        into values: [String: JSONValue]
    ) throws -> [String: JSONValue] {
        if let isOpen = addition.boolValue {
            guard isOpen else { throw SchemaFailure.unsupported(keyword: "false") }
            return values
        }
        guard let addition = addition.objectValue else {
            throw SchemaFailure.malformed(keyword: "a schema", reason: "must be an object, true or false")
        }
        return values.merging(addition) { _, new in new }.merging(combined(values, addition)) { $1 }
    }

    /// What adds up instead of replacing: declared and required properties.
    private static func combined(
        _ left: [String: JSONValue],
        _ right: [String: JSONValue]
    ) -> [String: JSONValue] {
        var combined: [String: JSONValue] = [:]
        if let first = left["properties"]?.objectValue, let second = right["properties"]?.objectValue {
            combined["properties"] = .object(first.merging(second) { $1 })
        }
        if let first = left["required"]?.arrayValue, let second = right["required"]?.arrayValue {
            combined["required"] = .array(first + second)
        }
        return combined
    }

    /// The first branch that yields a value which satisfies the whole.
    private mutating func branch(
        _ keyword: String,
        of keywords: SchemaKeywords,
        _ place: Place
    ) throws -> JSONValue {
        var rest = keywords.values
        rest[keyword] = nil
        var isEndless = false
        for branch in try keywords.list(keyword) ?? [] {
            do {
                let candidate = try make(.object(try Self.merge(branch, into: rest)), place)
                var check = SchemaCheck(root: root)
                if try check.violation(of: candidate, by: .object(keywords.values)) == nil {
                    return candidate
                }
            } catch SchemaFailure.endless {
                isEndless = true
            }
        }
        throw isEndless ? SchemaFailure.endless : SchemaFailure.unsupported(keyword: keyword)
    }

    private func option(
        _ options: [JSONValue],
        _ keywords: SchemaKeywords,
        _ place: Place
    ) throws -> JSONValue {
        let able = try options.filter { option in
            var check = SchemaCheck(root: root)
            return try check.violation(of: option, by: .object(keywords.values)) == nil
        }
        guard !able.isEmpty else { throw SchemaFailure.unsupported(keyword: "enum") }
        return able[place.variant % able.count]
    }

    /// "mock", repeated or cut to the length wanted.
    static func text(length: ClosedRange<Int>?, _ variant: Int) -> JSONValue {
        let base = variant == 0 ? "mock" : "mock \(variant)"
        guard let length else { return .string(base) }
        let repeated = String(repeating: base + " ", count: length.lowerBound / base.count + 1)
        let longEnough = base.count >= length.lowerBound ? base : String(repeated.prefix(length.lowerBound))
        guard variant > 0 else { return .string(String(longEnough.prefix(length.upperBound))) }
        return .string(String(longEnough.suffix(length.upperBound)))  // the front is alike in all variants
    }

    func string(_ keywords: SchemaKeywords, _ place: Place) throws -> JSONValue {
        let least = try keywords.count("minLength") ?? 0
        let most = try keywords.count("maxLength") ?? .max
        guard least <= most else { throw SchemaFailure.unsupported(keyword: "maxLength") }
        guard least <= Self.maxStringLength else {
            throw SchemaFailure.tooLarge("a string of \(least) characters")
        }
        return Self.text(length: least...most, place.variant)
    }
}
