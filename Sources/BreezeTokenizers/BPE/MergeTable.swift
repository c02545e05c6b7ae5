/// Which two neighbours become one token, and in which order.
struct MergeTable: Sendable {
    private struct Slot {
        var pair: UInt64 = MergeTable.free
        var merge: UInt64 = MergeTable.none
    }

    /// Answers for a pair that does not merge.
    static let none = UInt64.max
    private static let free = UInt64.max

    private var slots: [Slot]
    private var shift: UInt64
    private(set) var count = 0
    /// Differs in each table, so that no file can be made whose pairs all collide.
    private let seed = UInt64.random(in: .min ... .max) | 1

    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: Slot(), count: size)
        shift = UInt64(64 - size.trailingZeroBitCount)
    }

    /// The last rank of a pair counts.
    mutating func set(_ left: Int32, _ right: Int32, rank: UInt32, id: Int32) {
        insert(left, right, rank: rank, id: id, replaces: true)
    }

    /// The first rank of a pair counts.
    mutating func add(_ left: Int32, _ right: Int32, rank: UInt32, id: Int32) {
        insert(left, right, rank: rank, id: id, replaces: false)
    }

    private mutating func insert(_ left: Int32, _ right: Int32, rank: UInt32, id: Int32, replaces: Bool) {
        if (count + 1) * 2 > slots.count { grow() }
        let pair = Self.pair(left, right)
        var slot = place(pair)
        while slots[slot].pair != Self.free {
            if slots[slot].pair == pair {
                if replaces { slots[slot].merge = Self.merge(rank, id) }
                return
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Slot(pair: pair, merge: Self.merge(rank, id))
        count += 1
    }

    private static func merge(_ rank: UInt32, _ id: Int32) -> UInt64 {
        UInt64(rank) << 32 | UInt64(UInt32(bitPattern: id))
    }

    /// The rank in the high half and the merged id in the low one; ``none`` for a pair that does not merge.
    @inline(__always)
    func merge(_ left: Int32, _ right: Int32) -> UInt64 {
        let pair = Self.pair(left, right)
        var slot = place(pair)
        while true {
            let found = slots[slot]
            if found.pair == pair { return found.merge }
            if found.pair == Self.free { return Self.none }
            slot = (slot + 1) & (slots.count - 1)
        }
    }

    @inline(__always)
    private static func pair(_ left: Int32, _ right: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
    }

    @inline(__always)
    private func place(_ pair: UInt64) -> Int {
        let mixed = (pair ^ pair >> 29) &* seed
        return Int(truncatingIfNeeded: ((mixed ^ mixed >> 32) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        shift -= 1
        for entry in old where entry.pair != Self.free {
            var slot = place(entry.pair)
            while slots[slot].pair != Self.free { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = entry
        }
    }
}
