/// What in a text speaks to an AI.
package struct InstructionScan {
    package struct Match: Hashable, Sendable {
        package var kind: InstructionKind
        /// Whether people write it to people as well, so that alone it tells little.
        package var isLoose: Bool
        /// Whether a quotation mark stands before it: it is rather mentioned than said.
        package var isQuoted: Bool
        /// Whether its letters are apart, or something unseen is between them.
        package var isDisguised: Bool
        /// Of the scalars of the text.
        package var range: Range<Int>
    }

    /// In the order of the kinds, at most ``mostMatches`` of each.
    package private(set) var matches: [Match] = []
    /// Whether the text is about such phrases, and may quote them.
    package private(set) var isDiscussion = false
    /// Whether words are smuggled in characters that nobody sees.
    package let isSmuggling: Bool
    /// Comparisons of words that were made.
    package private(set) var steps = 0
    private let text: FoldedText

    package static let mostMatches = 1_000
    private static let fewestSmuggled = 8

    package init(_ text: String) {
        self.init(FoldedText(text))
    }

    init(_ text: FoldedText) {
        self.text = text
        isSmuggling = text.smuggled >= Self.fewestSmuggled
        let phrases = self.phrases()
        readTokens(besides: phrases)
        readToolCalls()
        readPictures()
        matches += phrases
    }

    /// As it is written.
    package func written(_ match: Match) -> String { text.written(match.range) }

    private mutating func phrases() -> [Match] {
        let words = InstructionPatterns.shared.words(of: text)
        var found: [Match] = []
        var counts: [InstructionKind: Int] = [:]
        for phrase in InstructionPatterns.shared.find(in: words, steps: &steps) {
            if phrase.isDiscussion {
                isDiscussion = true
                continue
            }
            counts[phrase.kind, default: 0] += 1
            guard counts[phrase.kind, default: 0] <= Self.mostMatches else { continue }
            let range =
                words[phrase.words.lowerBound].range
                .lowerBound..<words[phrase.words.upperBound - 1].range.upperBound
            let isTaken = words[phrase.words].contains(where: \.isTaken)
            found.append(match(phrase.kind, range, isLoose: phrase.isLoose, isDisguised: isTaken))
        }
        return found
    }

    private func match(
        _ kind: InstructionKind,
        _ range: Range<Int>,
        isLoose: Bool,
        isDisguised: Bool = false
    ) -> Match {
        let before = range.lowerBound > 0 ? text.scalars[range.lowerBound - 1] : 0
        let source = text.source(of: range)
        return Match(
            kind: kind,
            isLoose: isLoose,
            isQuoted: before == 0x22 || before == 0x27 || before == 0x60,
            isDisguised: isDisguised || (source.count != range.count && text.hidesSomething(source)),
            range: source
        )
    }

    /// A speaker's name is not told again where it begins an order to it.
    private mutating func readTokens(besides phrases: [Match]) {
        let starts = Set(phrases.map(\.range.lowerBound))
        for token in ControlTokens.find(in: text).prefix(Self.mostMatches) {
            let kind: InstructionKind = token.kind == .role ? .roleHeader : .controlToken
            let match = match(kind, token.range, isLoose: token.isLoose)
            if kind == .roleHeader, starts.contains(match.range.lowerBound) { continue }
            matches.append(match)
        }
    }

    /// `{"name": "…", "arguments": {`
    private mutating func readToolCalls() {
        var name: Int?
        for at in 0..<text.count where text.scalars[at] == 0x22 {
            if text.matches("\"name\"", at: at) || text.matches("\"function\"", at: at) { name = at }
            guard let start = name, at - start <= 200, matches.count < 2 * Self.mostMatches else { continue }
            for key in ["\"arguments\"", "\"parameters\"", "\"input\""] as [StaticString]
            where text.matches(key, at: at) {
                guard let end = object(at + key.utf8CodeUnitCount) else { continue }
                matches.append(match(.toolCall, start..<end, isLoose: false))
                name = nil
            }
        }
    }

    /// The end of `: {` or `: "{`.
    private func object(_ start: Int) -> Int? {
        var at = start
        var hasColon = false
        while at < min(start + 16, text.count) {
            switch text.scalars[at] {
            case 0x7B: return hasColon ? at + 1 : nil
            case 0x3A: hasColon = true
            case 0x20, 0x09, 0x0A, 0x22: break
            default: return nil
            }
            at += 1
        }
        return nil
    }

    /// `![](https://…?q={…}`: a picture of Markdown with a place to fill in.
    private mutating func readPictures() {
        var at = 0
        while at < text.count {
            guard text.matches("![", at: at) else {
                at += 1
                continue
            }
            let start = at
            at += 2
            // As far as the next picture, so that no character is looked at twice.
            while at < text.count, at - start < 300, !text.matches("](", at: at), !text.matches("![", at: at)
            { at += 1 }
            guard text.matches("](http", at: at) else { continue }
            var hasQuery = false
            var hasPlace = false
            at += 2
            while at < text.count, text.scalars[at] > 0x20, text.scalars[at] != 0x29,
                !text.matches("![", at: at)
            {
                if text.scalars[at] == 0x3F { hasQuery = true }
                if hasQuery, [0x7B, 0x5B, 0x3C].contains(text.scalars[at]) || text.matches("%7b", at: at) {
                    hasPlace = true
                }
                at += 1
            }
            if hasPlace { matches.append(match(.exfiltration, start..<at, isLoose: false)) }
        }
    }
}
