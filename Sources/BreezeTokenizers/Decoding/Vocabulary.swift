/// The text of each id, and what is special about it.
struct Vocabulary: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [UInt32] = []
    private(set) var specialIDs: Set<Int32> = []

    var count: Int { ends.count }

    init(_ tokens: some Collection<[UInt8]>, special: Set<Int32> = []) {
        ends.reserveCapacity(tokens.count)
        for token in tokens {
            bytes += token
            ends.append(UInt32(truncatingIfNeeded: bytes.count))
        }
        specialIDs = special
    }

    /// The token as the file has it; `nil` for an id that there is not.
    func token(_ id: Int32) -> [UInt8]? {
        guard id >= 0, Int(id) < ends.count else { return nil }
        let start = id == 0 ? 0 : Int(ends[Int(id) - 1])
        return Array(bytes[start..<Int(ends[Int(id)])])
    }

    func isSpecial(_ id: Int32) -> Bool { specialIDs.contains(id) }
}
