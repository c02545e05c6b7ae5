/// Divides normalised text into the pieces that a model encodes one by one.
struct PreTokenizer: Sendable {
    enum Step: Sendable {
        case split(PieceSplitter)
        case prefixSpace
        case metaspace(Metaspace)
    }

    /// Spaces become a visible character, and a text begins with one.
    struct Metaspace: Sendable {
        enum Scheme: Sendable {
            case always
            /// At the beginning of the raw text alone.
            case first
            case never
        }

        var replacement = Array("\u{2581}".utf8)
        var scheme = Scheme.always
        /// Every replaced space begins a piece.
        var splits = true
    }

    var steps: [Step] = []

    /// The text may be rewritten; the pieces are ranges of what it is then.
    func split(
        _ text: WorkingText,
        _ memory: inout PatternMatcher.Memory
    ) -> (text: WorkingText, pieces: [Range<Int>]) {
        var text = text
        var pieces = text.bytes.isEmpty ? [] : [0..<text.bytes.count]
        for step in steps {
            switch step {
            case .split(let splitter): pieces = splitter.split(text.bytes, pieces, &memory)
            case .prefixSpace: (text, pieces) = Self.prefixSpaces(text, pieces)
            case .metaspace(let metaspace): (text, pieces) = metaspace.apply(text, pieces, &memory)
            }
        }
        return (text, pieces)
    }

    private static func prefixSpaces(_ text: WorkingText, _ pieces: [Range<Int>]) -> (
        WorkingText, [Range<Int>]
    ) {
        guard pieces.contains(where: { text.bytes[$0.lowerBound] != 0x20 }) else { return (text, pieces) }
        return rewrite(text, pieces) { rewriter, piece in
            if text.bytes[piece.lowerBound] != 0x20 {
                rewriter.replace(piece.lowerBound..<piece.lowerBound, with: CollectionOfOne(0x20))
            }
            rewriter.keep(piece)
        }
    }

    fileprivate static func rewrite(
        _ text: WorkingText,
        _ pieces: [Range<Int>],
        _ body: (inout WorkingText.Rewriter, Range<Int>) -> Void
    ) -> (WorkingText, [Range<Int>]) {
        var moved: [Range<Int>] = []
        moved.reserveCapacity(pieces.count)
        let rewritten = text.rewritten { rewriter in
            for piece in pieces {
                let start = rewriter.bytes.count
                body(&rewriter, piece)
                if rewriter.bytes.count > start { moved.append(start..<rewriter.bytes.count) }
            }
        }
        return (rewritten, moved)
    }
}

extension PreTokenizer.Metaspace {
    fileprivate func apply(
        _ text: WorkingText,
        _ pieces: [Range<Int>],
        _ memory: inout PatternMatcher.Memory
    ) -> (WorkingText, [Range<Int>]) {
        let rewritten = PreTokenizer.rewrite(text, pieces) { rewriter, piece in
            let bytes = rewriter.source.bytes
            let isFirst = text.isFirst && piece.lowerBound == 0
            let begins = bytes[piece].starts(with: replacement) || bytes[piece.lowerBound] == 0x20
            if !begins, scheme == .always || (scheme == .first && isFirst) {
                rewriter.replace(piece.lowerBound..<piece.lowerBound, with: replacement)
            }
            var kept = piece.lowerBound
            for position in piece where bytes[position] == 0x20 {
                if kept < position { rewriter.keep(kept..<position) }
                rewriter.replace(position..<position + 1, with: replacement)
                kept = position + 1
            }
            if kept < piece.upperBound { rewriter.keep(kept..<piece.upperBound) }
        }
        guard splits else { return rewritten }
        let splitter = PieceSplitter(delimiter: .text(replacement), behavior: .mergedWithNext)
        return (rewritten.0, splitter.split(rewritten.0.bytes, rewritten.1, &memory))
    }
}
