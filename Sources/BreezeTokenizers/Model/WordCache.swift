import Synchronization

/// What frequent short words were encoded to. Bounded: a word takes the place of another one.
struct WordCache: Sendable {
    private static let longestWord = 15
    private static let mostIDs = 6
    private static let slotCount = 1 << 15

    private struct Slot {
        /// The word's bytes, and in the highest byte its length and where it stands, which is never 0.
        var low: UInt64 = 0
        var high: UInt64 = 0
        var count: Int32 = 0
        /// See ``WordCache/keep(_:_:within:)``.
        var reach: Float = 0
        var ids: (Int32, Int32, Int32, Int32, Int32, Int32) = (0, 0, 0, 0, 0, 0)
    }

    /// What a word's ids may depend on, beside its bytes.
    enum Position: UInt64 {
        case alone = 0
        case inText = 0x40
    }

    struct Key {
        fileprivate let low: UInt64
        fileprivate let high: UInt64
        fileprivate let slot: Int
    }

    private var slots: [Slot] = []
    /// Differs in each cache, so that no text can be made whose words all collide.
    private let seed = UInt64.random(in: .min ... .max) | 1

    /// `nil` for a word that is too long to be kept. A visible space at its beginning is not counted.
    @inline(__always)
    func key(_ text: [UInt8], _ word: Range<Int>, _ position: Position = .alone) -> Key? {
        var range = word
        var mark = position.rawValue
        if word.count > 2, WordCut.isSpace(text, word.lowerBound, word.upperBound) {
            range = word.lowerBound + 3..<word.upperBound
            mark |= 0x80
        }
        let count = range.count
        guard count <= Self.longestWord else { return nil }
        var low: UInt64 = 0
        var high: UInt64 = 0
        if range.lowerBound + 16 <= text.count {
            (low, high) = text.withUnsafeBytes { raw in
                (
                    UInt64(
                        littleEndian: raw.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
                    ),
                    UInt64(
                        littleEndian: raw.loadUnaligned(fromByteOffset: range.lowerBound + 8, as: UInt64.self)
                    )
                )
            }
            if count < 8 {
                low &= 1 << UInt64(8 * count) - 1
                high = 0
            } else {
                high &= 1 << UInt64(8 * (count - 8)) - 1
            }
        } else {
            for offset in 0..<count {
                let byte = UInt64(text[range.lowerBound + offset])
                if offset < 8 {
                    low |= byte << UInt64(8 * offset)
                } else {
                    high |= byte << UInt64(8 * offset - 64)
                }
            }
        }
        high |= (UInt64(count) | mark) << 56
        let mixed = (low ^ (high &* 0xFF51_AFD7_ED55_8CCD)) &* seed
        let slot = Int(truncatingIfNeeded: ((mixed ^ mixed >> 32) &* 0x9E37_79B9_7F4A_7C15) >> 49)
        return Key(low: low, high: high, slot: slot)
    }

    func holds(_ key: Key) -> Bool {
        !slots.isEmpty && slots[key.slot].low == key.low && slots[key.slot].high == key.high
    }

    /// Appends the word's ids; `false` where it is not kept, or does not reach as far as `distance`.
    @inline(__always)
    func append(_ key: Key, within distance: Float = 0, to ids: inout [Int32]) -> Bool {
        guard !slots.isEmpty else { return false }
        let slot = slots[key.slot]
        guard slot.low == key.low, slot.high == key.high, distance <= slot.reach else { return false }
        ids.append(slot.ids.0)
        guard slot.count > 1 else { return true }
        ids.append(slot.ids.1)
        if slot.count > 2 { ids.append(slot.ids.2) }
        if slot.count > 3 { ids.append(slot.ids.3) }
        if slot.count > 4 { ids.append(slot.ids.4) }
        if slot.count > 5 { ids.append(slot.ids.5) }
        return true
    }

    /// `reach` is how far from the text's beginning the ids hold, in the caller's own measure; below 0 nowhere,
    /// which is worth knowing, too.
    mutating func keep(_ key: Key, _ ids: ArraySlice<Int32>, within reach: Float = .infinity) {
        guard (1...Self.mostIDs).contains(ids.count) else { return }
        if slots.isEmpty { slots = Array(repeating: Slot(), count: Self.slotCount) }
        func id(_ index: Int) -> Int32 { index < ids.count ? ids[ids.startIndex + index] : 0 }
        slots[key.slot] = Slot(
            low: key.low,
            high: key.high,
            count: Int32(ids.count),
            reach: reach,
            ids: (id(0), id(1), id(2), id(3), id(4), id(5))
        )
    }
}

/// Lends a tokenizer's cache to one encoder at a time; another one that runs beside it begins an empty one.
final class WordCacheLender: Sendable {
    private let stored = Mutex<WordCache?>(WordCache())

    func take() -> WordCache {
        stored.withLock { cache in
            defer { cache = nil }
            return cache ?? WordCache()
        }
    }

    func give(back cache: consuming WordCache) {
        stored.withLock { [cache] in $0 = cache }
    }
}
