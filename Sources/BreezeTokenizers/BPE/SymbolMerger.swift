/// Merges the symbols of one word, lowest rank first and of equal ones the leftmost.
///
/// A short word is looked through for each merge. A long one has a heap: n symbols take n log n steps.
struct SymbolMerger: Sendable {
    /// What stands for a character that no token and no merge knows.
    static let unknown: Int32 = -1
    private static let shortWord = 40

    /// The symbols, before ``merge(_:)`` and after.
    var ids: [Int32] = []
    /// Bytes of each symbol.
    var lengths: [Int32] = []
    /// Steps taken so far: the measure of work that the linearity test reads.
    private(set) var work = 0

    private var merges: [UInt64] = []
    private var next: [Int32] = []
    private var previous: [Int32] = []
    private var heap: [UInt64] = []

    mutating func removeAll() {
        ids.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    mutating func append(_ id: Int32, length: Int) {
        ids.append(id)
        lengths.append(Int32(truncatingIfNeeded: length))
    }

    mutating func merge(_ table: MergeTable) {
        guard ids.count > 1 else { return }
        merges.removeAll(keepingCapacity: true)
        for index in 0..<ids.count - 1 { merges.append(table.merge(ids[index], ids[index + 1])) }
        work += ids.count
        if ids.count <= Self.shortWord { mergeShort(table) } else { mergeLong(table) }
    }

    private mutating func mergeShort(_ table: MergeTable) {
        var count = ids.count
        while count > 1 {
            var best = 0
            var lowest = merges[0] >> 32
            for index in 1..<max(count - 1, 1) where merges[index] >> 32 < lowest {
                lowest = merges[index] >> 32
                best = index
            }
            work += count
            guard merges[best] != MergeTable.none else { break }
            ids[best] = Int32(truncatingIfNeeded: merges[best])
            lengths[best] += lengths[best + 1]
            count -= 1
            if best + 1 < count {
                for index in best + 1..<count {
                    ids[index] = ids[index + 1]
                    lengths[index] = lengths[index + 1]
                    merges[index - 1] = merges[index]
                }
                merges[best] = table.merge(ids[best], ids[best + 1])
            }
            if best > 0 { merges[best - 1] = table.merge(ids[best - 1], ids[best]) }
        }
        ids.removeLast(ids.count - count)
        lengths.removeLast(lengths.count - count)
    }

    private mutating func mergeLong(_ table: MergeTable) {
        let count = ids.count
        merges.append(MergeTable.none)
        next = (0..<count).map { Int32($0 + 1) }
        previous = (0..<count).map { Int32($0 - 1) }
        heap.removeAll(keepingCapacity: true)
        for index in 0..<count where merges[index] != MergeTable.none { push(index) }
        while let entry = pop() {
            let index = Int(entry & 0xFFFF_FFFF)
            // Out of date: a neighbour was merged since, or the symbol itself.
            guard lengths[index] > 0, merges[index] != MergeTable.none, merges[index] >> 32 == entry >> 32
            else {
                continue
            }
            let right = Int(next[index])
            ids[index] = Int32(truncatingIfNeeded: merges[index])
            lengths[index] += lengths[right]
            lengths[right] = 0
            next[index] = next[right]
            if Int(next[index]) < count {
                previous[Int(next[index])] = Int32(index)
                merges[index] = table.merge(ids[index], ids[Int(next[index])])
                if merges[index] != MergeTable.none { push(index) }
            } else {
                merges[index] = MergeTable.none
            }
            let before = Int(previous[index])
            if before >= 0 {
                merges[before] = table.merge(ids[before], ids[index])
                if merges[before] != MergeTable.none { push(before) }
            }
        }
        var kept = 0
        for index in 0..<count where lengths[index] > 0 {
            ids[kept] = ids[index]
            lengths[kept] = lengths[index]
            kept += 1
        }
        ids.removeLast(count - kept)
        lengths.removeLast(count - kept)
    }

    private mutating func push(_ index: Int) {
        heap.append((merges[index] & ~0xFFFF_FFFF) | UInt64(index))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            work += 1
            guard heap[child] < heap[parent] else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func pop() -> UInt64? {
        guard let top = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return top }
        heap[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            work += 1
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < heap[parent] else { break }
            heap.swapAt(child, parent)
            parent = child
        }
        return top
    }
}
