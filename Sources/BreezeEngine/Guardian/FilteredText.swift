import BreezeCore

/// A text on its way out, less what was taken out of it. Positions count UTF-8 bytes from its start.
struct FilteredText: Sendable {
    private struct Removal {
        var range: Range<Int>
        var category: String
        /// Its marker has gone out.
        var isShown = false
    }

    /// The text from ``released`` on, as it came.
    private var held = ""
    private(set) var released = 0
    private(set) var length = 0
    /// In order; none overlap.
    private var removals: [Removal] = []

    var isChanged: Bool { !removals.isEmpty }

    mutating func append(_ piece: String) {
        held += piece
        length += piece.utf8.count
    }

    /// - Returns: Whether it never goes out; not so where the last of it went out before.
    mutating func remove(_ range: Range<Int>, as category: String) -> Bool {
        var removal = Removal(range: range.clamped(to: 0..<length), category: category)
        guard !removal.range.isEmpty else { return false }
        let first = removals.firstIndex { $0.range.upperBound > removal.range.lowerBound } ?? removals.count
        let overlapping = removals[first...].prefix { $0.range.lowerBound < removal.range.upperBound }
        if overlapping.contains(where: { $0.range.contains(removal.range) }) { return true }
        guard removal.range.upperBound > released else { return false }
        for other in overlapping {
            // The first one names it, so that the order in which they are found makes no difference.
            if (other.range.lowerBound, other.category) < (removal.range.lowerBound, removal.category) {
                removal.category = other.category
            }
            removal.range =
                min(
                    removal.range.lowerBound,
                    other.range.lowerBound
                )..<max(
                    removal.range.upperBound,
                    other.range.upperBound
                )
            removal.isShown = removal.isShown || other.isShown
        }
        removals.replaceSubrange(overlapping.startIndex..<overlapping.endIndex, with: [removal])
        return true
    }

    /// What goes out of the text before `position`. The cut is moved back where it would go through a
    /// character.
    mutating func release(upTo position: Int) -> String {
        let end = cut(before: position)
        guard end > released else { return "" }
        guard let last = removals.last, last.range.upperBound > released else { return take(upTo: end) }
        var text = ""
        for index in removals.indices where removals[index].range.upperBound > released {
            let range = removals[index].range
            guard range.lowerBound < end else { break }
            text += take(upTo: range.lowerBound)
            if !removals[index].isShown {
                text += "[removed: \(removals[index].category)]"
                removals[index].isShown = true
            }
            _ = take(upTo: min(range.upperBound, end))
        }
        return text + take(upTo: end)
    }

    private mutating func take(upTo position: Int) -> String {
        guard position > released else { return "" }
        let index = held.utf8.index(held.startIndex, offsetBy: position - released)
        defer {
            held = String(held[index...])
            released = position
        }
        return String(held[..<index])
    }

    /// Whether two characters of ASCII meet there, which are one in a CR LF alone.
    private func isBetweenPlainLetters(_ index: String.Index) -> Bool {
        let next = held.utf8[index]
        return next < 0x80 && next != 0x0A && held.utf8[held.utf8.index(before: index)] < 0x80
    }

    private func cut(before position: Int) -> Int {
        guard position < length else { return length }
        guard position > released else { return released }
        var index = held.utf8.index(held.startIndex, offsetBy: position - released)
        if isBetweenPlainLetters(index) { return position }
        // A character may be of any length; one longer than this is cut between its scalars.
        for _ in 0..<64 where index > held.startIndex {
            if index.samePosition(in: held) != nil { break }
            index = held.utf8.index(before: index)
        }
        if index.samePosition(in: held) == nil {
            index = held.utf8.index(held.startIndex, offsetBy: position - released)
            while index.samePosition(in: held.unicodeScalars) == nil {
                index = held.utf8.index(before: index)
            }
        }
        return released + held.utf8.distance(from: held.startIndex, to: index)
    }
}

extension Range<Int> {
    fileprivate func contains(_ other: Range<Int>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
