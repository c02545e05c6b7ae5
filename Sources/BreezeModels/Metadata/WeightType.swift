/// Names the element type of a graph's weights, of which some may be quantised and others not.
enum WeightType {
    /// Scales, zero points and indices do not make a model a quantised one.
    private static let leastShare = 16

    /// The type that most bytes have; but where an integer of at most 8 bits has a sixteenth of them, that
    /// one: embedding tables often stay as they were, and take the most space for it.
    static func main(_ bytes: [Int: Int], name: (Int) -> String?) -> String? {
        let total = bytes.values.reduce(0) { $0.addingOrMost($1) }
        let quantised = bytes.filter { number, count in
            Self.quantised.contains(name(number) ?? "") && count >= total / leastShare
        }
        // By number where two are equal, so that the answer does not change from run to run.
        let most = (quantised.isEmpty ? bytes : quantised).max { ($0.value, $1.key) < ($1.value, $0.key) }
        return most.flatMap { name($0.key) }
    }

    private static let quantised: Set<String> = ["int8", "uint8", "int4", "uint4", "int2", "uint2"]
}
