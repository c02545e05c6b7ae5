/// From ids back to text.
struct TokenDecoder: Sendable {
    var vocabulary: Vocabulary
    var steps: [DecodingStep]
    /// What stands between tokens where there are no steps.
    var separator: [UInt8] = []
    /// Ids that are text of their own, whatever the steps say: SentencePiece's unknown token is " ⁇ ".
    var overrides: [Int32: [UInt8]] = [:]

    func decode(_ ids: some Sequence<Int32>, skipsSpecial: Bool) -> String {
        var tokens = ids.compactMap { token($0, skipsSpecial: skipsSpecial) }
        if steps.isEmpty {
            return String(decoding: Array(tokens.joined(separator: separator)), as: UTF8.self)
        }
        for step in steps { tokens = step.apply(tokens) }
        return String(decoding: Array(tokens.joined()), as: UTF8.self)
    }

    func token(_ id: Int32, skipsSpecial: Bool) -> [UInt8]? {
        guard !skipsSpecial || !vocabulary.isSpecial(id) else { return nil }
        return overrides[id] ?? vocabulary.token(id)
    }
}
