/// Tokens by their bytes, one step a byte.
struct TokenTrie: Sendable {
    /// A place in the trie, and whether a token ends there.
    struct Node {
        fileprivate let bits: UInt32

        @inline(__always)
        var isToken: Bool { bits >> 31 == 1 }
        @inline(__always)
        fileprivate var number: Int { Int(bits & 0xFF_FFFF) }
    }

    static let root = Node(bits: 0)

    private static let none = UInt32.max >> 1
    private static let tokenBit: UInt32 = 1 << 31
    /// A node's number has 24 bits.
    private static let mostNodes = 1 << 24 - 1
    /// The node of each byte that a token begins with.
    private var firsts = [UInt32](repeating: TokenTrie.none, count: 256)
    private var ids: [Int32] = [-1]
    /// Open addressing: node and byte in the high half, the child's bits in the low one; all ones where free.
    private var slots = [UInt64](repeating: .max, count: 16)
    private var edgeCount = 0

    /// Of a token that is there twice the last id counts. `false` when it is empty, or there is no more room.
    mutating func insert(_ token: some Collection<UInt8>, id: Int32) -> Bool {
        guard !token.isEmpty, ids.count + token.count < Self.mostNodes else { return false }
        var node = Self.root
        var parent = node
        var last: UInt8 = 0
        for byte in token {
            (parent, last) = (node, byte)
            node = child(of: node, byte) ?? addChild(of: node, byte)
        }
        ids[node.number] = id
        if parent.number == 0 {
            firsts[Int(last)] |= Self.tokenBit
        } else if let slot = slot(of: parent, last) {
            slots[slot] |= UInt64(Self.tokenBit)
        }
        return true
    }

    func id(of token: [UInt8]) -> Int32? {
        var node = Self.root
        for byte in token {
            guard let next = child(of: node, byte) else { return nil }
            node = next
        }
        return node.isToken ? id(at: node) : nil
    }

    /// - Precondition: a token ends at the node.
    @inline(__always)
    func id(at node: Node) -> Int32 { ids[node.number] }

    @inline(__always)
    func child(of node: Node, _ byte: UInt8) -> Node? {
        if node.number == 0 {
            let first = firsts[Int(byte)]
            return first == Self.none ? nil : Node(bits: first)
        }
        guard let slot = slot(of: node, byte) else { return nil }
        return Node(bits: UInt32(truncatingIfNeeded: slots[slot]))
    }

    @inline(__always)
    private func slot(of node: Node, _ byte: UInt8) -> Int? {
        let edge = Self.edge(node, byte)
        var slot = place(edge)
        while true {
            let found = slots[slot]
            if found >> 32 == edge { return slot }
            if found == .max { return nil }
            slot = (slot + 1) & (slots.count - 1)
        }
    }

    @inline(__always)
    private static func edge(_ node: Node, _ byte: UInt8) -> UInt64 {
        UInt64(node.number) << 8 | UInt64(byte)
    }

    @inline(__always)
    private func place(_ edge: UInt64) -> Int {
        Int((edge &* 0x9E37_79B9_7F4A_7C15) >> 20) & (slots.count - 1)
    }

    private mutating func addChild(of node: Node, _ byte: UInt8) -> Node {
        let child = Node(bits: UInt32(ids.count))
        ids.append(-1)
        if node.number == 0 {
            firsts[Int(byte)] = child.bits
            return child
        }
        edgeCount += 1
        if edgeCount * 2 > slots.count {
            let old = slots
            slots = Array(repeating: .max, count: old.count * 2)
            for entry in old where entry != .max { put(entry) }
        }
        put(Self.edge(node, byte) << 32 | UInt64(child.bits))
        return child
    }

    private mutating func put(_ entry: UInt64) {
        var slot = place(entry >> 32)
        while slots[slot] != .max { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = entry
    }
}
