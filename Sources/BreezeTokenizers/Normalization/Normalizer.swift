import Foundation

/// What is done to a text before it is divided.
struct Normalizer: Sendable {
    enum Step: Sendable {
        case compose(compatibility: Bool)
        case decompose(compatibility: Bool)
        case lowercase
        case strip(left: Bool, right: Bool)
        case stripAccents
        case removeControls
        case prepend([UInt8])
        case replace(PieceSplitter.Delimiter, with: [UInt8])
        case precompiled(CharacterMap)
        case sentencePiece(SentencePieceNormalizer)
    }

    var steps: [Step] = []

    func apply(_ text: WorkingText, _ memory: inout PatternMatcher.Memory) -> WorkingText {
        var text = text
        for step in steps { Self.apply(step, to: &text, &memory) }
        return text
    }

    private static func apply(_ step: Step, to text: inout WorkingText, _ memory: inout PatternMatcher.Memory)
    {
        switch step {
        case .compose(let compatibility): text = UnicodeForms.composed(text, compatibility: compatibility)
        case .decompose(let compatibility): text = UnicodeForms.decomposed(text, compatibility: compatibility)
        case .lowercase: text = lowercased(text)
        case .strip(let left, let right): text = stripped(text, left: left, right: right)
        case .stripAccents:
            text = mapped(text) { UnicodeSets.oldMark.contains($0.value) ? [] : nil }
        case .removeControls: text = mapped(text, nmt)
        case .prepend(let bytes):
            guard !text.bytes.isEmpty else { return }
            let count = text.bytes.count
            text = text.rewritten { rewriter in
                rewriter.replace(0..<0, with: bytes)
                rewriter.keep(0..<count)
            }
        case .replace(let delimiter, let bytes): text = replaced(text, delimiter, with: bytes, &memory)
        case .precompiled(let map): text = map.apply(to: text)
        case .sentencePiece(let normalizer): text = normalizer.apply(to: text)
        }
    }

    private static func replaced(
        _ text: WorkingText,
        _ delimiter: PieceSplitter.Delimiter,
        with bytes: [UInt8],
        _ memory: inout PatternMatcher.Memory
    ) -> WorkingText {
        if case .text(let wanted) = delimiter, wanted.count == 1, !text.bytes.contains(wanted[0]) {
            return text
        }
        var matches: [Range<Int>] = []
        let whole = [0..<text.bytes.count]
        // What is removed from everything else is the matches.
        let splitter = PieceSplitter(delimiter: delimiter, behavior: .removed, isInverted: true)
        matches = splitter.split(text.bytes, whole, &memory)
        guard !matches.isEmpty else { return text }
        return text.rewritten { rewriter in
            var kept = 0
            for match in matches {
                if kept < match.lowerBound { rewriter.keep(kept..<match.lowerBound) }
                rewriter.replace(match, with: bytes)
                kept = match.upperBound
            }
            if kept < whole[0].upperBound { rewriter.keep(kept..<whole[0].upperBound) }
        }
    }

    private static func lowercased(_ text: WorkingText) -> WorkingText {
        mapped(text) { scalar in
            if scalar.value < 0x80 {
                guard (0x41...0x5A).contains(scalar.value) else { return nil }
                return [UInt8(truncatingIfNeeded: scalar.value) | 0x20]
            }
            let mapping = scalar.properties.lowercaseMapping
            return mapping.unicodeScalars.first == scalar ? nil : Array(mapping.utf8)
        }
    }

    /// Each scalar by itself; `nil` leaves it as it is.
    static func mapped(_ text: WorkingText, _ map: (Unicode.Scalar) -> [UInt8]?) -> WorkingText {
        text.rewritten { rewriter in
            let bytes = rewriter.source.bytes
            var position = 0
            while position < bytes.count {
                let (value, length) = UTF8Decoding.scalar(in: bytes, at: position)
                let range = position..<position + length
                if let scalar = Unicode.Scalar(value), let new = map(scalar) {
                    rewriter.replace(range, with: new)
                } else {
                    rewriter.keep(range)
                }
                position += length
            }
        }
    }

    private static func stripped(_ text: WorkingText, left: Bool, right: Bool) -> WorkingText {
        let bytes = text.bytes
        var start = 0
        var end = bytes.count
        while left, start < end {
            let (value, length) = UTF8Decoding.scalar(in: bytes, at: start)
            guard UnicodeSets.whitespace.contains(value) else { break }
            start += length
        }
        while right, end > start {
            var before = end - 1
            while before > start, bytes[before] & 0xC0 == 0x80 { before -= 1 }
            guard UnicodeSets.whitespace.contains(UTF8Decoding.scalar(in: bytes, at: before).value) else {
                break
            }
            end = before
        }
        guard start > 0 || end < bytes.count else { return text }
        return text.rewritten { $0.keep(start..<end) }
    }

    /// The `Nmt` normaliser: controls dropped, other white space made a plain space.
    private static func nmt(_ scalar: Unicode.Scalar) -> [UInt8]? {
        switch scalar.value {
        case 0x1...0x8, 0xB, 0xE...0x1F, 0x7F, 0x8F, 0x9F: []
        case 0x9, 0xA, 0xC, 0xD, 0x1680, 0x200B...0x200F, 0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD: [0x20]
        default: nil
        }
    }
}
