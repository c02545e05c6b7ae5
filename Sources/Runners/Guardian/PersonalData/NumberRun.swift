/// Groups of letters and digits that stand so close that they may be one number: apart by one to three spaces,
/// hyphens, dots, slashes or parentheses.
struct NumberRun: Sendable {
    struct Group: Sendable {
        /// Where its characters stand in ``NumberRun/characters``.
        var first: Int
        var count = 0
        var digits = 0
        var start: Int
        var end: Int
        /// What stands between it and the group before: how many characters, and which one where all are the
        /// same; 0 where they differ.
        var gap = 0
        var separator: UInt8 = 0
        /// Where a plus sign stands right before it.
        var plus: Int?

        var isNumber: Bool { digits == count }
    }

    /// Upper-case ASCII, without what separates the groups.
    var characters: [UInt8] = []
    var groups: [Group] = []
    var digits = 0

    /// Groups after which the run is looked through and only ``kept`` of them stay, so that an endless list of
    /// numbers costs the same for each.
    static let longest = 48
    /// The longest number written digit by digit has 19.
    static let kept = 20

    mutating func removeFirst(_ count: Int) {
        guard count > 0 else { return }
        let dropped = count < groups.count ? groups[count].first : characters.count
        characters.removeFirst(dropped)
        groups.removeFirst(count)
        for index in groups.indices { groups[index].first -= dropped }
        digits = groups.reduce(0) { $0 + $1.digits }
    }

    /// The groups from `first` on that have `count` characters together, where there are such; with single
    /// separators between them.
    func groups(from first: Int, together count: Int) -> Range<Int>? {
        var total = 0
        for index in first..<groups.count {
            if index > first, groups[index].gap > 1 { return nil }
            total += groups[index].count
            if total >= count { return total == count ? first..<index + 1 : nil }
        }
        return nil
    }

    func text(_ range: Range<Int>) -> ArraySlice<UInt8> {
        guard let first = range.first, let last = range.last else { return [] }
        return characters[groups[first].first..<groups[last].first + groups[last].count]
    }

    func span(_ range: Range<Int>) -> Range<Int> {
        groups[range.lowerBound].start..<groups[range.upperBound - 1].end
    }

    /// Whether the same one character separates all these groups.
    func isEvenlySeparated(_ range: Range<Int>) -> Bool {
        range.dropFirst().allSatisfy {
            groups[$0].gap == 1 && groups[$0].separator == groups[range.lowerBound + 1].separator
        }
    }

    func sizes(_ range: Range<Int>) -> [Int] { groups[range].map(\.count) }
}
