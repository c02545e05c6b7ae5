/// What a model puts around its thinking.
struct ThinkingTags: Equatable {
    let start: String
    let ends: [String]
    /// The prompt has opened the thinking already.
    let isOpen: Bool

    /// `nil` where the model has none. `prompt` is what the template put at the beginning of the answer.
    init?(start: String, ends: [String], after prompt: String) {
        guard !start.isEmpty, !ends.isEmpty else { return nil }
        self.start = start
        self.ends = ends
        let opened = prompt.ranges(of: start).last
        let closed = ends.compactMap { prompt.ranges(of: $0).last?.upperBound }.max()
        isOpen = opened.map { opened in closed.map { $0 <= opened.lowerBound } ?? true } ?? false
    }
}

/// Tells what a model thinks from what it answers, piece by piece. However the text is cut, the parts are the same.
struct ThinkingSplitter {
    struct Parts: Equatable {
        var reasoning = ""
        var text = ""
    }

    private enum State {
        /// The tag may yet come.
        case beginning
        case thinking
        /// Blank space between the two belongs to neither.
        case between
        case answering
    }

    private let start: [UInt8]
    private let ends: [[UInt8]]
    private var state: State
    private var held: [UInt8] = []
    /// Space before the first thought is no part of it.
    private var hasThought = false

    init(_ tags: ThinkingTags?) {
        start = Array((tags?.start ?? "").utf8)
        ends = (tags?.ends ?? []).map { Array($0.utf8) }
        state = tags.map { $0.isOpen ? .thinking : .beginning } ?? .answering
    }

    mutating func append(_ piece: String) -> Parts {
        held += piece.utf8
        return advance(isLast: false)
    }

    mutating func finish() -> Parts { advance(isLast: true) }

    private mutating func advance(isLast: Bool) -> Parts {
        var parts = Parts()
        while step(&parts, isLast: isLast) {}
        return parts
    }

    /// - Returns: Whether the state changed, so that more of what is held can be read.
    private mutating func step(_ parts: inout Parts, isLast: Bool) -> Bool {
        switch state {
        case .beginning: return begin(isLast: isLast)
        case .thinking: return think(&parts, isLast: isLast)
        case .between:
            dropSpace()
            if !held.isEmpty { state = .answering }
            return !held.isEmpty
        case .answering:
            parts.text += String(decoding: held.removePrefix(held.count), as: UTF8.self)
            return false
        }
    }

    private mutating func begin(isLast: Bool) -> Bool {
        let text = held.drop(while: \.isSpace)
        if text.starts(with: start) {
            held = Array(text.dropFirst(start.count))
            state = .thinking
        } else if isLast || !start.starts(with: text) {
            state = .answering
        } else {
            return false
        }
        return true
    }

    private mutating func think(_ parts: inout Parts, isLast: Bool) -> Bool {
        if !hasThought { dropSpace() }
        let end = held.earliest(of: ends)
        let settled = end?.lowerBound ?? held.count - (isLast ? 0 : held.beginning(of: ends))
        // Space at the end goes with the words that follow it, or with nothing.
        let words = held[..<settled].lastIndex { !$0.isSpace }.map { $0 + 1 } ?? 0
        if words > 0 { hasThought = true }
        parts.reasoning += String(decoding: held[..<words], as: UTF8.self)
        held.removeFirst(end?.upperBound ?? words)
        if end != nil { state = .between }
        return end != nil
    }

    private mutating func dropSpace() { held.removeFirst(held.prefix(while: \.isSpace).count) }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}
