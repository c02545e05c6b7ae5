import BreezeCore

/// Follows the rules through one text. Work per letter does not depend on what was read before.
struct PhraseMatcher: Sendable {
    /// A letter that was read, kept for as long as a phrase may begin at it.
    private struct Letter: Sendable {
        var start = 0
        var sentence = 0
        /// What stands right before it.
        var before: UInt8 = 0
        var beginsWord = false
    }

    /// A rule's stages up to one that was met last.
    private struct Link: Sendable {
        var start = 0
        /// The number of the first letter of its first phrase, and of the one after its last.
        var firstLetter = 0
        var endLetter = -1
        var sentence = 0
        var endsWord = false
    }

    /// Separators in a row after which no word goes on.
    private static let longestBreak = 32
    private static let ringMask = 127

    private let table: PhraseTable
    private let isOn: [Bool]
    private var state = 0
    private var letters = 0
    private var ring = [Letter](repeating: Letter(), count: ringMask + 1)
    private var links: [Link]
    /// Whether any was ever met: in most texts none is.
    private var hasLinks = false
    private var separators = 1
    /// Of the word that was read last.
    private var wordLetters = 0
    private var sentence = 0
    private var isInWord = false
    private var before = Plain.newline
    /// The state whose phrases wait for what comes after them, and where they end.
    private var pending = -1
    private var pendingEnd = 0
    /// The last finding of each family.
    private var reported = [(end: Int, risk: Double)?](
        repeating: nil,
        count: PhraseRule.Family.allCases.count
    )

    /// `wants` says whether a category is looked for.
    init(_ table: PhraseTable, wants: (String) -> Bool) {
        self.table = table
        isOn = table.rules.map { wants($0.category) }
        links = Array(repeating: Link(), count: (table.firstStage.last ?? 0) + 3)
    }

    mutating func read(_ symbol: Symbol, into findings: inout [RuleFinding]) {
        let code = table.letters[Int(symbol.plain)]
        if code == PhraseTable.none {
            if pending >= 0 { resolve(endsWord: true, into: &findings) }
            let isSpace = symbol.plain == Plain.space || symbol.plain == Plain.newline
            // A dot after a single letter is one of those that somebody put between letters.
            let endsSentence = Self.endsSentence(before) && wordLetters > 1
            if isSpace, endsSentence || (before == Plain.newline && symbol.plain == before) { sentence += 1 }
            separators += 1
            if separators == Self.longestBreak { state = 0 }
            isInWord = false
        } else {
            read(code, of: symbol, into: &findings)
        }
        before = symbol.plain
    }

    private mutating func read(_ code: UInt8, of symbol: Symbol, into findings: inout [RuleFinding]) {
        let isCertain = code < PhraseTable.uncertain
        if pending >= 0 { resolve(endsWord: !isCertain, into: &findings) }
        ring[letters & Self.ringMask] = Letter(
            start: symbol.start,
            sentence: sentence,
            before: before,
            beginsWord: !isInWord
        )
        letters += 1
        wordLetters = separators > 0 ? 1 : wordLetters + 1
        separators = 0
        isInWord = isCertain
        let letter = Int(code & ~PhraseTable.uncertain)
        state = Int(table.next[state * PhraseTable.letterCount + letter])
        if table.foundStart[state] != table.foundStart[state + 1] {
            pending = state
            pendingEnd = symbol.end
        }
    }

    mutating func finish(into findings: inout [RuleFinding]) {
        if pending >= 0 { resolve(endsWord: true, into: &findings) }
        state = 0
        links = links.map { _ in Link() }
    }

    private static func endsSentence(_ plain: UInt8) -> Bool {
        plain == UInt8(ascii: ".") || plain == UInt8(ascii: "!") || plain == UInt8(ascii: "?")
    }

    private mutating func resolve(endsWord: Bool, into findings: inout [RuleFinding]) {
        let range = Int(table.foundStart[pending])..<Int(table.foundStart[pending + 1])
        pending = -1
        for index in range {
            let first = letters - table.found[index].length
            for use in table.found[index].uses where isOn[use.rule] {
                advance(use, from: first, endsWord: endsWord, into: &findings)
            }
        }
        for index in range where table.found[index].isNegation {
            let first = letters - table.found[index].length
            if ring[first & Self.ringMask].beginsWord { forgetOverrides(from: first) }
        }
    }

    private mutating func advance(
        _ use: PhraseTable.Use,
        from first: Int,
        endsWord: Bool,
        into findings: inout [RuleFinding]
    ) {
        let rule = table.rules[use.rule]
        let letter = ring[first & Self.ringMask]
        let place = table.firstStage[use.rule] + use.stage
        var link = Link(start: letter.start, firstLetter: first)
        if use.stage == 0 {
            guard letter.beginsWord, rule.mark == nil || rule.mark == letter.before else { return }
        } else {
            let last = links[place - 1]
            guard last.endLetter >= 0, follows(letter, first, last, gap: rule.gap) else { return }
            link.start = last.start
            link.firstLetter = last.firstLetter
        }
        guard use.stage == rule.stages.count - 1 else {
            link.endLetter = letters
            link.sentence = sentence
            link.endsWord = endsWord
            links[place] = link
            hasLinks = true
            return
        }
        guard endsWord else { return }
        report(rule, link.start..<pendingEnd, into: &findings)
    }

    /// One attack is reported once, and again only where more of it turns out to be worse.
    private mutating func report(_ rule: PhraseRule, _ span: Range<Int>, into findings: inout [RuleFinding]) {
        let last = reported[rule.family.rawValue]
        if let last, span.lowerBound < last.end, rule.risk <= last.risk { return }
        reported[rule.family.rawValue] = (span.upperBound, rule.risk)
        findings.append(
            RuleFinding(
                rule: rule.id,
                category: rule.category,
                risk: rule.risk,
                span: span,
                family: rule.family
            )
        )
    }

    /// Words that touch, or that stand in one sentence and not too far apart.
    private func follows(_ letter: Letter, _ first: Int, _ last: Link, gap: Int) -> Bool {
        let between = first - last.endLetter
        if between == 0 { return true }
        return between > 0 && between <= gap && letter.beginsWord && last.endsWord
            && letter.sentence == last.sentence
    }

    private mutating func forgetOverrides(from first: Int) {
        for (index, rule) in table.rules.enumerated() where rule.family == .override {
            for stage in rule.stages.indices.dropLast() {
                let place = table.firstStage[index] + stage
                if links[place].firstLetter >= first { links[place].endLetter = -1 }
            }
        }
    }

    /// Where the earliest phrase begins that may still grow; `nil` where none does.
    var openStart: Int? {
        let begun = letters - Int(table.depth[state])
        var earliest = begun < letters ? ring[begun & Self.ringMask].start : nil
        guard hasLinks else { return earliest }
        for (index, rule) in table.rules.enumerated() where isOn[index] {
            for stage in rule.stages.indices.dropLast() {
                let link = links[table.firstStage[index] + stage]
                guard link.endLetter >= 0, isOpen(link, begun: begun, gap: rule.gap) else { continue }
                earliest = min(earliest ?? link.start, link.start)
            }
        }
        return earliest
    }

    private func isOpen(_ link: Link, begun: Int, gap: Int) -> Bool {
        let between = begun - link.endLetter
        if between <= 0 { return true }
        let reached = begun < letters ? ring[begun & Self.ringMask].sentence : sentence
        return between <= gap && link.endsWord && link.sentence >= reached
    }
}
