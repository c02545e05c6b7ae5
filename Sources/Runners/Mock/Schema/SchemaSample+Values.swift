import BreezeCore
import BreezeSchema

extension SchemaSample {
    /// A value of the first type that the schema allows, or that its keywords speak of.
    mutating func value(of keywords: SchemaKeywords, _ place: Place) throws -> JSONValue {
        let types = try keywords.types
        switch types?.first(where: { $0 != "null" }) ?? types?.first ?? Self.impliedType(of: keywords) {
        case "null": return .null
        case "boolean": return .bool(place.variant.isMultiple(of: 2))
        case "integer": return try number(keywords, place, isInteger: true)
        case "number": return try number(keywords, place, isInteger: false)
        case "array": return try array(keywords, place)
        case "object": return try object(keywords, place)
        default: return try string(keywords, place)
        }
    }

    private static func impliedType(of keywords: SchemaKeywords) -> String {
        let signs: [(type: String, keywords: [String])] = [
            ("object", ["properties", "required", "additionalProperties", "minProperties", "maxProperties"]),
            ("array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]),
            ("number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
        ]
        let sign = signs.first { sign in sign.keywords.contains { keywords[$0] != nil } }
        return sign?.type ?? "string"
    }

    private mutating func object(_ keywords: SchemaKeywords, _ place: Place) throws -> JSONValue {
        let properties = try keywords.properties
        let required = Set(try keywords.required)
        let most = try keywords.count("maxProperties") ?? .max
        var members: [String: JSONValue] = [:]
        for name in required.sorted() {
            members[name] = try make(
                properties[name] ?? keywords["additionalProperties"] ?? .bool(true),
                place
            )
        }
        for (name, schema) in properties.sorted(by: { $0.key < $1.key }) {
            guard members[name] == nil, members.count < most, schema != .bool(false) else { continue }
            do {
                members[name] = try make(schema, place)
            } catch SchemaFailure.endless {
                continue  // it is optional, so the value ends here
            }
        }
        return .object(members)
    }

    private mutating func array(_ keywords: SchemaKeywords, _ place: Place) throws -> JSONValue {
        let prefix = try keywords.list("prefixItems") ?? []
        let least = try keywords.count("minItems") ?? 0
        let most = try keywords.count("maxItems") ?? .max
        let mustDiffer = try keywords.flag("uniqueItems")
        let items = keywords["items"]
        let usual = max(prefix.count, items == nil || items == .bool(false) ? 0 : 1)
        var elements: [JSONValue] = []
        while elements.count < min(max(least, usual), most) {
            let index = elements.count
            var place = place
            if mustDiffer { place.variant = index }
            do {
                elements.append(try make(index < prefix.count ? prefix[index] : items ?? .bool(true), place))
            } catch SchemaFailure.endless where index >= least {
                break  // what is there is enough
            }
        }
        return .array(elements)
    }

    /// The number nearest to 0 in the range; further variants go on from it.
    private func number(_ keywords: SchemaKeywords, _ place: Place, isInteger: Bool) throws -> JSONValue {
        let low = Bound(try keywords.number("minimum"), try keywords.number("exclusiveMinimum"), stricter: >)
        let high = Bound(try keywords.number("maximum"), try keywords.number("exclusiveMaximum"), stricter: <)
        let multiple = try keywords.multipleOf
        guard isInteger || multiple != nil else {
            return .number(Self.fraction(low, high, variant: Double(place.variant)))
        }
        // Below 1 a step still passes whole numbers, as 0.5 does; where it does not, the check says so.
        let step = isInteger ? max(multiple ?? 1, 1) : multiple ?? 1
        let first = low.map {
            $0.isOpen ? ($0.value / step).rounded(.down) + 1 : ($0.value / step).rounded(.up)
        }
        let last = high.map {
            $0.isOpen ? ($0.value / step).rounded(.up) - 1 : ($0.value / step).rounded(.down)
        }
        let variant = Double(place.variant)
        let steps: Double
        if let first, first > 0 {
            steps = first + variant
        } else if let last, last < 0 {
            steps = last - variant
        } else {
            // Up from 0 to the end, then down from 0.
            steps = variant <= last ?? .infinity ? variant : (last ?? 0) - variant
        }
        let value = steps * step
        return Int(exactly: value).map { .integer($0) } ?? .number(value)
    }

    private static func fraction(_ low: Bound?, _ high: Bound?, variant: Double) -> Double {
        switch (low, high) {
        case (let low?, let high?):
            let holdsZero = low.value < 0 && high.value > 0
            if variant == 0, holdsZero { return 0 }
            if low.value == high.value { return low.value }
            return low.value + (high.value - low.value) / (variant + 2)
        case (let low?, nil): return low.value < 0 && variant == 0 ? 0 : max(low.value, 0) + variant + 1
        case (nil, let high?): return high.value > 0 && variant == 0 ? 0 : min(high.value, 0) - variant - 1
        case (nil, nil): return variant
        }
    }

    /// One end of a range; open where the end itself is not allowed.
    private struct Bound {
        var value: Double
        var isOpen: Bool

        init?(_ closed: Double?, _ open: Double?, stricter: (Double, Double) -> Bool) {
            switch (closed, open) {
            case (let closed?, let open?) where stricter(closed, open): (value, isOpen) = (closed, false)
            case (_, let open?): (value, isOpen) = (open, true)
            case (let closed?, nil): (value, isOpen) = (closed, false)
            case (nil, nil): return nil
            }
        }
    }
}
