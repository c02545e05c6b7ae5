/// The part of a text that says most of what was looked for.
public struct Snippet: Codable, Hashable, Sendable {
    /// A stretch of the text, cut at ends of words; space is one blank.
    public var text: String
    /// Where words that were looked for stand in ``text``, in Unicode scalars.
    public var marks: [Range<Int>]
    /// Whether something precedes and follows it in the whole text.
    public var isCutBefore: Bool
    public var isCutAfter: Bool

    /// Takes time linear in the text.
    /// - Parameters:
    ///   - text: What the message says.
    ///   - query: Its wanted words are looked for, as FTS5's unicode61 with `remove_diacritics 2` compares them.
    ///   - length: Unicode scalars at most.
    public init(of text: String, for query: QueryNode, length: Int = 200) {
        var words: [String: Bool] = [:]
        Self.collect(query, &words)
        self.init(of: text, words: words, length: length)
    }

    /// `words` are folded, with whether they may go on.
    private init(of text: String, words: [String: Bool], length: Int) {
        let source = SnippetSource(text)
        let hits = source.hits(words)
        let window = source.window(around: Self.best(hits, length), length: max(1, length))
        self.text = String(String.UnicodeScalarView(source.scalars[window]))
        marks = hits.lazy.map(\.range).filter {
            window.contains($0.lowerBound) && $0.upperBound <= window.upperBound
        }
        .map { $0.lowerBound - window.lowerBound..<$0.upperBound - window.lowerBound }
        isCutBefore = window.lowerBound > 0
        isCutAfter = window.upperBound < source.scalars.count
    }

    /// The words of all texts that are wanted.
    private static func collect(_ node: QueryNode, _ words: inout [String: Bool]) {
        switch node {
        case .text(let text):
            var found: [String] = []
            WordFolding.forEachWord(in: Array(text.text.unicodeScalars)) { _, word in found.append(word) }
            for (index, word) in found.enumerated() {
                let isPrefix = text.isPrefix && index == found.count - 1
                words[word] = isPrefix || words[word] == true
            }
        case .and(let nodes), .or(let nodes): for node in nodes { collect(node, &words) }
        default: break
        }
    }

    /// The neighbouring hits that have the most different words, then the most words; of equal ones the
    /// first.
    private static func best(_ hits: [SnippetHit], _ length: Int) -> Range<Int>? {
        var best: (different: Int, count: Int, range: Range<Int>)?
        var counts: [Int: Int] = [:]
        var first = 0
        for (last, hit) in hits.enumerated() {
            counts[hit.word, default: 0] += 1
            while hit.range.upperBound - hits[first].range.lowerBound > length, first < last {
                let word = hits[first].word
                counts[word] = counts[word].flatMap { $0 > 1 ? $0 - 1 : nil }
                first += 1
            }
            let found = (counts.count, last - first + 1)
            if best.map({ found > ($0.different, $0.count) }) ?? true {
                best = (found.0, found.1, hits[first].range.lowerBound..<hit.range.upperBound)
            }
        }
        return best?.range
    }
}

struct SnippetHit {
    var range: Range<Int>
    /// A number for each word that was looked for.
    var word: Int
}

/// A text on one line, and where its words and sentences begin.
private struct SnippetSource {
    private(set) var scalars: [Unicode.Scalar] = []
    /// Places where a sentence or a paragraph begins, in order.
    private var sentences: [Int] = [0]

    init(_ text: String) {
        var breaks = 0
        var hasSpace = false
        scalars.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            // Asking for properties takes long, and nearly all scalars are letters or blanks of ASCII.
            let isSpace = scalar.value < 128 ? scalar.value <= 32 : scalar.properties.isWhitespace
            if isSpace {
                hasSpace = true
                if scalar == "\n" { breaks += 1 }
                continue
            }
            if hasSpace, let last = scalars.last {
                scalars.append(" ")
                if breaks > 1 || Self.endsSentence(last) { sentences.append(scalars.count) }
            } else if let last = scalars.last, last.value >= 0x3000, Self.endsSentence(last) {
                sentences.append(scalars.count)
            }
            (hasSpace, breaks) = (false, 0)
            scalars.append(scalar)
        }
    }

    private static func endsSentence(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "!", "?", "…", ":", "。", "！", "？": true
        default: false
        }
    }

    func hits(_ words: [String: Bool]) -> [SnippetHit] {
        if words.isEmpty { return [] }
        var numbers: [String: Int] = [:]
        for word in words.keys.sorted() { numbers[word] = numbers.count }
        let prefixes = words.filter(\.value).keys.sorted()
        var hits: [SnippetHit] = []
        WordFolding.forEachWord(in: scalars, of: WordCandidates(words)) { range, word in
            if let number = numbers[word] ?? prefixes.first(where: word.hasPrefix).flatMap({ numbers[$0] }) {
                hits.append(SnippetHit(range: range, word: number))
            }
        }
        return hits
    }

    /// At most `length` scalars around what was found, from the beginning of its sentence where that is near
    /// enough.
    func window(around found: Range<Int>?, length: Int) -> Range<Int> {
        guard scalars.count > length else { return 0..<scalars.count }
        guard let found else { return 0..<wordEnd(before: length, after: 0) }
        let earliest = max(0, found.upperBound - length)
        var start = sentence(before: found.lowerBound)
        if start < earliest {
            start = wordStart(after: max(earliest, found.lowerBound - length / 4), before: found.lowerBound)
        }
        // Near the end of the text there is room for what precedes.
        if scalars.count - start < length {
            let from = scalars.count - length
            let better = sentences.first { $0 >= from && $0 < start } ?? start
            start = better
        }
        return
            start..<wordEnd(
                before: min(scalars.count, start + length),
                after: min(found.upperBound, start + length)
            )
    }

    private func sentence(before place: Int) -> Int {
        var (low, high) = (0, sentences.count)
        while low < high {
            let middle = (low + high) / 2
            if sentences[middle] <= place { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? sentences[low - 1] : 0
    }

    /// The first beginning of a word from `place` on, at the latest `limit`.
    private func wordStart(after place: Int, before limit: Int) -> Int {
        var at = place
        while at < limit, at > 0, scalars[at - 1] != " " { at += 1 }
        return at
    }

    /// The last end of a word up to `place`; `place` itself where a word is too long.
    private func wordEnd(before place: Int, after limit: Int) -> Int {
        if place >= scalars.count || scalars[place] == " " { return place }
        var at = place
        while at > limit, scalars[at] != " " { at -= 1 }
        return at > limit || (at < scalars.count && scalars[at] == " ") ? at : place
    }
}
