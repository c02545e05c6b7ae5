/// Cuts text where a pattern matches.
struct PieceSplitter: Sendable {
    /// What becomes of the matches (`SplitDelimiterBehavior` of Hugging Face's `tokenizers`).
    enum Behavior: String, Sendable {
        case removed = "Removed"
        case isolated = "Isolated"
        case mergedWithPrevious = "MergedWithPrevious"
        case mergedWithNext = "MergedWithNext"
        case contiguous = "Contiguous"
    }

    enum Delimiter: Sendable {
        case pattern(PatternMatcher)
        /// These bytes, not overlapping.
        case text([UInt8])
        /// Runs of digits in groups of three from the right: `1`, `234`, `567`.
        case digitGroups
    }

    let delimiter: Delimiter
    var behavior = Behavior.isolated
    /// What does not match is the delimiter.
    var isInverted = false

    func split(
        _ text: [UInt8],
        _ pieces: [Range<Int>],
        _ memory: inout PatternMatcher.Memory
    ) -> [Range<Int>] {
        var output = PieceCollector(behavior: behavior, capacity: max(pieces.count, text.count / 4))
        for piece in pieces {
            switch delimiter {
            case .pattern(let matcher): split(text, piece, matcher, &memory, &output)
            case .text(let bytes): split(text, piece, bytes, &memory, &output)
            case .digitGroups: Self.groupDigits(text, piece, &memory, &output)
            }
            output.endPiece()
        }
        return output.pieces
    }

    private func split(
        _ text: [UInt8],
        _ piece: Range<Int>,
        _ matcher: PatternMatcher,
        _ memory: inout PatternMatcher.Memory,
        _ output: inout PieceCollector
    ) {
        var gap = piece.lowerBound
        var position = piece.lowerBound
        while position < piece.upperBound {
            if let end = matcher.match(in: text, from: position, to: piece.upperBound, &memory) {
                if gap < position { output.add(gap..<position, isMatch: isInverted) }
                output.add(position..<end, isMatch: !isInverted)
                position = end
                gap = end
            } else {
                position += UTF8Decoding.length(text[position])
            }
        }
        if gap < position { output.add(gap..<position, isMatch: isInverted) }
    }

    private func split(
        _ text: [UInt8],
        _ piece: Range<Int>,
        _ wanted: [UInt8],
        _ memory: inout PatternMatcher.Memory,
        _ output: inout PieceCollector
    ) {
        var gap = piece.lowerBound
        var position = piece.lowerBound
        while position + wanted.count <= piece.upperBound {
            if text[position] == wanted[0], text[position..<position + wanted.count].elementsEqual(wanted) {
                if gap < position { output.add(gap..<position, isMatch: isInverted) }
                position += wanted.count
                output.add(position - wanted.count..<position, isMatch: !isInverted)
                gap = position
            } else {
                position += 1
            }
        }
        if gap < piece.upperBound { output.add(gap..<piece.upperBound, isMatch: isInverted) }
    }

    /// What `\d{1,3}(?=(?:\d{3})*\b)` is for, in one pass.
    private static func groupDigits(
        _ text: [UInt8],
        _ piece: Range<Int>,
        _ memory: inout PatternMatcher.Memory,
        _ output: inout PieceCollector
    ) {
        var gap = piece.lowerBound
        var position = piece.lowerBound
        while position < piece.upperBound {
            var starts: [Int] = []
            var end = position
            while end < piece.upperBound {
                let scalar = UTF8Decoding.scalar(in: text, at: end)
                guard isDigit(scalar.value) else { break }
                starts.append(end)
                end += scalar.length
            }
            guard !starts.isEmpty else {
                position += UTF8Decoding.length(text[position])
                continue
            }
            if gap < position { output.add(gap..<position, isMatch: false) }
            var index = 0
            while index < starts.count {
                let next = index + ((starts.count - index - 1) % 3 + 1)
                output.add(starts[index]..<(next < starts.count ? starts[next] : end), isMatch: true)
                index = next
            }
            position = end
            gap = end
        }
        if gap < position { output.add(gap..<position, isMatch: false) }
    }

    private static func isDigit(_ value: UInt32) -> Bool {
        value < 0x80 ? (0x30...0x39).contains(value) : UnicodeSets.number.contains(value)
    }
}

/// Puts matches and what lies between them together as a behaviour asks.
private struct PieceCollector {
    private(set) var pieces: [Range<Int>] = []
    private let behavior: PieceSplitter.Behavior
    private var last: (range: Range<Int>, isMatch: Bool)?

    init(behavior: PieceSplitter.Behavior, capacity: Int) {
        self.behavior = behavior
        pieces.reserveCapacity(capacity)
    }

    @inline(__always)
    mutating func add(_ range: Range<Int>, isMatch: Bool) {
        switch behavior {
        case .isolated: pieces.append(range)
        case .removed: if !isMatch { pieces.append(range) }
        case .contiguous: hold(range, isMatch, joins: last?.isMatch == isMatch)
        case .mergedWithPrevious: hold(range, isMatch, joins: isMatch && last?.isMatch == false)
        case .mergedWithNext: hold(range, isMatch, joins: !isMatch && last?.isMatch == true)
        }
    }

    private mutating func hold(_ range: Range<Int>, _ isMatch: Bool, joins: Bool) {
        if joins, let held = last {
            last = (held.range.lowerBound..<range.upperBound, isMatch)
        } else {
            if let held = last { pieces.append(held.range) }
            last = (range, isMatch)
        }
    }

    mutating func endPiece() {
        if let held = last { pieces.append(held.range) }
        last = nil
    }
}
