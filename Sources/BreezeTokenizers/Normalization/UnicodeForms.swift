import Foundation

/// Unicode's normalisation forms, for the parts of a text that may change.
///
/// The reference's data is that of Unicode 9.0: what was assigned later stays as it is.
enum UnicodeForms {
    static func composed(_ text: WorkingText, compatibility: Bool) -> WorkingText {
        rewritten(text) { string in
            let parts = compatibility ? string.decomposedStringWithCompatibilityMapping : string
            return parts.precomposedStringWithCanonicalMapping
        }
    }

    /// Foundation does not order the marks that compatibility mappings bring; the canonical form after it does.
    static func decomposed(_ text: WorkingText, compatibility: Bool) -> WorkingText {
        rewritten(text) { string in
            let parts = compatibility ? string.decomposedStringWithCompatibilityMapping : string
            return parts.decomposedStringWithCanonicalMapping
        }
    }

    /// ASCII is in every form. A run of other scalars is taken with the ASCII scalar before it, to which a mark
    /// may belong, and cut where a scalar cannot touch its neighbours.
    private static func rewritten(_ text: WorkingText, _ form: (String) -> String) -> WorkingText {
        guard let first = text.bytes.firstIndex(where: { $0 >= 0x80 }) else { return text }
        return text.rewritten { rewriter in
            let bytes = rewriter.source.bytes
            var kept = 0
            var position = first
            while position < bytes.count {
                let start = max(kept, position - 1)
                var end = position
                while end < bytes.count, bytes[end] >= 0x80 { end += 1 }
                if kept < start { rewriter.keep(kept..<start) }
                rewrite(start..<end, bytes, form, &rewriter)
                kept = end
                position = bytes[end...].firstIndex { $0 >= 0x80 } ?? bytes.count
            }
            if kept < bytes.count { rewriter.keep(kept..<bytes.count) }
        }
    }

    private static func rewrite(
        _ run: Range<Int>,
        _ bytes: [UInt8],
        _ form: (String) -> String,
        _ rewriter: inout WorkingText.Rewriter
    ) {
        var start = run.lowerBound
        var position = start
        while position < run.upperBound {
            let (value, length) = UTF8Decoding.scalar(in: bytes, at: position)
            let isLater = value >= 0x80 && UnicodeSets.assignedLater.contains(value)
            if position > start, isLater || isBoundary(value) {
                rewriteCluster(start..<position, bytes, form, &rewriter)
                start = position
            }
            position += length
            guard isLater else { continue }
            rewriter.keep(start..<position)
            start = position
        }
        if start < run.upperBound { rewriteCluster(start..<run.upperBound, bytes, form, &rewriter) }
    }

    private static func rewriteCluster(
        _ range: Range<Int>,
        _ bytes: [UInt8],
        _ form: (String) -> String,
        _ rewriter: inout WorkingText.Rewriter
    ) {
        let new = Array(form(String(decoding: bytes[range], as: UTF8.self)).utf8)
        if new.elementsEqual(bytes[range]) {
            rewriter.keep(range)
        } else {
            rewriter.replace(range, with: new)
        }
    }

    /// Whether nothing before a scalar can join with it: it is no mark, decomposes to nothing that begins with
    /// one, and is no vowel or final consonant of Hangul or of a script whose vowels have two parts.
    private static func isBoundary(_ value: UInt32) -> Bool {
        if value < 0x80 { return true }
        switch value {
        case 0x1160...0x11FF, 0xAC00...0xD7A3: return value >= 0xAC00
        case 0x4E00...0x9FFF, 0x3040...0x3098, 0x30A0...0x30FF, 0x410...0x44F: return true
        default: break
        }
        return !combining.contains(value)
    }

    /// Marks, and what decomposes to something that begins with one.
    private static let combining: ScalarSet = {
        var found = UnicodeSets.mark.ranges
        for value: UInt32 in 0x80..<0x30000 {
            guard let scalar = Unicode.Scalar(value), !(0xAC00...0xD7A3).contains(value) else { continue }
            if scalar.properties.canonicalCombiningClass != .notReordered {
                found.append(value...value)
                continue
            }
            let parts = String(Character(scalar)).decomposedStringWithCompatibilityMapping.unicodeScalars
            if let first = parts.first, first != scalar, UnicodeSets.mark.contains(first.value) {
                found.append(value...value)
            } else if parts.first.map({ (0x1160...0x11FF).contains($0.value) }) ?? false {
                found.append(value...value)
            }
        }
        return ScalarSet(found)
    }()
}
