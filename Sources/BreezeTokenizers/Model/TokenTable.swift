/// Token bytes → id, in one block of memory, with the question a greedy tokenizer asks: which is the longest
/// token that this text begins with?
struct TokenTable: Sendable {
    /// Length in bytes of the longest token.
    private(set) var longest = 0
    private(set) var count = 0
    private var bytes: [UInt8] = []
    /// Where the bytes of each token end; they begin where the previous token's end.
    private var ends: [UInt32] = [0]
    private var ids: [Int32] = []
    private var firsts = [Bool](repeating: false, count: 256)
    /// Open addressing: hash in the high half, token number + 1 in the low half, 0 where free.
    private var slots: [UInt64]
    /// Differs in each table, so that no file can be made whose tokens all collide.
    private let seed = UInt64.random(in: .min ... .max)

    init(capacity: Int = 0) {
        slots = Array(repeating: 0, count: Self.slotCount(for: capacity))
    }

    /// Whether a token begins with the byte.
    func begins(with byte: UInt8) -> Bool { firsts[Int(byte)] }

    /// Adds a token of at least one byte; `false` when it is already there.
    mutating func insert(_ token: some Collection<UInt8>, id: Int32) -> Bool {
        if (count + 1) * 2 > slots.count { grow() }
        var hash = seed
        for byte in token { hash = Self.step(hash, byte) }
        let start = bytes.count
        bytes += token
        guard find(Self.finish(hash), bytes, start..<bytes.count) == nil else {
            bytes.removeLast(bytes.count - start)
            return false
        }
        count += 1
        firsts[Int(bytes[start])] = true
        longest = max(longest, bytes.count - start)
        ends.append(UInt32(bytes.count))
        ids.append(id)
        place(Self.finish(hash), count)
        return true
    }

    /// The id of exactly these bytes.
    func id(of token: some Collection<UInt8>) -> Int32? {
        let token = Array(token)
        var hash = seed
        for byte in token { hash = Self.step(hash, byte) }
        return find(Self.finish(hash), token, 0..<token.count)
    }

    /// The id of exactly this part of `text`.
    func id(in text: [UInt8], _ range: Range<Int>) -> Int32? {
        guard range.count <= longest else { return nil }
        var hash = seed
        for position in range { hash = Self.step(hash, text[position]) }
        return find(Self.finish(hash), text, range)
    }

    /// The longest token that `text` has at `start`, before `end`.
    /// `hashes` is scratch memory, reused between calls; it ends with one hash for each byte looked at.
    func longestPrefix(
        of text: [UInt8],
        from start: Int,
        to end: Int,
        hashes: inout [UInt64]
    ) -> (id: Int32, end: Int)? {
        let end = min(end, start + longest)
        hashes.removeAll(keepingCapacity: true)
        var hash = seed
        for position in start..<end {
            hash = Self.step(hash, text[position])
            hashes.append(hash)
        }
        var position = end
        while position > start {
            if let id = find(Self.finish(hashes[position - start - 1]), text, start..<position) {
                return (id, position)
            }
            position -= 1
        }
        return nil
    }

    @inline(__always)
    private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15 ^ (hash >> 29)
    }

    @inline(__always)
    private static func finish(_ hash: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: (hash ^ (hash >> 31)) &* 0xBF58_476D_1CE4_E5B9 >> 32)
    }

    @inline(__always)
    private func find(_ hash: UInt32, _ text: [UInt8], _ range: Range<Int>) -> Int32? {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            if UInt32(slots[slot] >> 32) == hash {
                let number = Int(UInt32(truncatingIfNeeded: slots[slot])) - 1
                if equals(number, text, range) { return ids[number] }
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func equals(_ number: Int, _ text: [UInt8], _ range: Range<Int>) -> Bool {
        let start = Int(ends[number])
        guard Int(ends[number + 1]) - start == range.count else { return false }
        var offset = 0
        while offset < range.count {
            if bytes[start + offset] != text[range.lowerBound + offset] { return false }
            offset += 1
        }
        return true
    }

    private mutating func place(_ hash: UInt32, _ number: Int) {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = UInt64(hash) << 32 | UInt64(number)
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: Self.slotCount(for: count * 2))
        for slot in old where slot != 0 {
            place(UInt32(slot >> 32), Int(UInt32(truncatingIfNeeded: slot)))
        }
    }

    /// A power of two that leaves at least half of the slots free.
    private static func slotCount(for capacity: Int) -> Int {
        var count = 16
        while count < capacity * 2 { count *= 2 }
        return count
    }
}
