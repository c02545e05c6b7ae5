/// Collects runs of groups and has each looked through once it ended.
struct NumberMatcher: Sendable {
    private let recognisers: [NumberRecogniser]
    private var run = NumberRun()
    private var group: NumberRun.Group?
    private var gap = 0
    private var separator: UInt8 = 0
    private var plus: Int?

    private static let longestGroup = 64
    private static let longestGap = 3

    init(wants: (String) -> Bool) {
        recognisers = NumberRecogniser.all.filter { wants($0.category) }
    }

    mutating func read(_ symbol: Symbol, into findings: inout [RuleFinding]) {
        guard !symbol.isAlphanumeric else { return extend(symbol) }
        if group != nil { closeGroup(into: &findings) }
        switch symbol.plain {
        case Plain.space, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "("),
            UInt8(ascii: ")"):
            gap += 1
            separator = gap == 1 || separator == symbol.plain ? symbol.plain : 0
            // A plus sign and its number may have a parenthesis between them.
            if symbol.plain != UInt8(ascii: "(") { plus = nil }
            if gap > Self.longestGap { endRun(into: &findings) }
        default:
            endRun(into: &findings)
            plus = symbol.plain == UInt8(ascii: "+") ? symbol.start : nil
        }
    }

    private mutating func extend(_ symbol: Symbol) {
        var current =
            group
            ?? NumberRun.Group(
                first: run.characters.count,
                start: symbol.start,
                end: symbol.end,
                gap: gap,
                separator: separator,
                plus: plus
            )
        current.count += 1
        current.end = symbol.end
        if symbol.isDigit { current.digits += 1 }
        // What is longer than any number is counted and not kept.
        if current.count <= Self.longestGroup { run.characters.append(Plain.uppercased(symbol.plain)) }
        group = current
    }

    private mutating func closeGroup(into findings: inout [RuleFinding]) {
        guard let closed = group else { return }
        group = nil
        let isWord = closed.digits == 0 && closed.count > 4
        if isWord || closed.count > Self.longestGroup {
            run.characters.removeLast(run.characters.count - closed.first)
            endRun(into: &findings)
        } else {
            run.groups.append(closed)
            run.digits += closed.digits
            // Letters before a number: the two of a NINO, the six of a codice fiscale in two groups.
            if run.digits == 0 { run.removeFirst(run.groups.count - 2) }
            if run.groups.count == NumberRun.longest {
                let used = search(into: &findings)
                run.removeFirst(max(used, run.groups.count - NumberRun.kept))
            }
        }
        gap = 0
        separator = 0
        plus = nil
    }

    private mutating func endRun(into findings: inout [RuleFinding]) {
        if run.digits >= 4 { _ = search(into: &findings) }
        run.characters.removeAll(keepingCapacity: true)
        run.groups.removeAll(keepingCapacity: true)
        run.digits = 0
        gap = 0
        separator = 0
        plus = nil
    }

    mutating func finish(into findings: inout [RuleFinding]) {
        closeGroup(into: &findings)
        endRun(into: &findings)
    }

    /// - Returns: How many groups the findings take up, with those before them.
    private func search(into findings: inout [RuleFinding]) -> Int {
        var used = 0
        var index = 0
        while index < run.groups.count {
            let match = recognisers.lazy.compactMap { recogniser in
                recogniser.match(run, index).map { (recogniser, $0) }
            }.first
            guard let (recogniser, groups) = match else {
                index += 1
                continue
            }
            let span = run.span(groups)
            let start = recogniser.takesPlus ? run.groups[index].plus ?? span.lowerBound : span.lowerBound
            findings.append(
                RuleFinding(
                    rule: recogniser.rule,
                    category: recogniser.category,
                    risk: recogniser.risk,
                    span: start..<span.upperBound
                )
            )
            index = groups.upperBound
            used = index
        }
        return used
    }

    /// A number that is being read, and the two short words that may belong to it.
    var openStart: Int? {
        let first = run.groups.first.map { $0.plus ?? $0.start }
        return first ?? group.map { $0.plus ?? $0.start } ?? plus
    }
}
