/// Messages by their ids, or all but these.
struct MessageSet: Sendable {
    private var words: [UInt64] = []
    /// Whether those that are not in ``words`` are meant.
    private(set) var isInverted = false

    init() {}

    /// Of the ids below `count` those that are meant.
    init(count: Int, where isMeant: (Int) -> Bool) {
        words = stride(from: 0, to: count, by: 64).map { first in
            var word: UInt64 = 0
            for bit in 0..<min(64, count - first) where isMeant(first + bit) { word |= 1 << UInt64(bit) }
            return word
        }
    }

    static let none = MessageSet()
    static var all: MessageSet { MessageSet.none.inverted }

    mutating func insert(_ id: Int64) {
        guard id >= 0 else { return }
        let word = Int(id >> 6)
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= 1 << UInt64(id & 63)
    }

    func contains(_ id: Int64) -> Bool {
        let word = Int(id >> 6)
        let isThere = id >= 0 && word < words.count && words[word] >> UInt64(id & 63) & 1 == 1
        return isThere != isInverted
    }

    /// `nil` where it is nearly all.
    var count: Int? { isInverted ? nil : words.reduce(0) { $0 + $1.nonzeroBitCount } }

    var inverted: MessageSet {
        var set = self
        set.isInverted.toggle()
        return set
    }

    func intersection(_ other: MessageSet) -> MessageSet {
        switch (isInverted, other.isInverted) {
        case (false, false): combined(other) { $0 & $1 }
        case (false, true): combined(other) { $0 & ~$1 }
        case (true, false): other.combined(self) { $0 & ~$1 }
        case (true, true): combined(other) { $0 | $1 }.inverted
        }
    }

    func union(_ other: MessageSet) -> MessageSet { inverted.intersection(other.inverted).inverted }

    func subtracting(_ other: MessageSet) -> MessageSet { intersection(other.inverted) }

    /// By their words, as if neither were inverted.
    private func combined(_ other: MessageSet, _ operation: (UInt64, UInt64) -> UInt64) -> MessageSet {
        var set = MessageSet()
        set.words = (0..<max(words.count, other.words.count)).map { at in
            operation(at < words.count ? words[at] : 0, at < other.words.count ? other.words[at] : 0)
        }
        return set
    }
}
