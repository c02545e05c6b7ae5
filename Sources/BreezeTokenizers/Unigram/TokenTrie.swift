/// Tokens by their bytes, one step a byte.
struct TokenTrie: Sendable {
    static let root: Int32 = 0

    private static let none: Int32 = -1
    /// A child's number has 24 bits.
    private static let mostNodes = 1 << 24
    /// The node of each byte that a token begins with.
    private var firsts = [Int32](repeating: -1, count: 256)
    private var ids: [Int32] = [-1]
    /// Open addressing: node and byte in the high part, the child in the low half; all ones where free.
    private var slots = [UInt64](repeating: .max, count: 16)
    private var edgeCount = 0

    /// Of a token that is there twice the last id counts. `false` when it is empty, or there is no more room.
    mutating func insert(_ token: some Collection<UInt8>, id: Int32) -> Bool {
        guard !token.isEmpty, ids.count + token.count < Self.mostNodes else { return false }
        var node = Self.root
        for byte in token { node = child(of: node, byte) ?? addChild(of: node, byte) }
        ids[Int(node)] = id
        return true
    }

    @inline(__always)
    func id(at node: Int32) -> Int32? {
        let id = ids[Int(node)]
        return id < 0 ? nil : id
    }

    @inline(__always)
    func child(of node: Int32, _ byte: UInt8) -> Int32? {
        if node == Self.root {
            let first = firsts[Int(byte)]
            return first < 0 ? nil : first
        }
        let edge = Self.edge(node, byte)
        var slot = place(edge)
        while true {
            let found = slots[slot]
            if found == .max { return nil }
            if found >> 24 == edge { return Int32(truncatingIfNeeded: found & 0xFF_FFFF) }
            slot = (slot + 1) & (slots.count - 1)
        }
    }

    @inline(__always)
    private static func edge(_ node: Int32, _ byte: UInt8) -> UInt64 {
        UInt64(UInt32(bitPattern: node)) << 8 | UInt64(byte)
    }

    @inline(__always)
    private func place(_ edge: UInt64) -> Int {
        Int((edge &* 0x9E37_79B9_7F4A_7C15) >> 20) & (slots.count - 1)
    }

    private mutating func addChild(of node: Int32, _ byte: UInt8) -> Int32 {
        let child = Int32(ids.count)
        ids.append(Self.none)
        if node == Self.root {
            firsts[Int(byte)] = child
            return child
        }
        edgeCount += 1
        if edgeCount * 2 > slots.count {
            let old = slots
            slots = Array(repeating: .max, count: old.count * 2)
            for entry in old where entry != .max { put(entry) }
        }
        put(Self.edge(node, byte) << 24 | UInt64(child))
        return child
    }

    private mutating func put(_ entry: UInt64) {
        var slot = place(entry >> 24)
        while slots[slot] != .max { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = entry
    }
}
