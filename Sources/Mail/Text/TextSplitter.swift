/// Walks a text line by line and says what each line is.
struct TextSplitter {
    private let lines: [Line]
    private var kinds: [SplitText.Kind?]
    private let lastQuoted: Int

    /// What its bytes show: words are looked at only where these allow it, since most lines are plain prose.
    private struct Line {
        var text: Substring
        var isQuoted: Bool
        var isBlank: Bool
        /// Nothing but ten or more of `_`, `-`, `*`.
        var isRule: Bool
        /// Ends as attributions do.
        var mayEnd: Bool
        /// May be a mark, a header or an attribution.
        var isRemarkable: Bool

        init(_ line: Substring) {
            text = line
            var bytes = Substring(line).utf8
            while let last = bytes.last, last <= 32 { bytes = bytes.dropLast() }
            bytes = bytes.drop { $0 <= 32 }
            isBlank = bytes.isEmpty
            isQuoted = TextSplitter.isQuoted(line)
            let first = bytes.first ?? 32
            let last = bytes.last ?? 32
            let isMark = first == 45 || first == 95 || first == 42 || first == 61
            isRule = isMark && bytes.count >= 10 && bytes.allSatisfy { $0 == 95 || $0 == 45 || $0 == 42 }
            // A colon, an ellipsis, or a letter beyond ASCII, of which one may be a wide colon.
            mayEnd = last == 58 || last == 42 || last >= 0x80 || last == 46 && line.hasSuffix("...")
            isRemarkable = isMark || mayEnd || bytes.prefix(40).contains { $0 == 58 || $0 >= 0x80 }
        }

        /// Without space at either end, in lower case; only the beginning of a long line.
        var folded: String { Substring(text.utf8.prefix(TextSplitter.longestFolded)).trimmed.lowercased() }
    }

    /// An attribution is folded over at most so many lines.
    private static let longestAttribution = 4
    private static let longestFolded = 500

    init(_ text: String) {
        lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false).map { line in
            Line(Substring(line.last == 13 ? line.dropLast() : line))
        }
        kinds = Array(repeating: nil, count: lines.count)
        lastQuoted = lines.lastIndex(where: \.isQuoted) ?? -1
    }

    mutating func split() -> [SplitText.Passage] {
        var at = 0
        while at < lines.count {
            let line = lines[at]
            if line.isQuoted {
                kinds[at] = .quote
            } else if !line.isBlank {
                if line.isRemarkable, let end = wholeRest(at) {
                    at = end
                    continue
                }
                kinds[at] = .new
            }
            at += 1
        }
        attributions()
        signatures()
        return passages()
    }

    /// `> `, `>>`, `| `, and `JD> ` with initials.
    private static func isQuoted(_ line: Substring) -> Bool {
        let start = line.drop { $0 == " " || $0 == "\t" }
        guard let first = start.utf8.first else { return false }
        if first == UInt8(ascii: ">") {
            // A line that the mailbox format escaped is the writer's own.
            return !(start.hasPrefix(">From ") && line.utf8.first == UInt8(ascii: ">"))
        }
        if first == UInt8(ascii: "|") { return start.utf8.dropFirst().first == 32 && start.utf8.count > 2 }
        let initials = start.utf8.prefix { (65...90).contains($0) }
        return (2...4).contains(initials.count)
            && start.utf8.dropFirst(initials.count).first == UInt8(ascii: ">")
    }

    /// Where everything from this line on is a quote or a forwarded message, it is marked so to its end.
    private mutating func wholeRest(_ at: Int) -> Int? {
        let folded = lines[at].folded
        let first = lines[at].isRule ? next(after: at) : at
        if let kind = QuoteMarks.wholeMessage(folded) {
            return mark(at, through: headerBlock(at + 1, needs: 1) ?? at + 1, rest: kind)
        }
        if let first, let end = headerBlock(first, needs: 3) { return mark(at, through: end, rest: .quote) }
        // Top-posted under an attribution with no marks: only where the next lines carry none either.
        if lastQuoted < at, let end = attribution(at), QuoteMarks.isCertain(joined(at..<end)) {
            return mark(at, through: end, rest: .quote)
        }
        return nil
    }

    private mutating func mark(_ at: Int, through end: Int, rest: SplitText.Kind) -> Int {
        for index in at..<min(end, lines.count) { kinds[index] = .attribution }
        for index in min(end, lines.count)..<lines.count where !lines[index].isBlank {
            kinds[index] = lines[index].isQuoted ? .quote : rest
        }
        return lines.count
    }

    /// The end of a block of `From:`, `Sent:`, `To:`, `Subject:` lines in any language.
    private func headerBlock(_ start: Int, needs: Int) -> Int? {
        var at = start
        while at < lines.count, lines[at].isBlank, needs == 1 { at += 1 }
        var labels: Set<QuoteMarks.Label> = []
        var end: Int?
        while at < lines.count, at - start < 14, !lines[at].isBlank {
            if let label = QuoteMarks.label(lines[at].folded) {
                labels.insert(label)
                end = at + 1
            } else if labels.isEmpty {
                return nil
            }
            at += 1
        }
        guard labels.count >= needs, needs == 1 || labels.contains(.from) else { return nil }
        return end
    }

    private func next(after at: Int) -> Int? {
        lines.indices.dropFirst(at + 1).first { !lines[$0].isBlank }
    }

    private func joined(_ range: Range<Int>) -> String {
        lines[range].map(\.folded).joined(separator: " ")
    }

    /// The end of an attribution that begins in this line.
    private func attribution(_ at: Int) -> Int? {
        guard QuoteMarks.mayBegin(lines[at].folded) else { return nil }
        var end = at
        while end < min(lines.count, at + Self.longestAttribution), !lines[end].isBlank, !lines[end].isQuoted
        {
            end += 1
            if lines[end - 1].mayEnd, QuoteMarks.ends(lines[end - 1].folded),
                QuoteMarks.isAttribution(joined(at..<end))
            {
                return end
            }
        }
        return nil
    }

    /// Marks the lines right above a quote that say whose it is.
    private mutating func attributions() {
        for at in lines.indices where kinds[at] == .quote && (at == 0 || kinds[at - 1] != .quote) {
            guard var last = lines.indices.prefix(at).last(where: { !lines[$0].isBlank }) else { continue }
            guard kinds[last] == .new, at - last <= 3, lines[last].mayEnd, QuoteMarks.ends(lines[last].folded)
            else { continue }
            let end = last + 1
            var first: Int?
            for _ in 0..<Self.longestAttribution {
                let folded = lines[last].folded
                // Of several lines that would do, the one where it begins: with its date, or its address.
                if first == nil || QuoteMarks.maySay(folded), QuoteMarks.mayBegin(folded),
                    QuoteMarks.isAttribution(joined(last..<end))
                {
                    first = last
                }
                guard last > 0, kinds[last - 1] == .new else { break }
                last -= 1
            }
            guard let first else { continue }
            for index in first..<end { kinds[index] = .attribution }
        }
    }

    private mutating func signatures() {
        let lastNew = kinds.lastIndex(of: .new)
        for at in lines.indices where kinds[at] == .new {
            let line = lines[at]
            let isShort = line.text.utf8.count < 8
            if isShort, ["--", "—"].contains(line.text.trimmed) {
                mark(from: at, as: .signature)
            } else if at == lastNew, QuoteMarks.isDeviceLine(line.folded) {
                kinds[at] = .signature
            } else if line.isRule, isFooter(at) {
                mark(from: at, as: .footer)
            }
        }
    }

    private mutating func mark(from at: Int, as kind: SplitText.Kind) {
        for index in at..<lines.count where !lines[index].isBlank {
            guard kinds[index] == .new else { return }
            if kind == .signature, index > at, lines[index].isRule, isFooter(index) { return }
            kinds[index] = kind
        }
    }

    private func isFooter(_ at: Int) -> Bool {
        lines.dropFirst(at + 1).prefix(5).contains { QuoteMarks.isListFooter($0.folded) }
    }

    private func passages() -> [SplitText.Passage] {
        var found: [SplitText.Passage] = []
        var start = 0
        while start < lines.count {
            guard let kind = kinds[start] else {
                start += 1
                continue
            }
            var end = start + 1
            var last = start
            while end < lines.count, kinds[end] == nil || kinds[end] == kind {
                if kinds[end] != nil { last = end }
                end += 1
            }
            let text = lines[start...last].map(\.text).joined(separator: "\n")
            found.append(SplitText.Passage(kind, text))
            start = end
        }
        return found
    }
}
