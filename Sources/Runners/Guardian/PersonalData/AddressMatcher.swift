/// Finds e-mail addresses: a local part of the characters that occur in practice, and a domain with a dot.
struct AddressMatcher: Sendable {
    private enum Place { case local, domain }

    private static let longestLocal = 64
    private static let longestDomain = 253

    private var place = Place.local
    private var localStart: Int?
    private var localCount = 0
    /// The address under way.
    private var start = 0
    private var domainCount = 0
    private var labelCount = 0
    private var labelIsLetters = true
    private var labels = 0
    /// After the last label that can end an address.
    private var end: Int?

    mutating func read(_ symbol: Symbol, into findings: inout [RuleFinding]) {
        let isWord = symbol.isAlphanumeric || symbol.plain == Plain.otherLetter
        if place == .domain { readDomain(symbol, isWord: isWord, into: &findings) }
        if isWord || Self.isLocalSign(symbol.plain) {
            // A sign does not begin one: quotes and dots stand before addresses.
            guard isWord || localStart != nil else { return }
            if localStart == nil { localStart = symbol.start }
            localCount += 1
        } else {
            if symbol.plain == UInt8(ascii: "@"), let first = localStart, localCount <= Self.longestLocal {
                beginDomain(first)
            }
            localStart = nil
            localCount = 0
        }
    }

    private static func isLocalSign(_ plain: UInt8) -> Bool {
        plain == UInt8(ascii: ".") || plain == UInt8(ascii: "-") || plain == UInt8(ascii: "_")
            || plain == UInt8(ascii: "+") || plain == UInt8(ascii: "%") || plain == UInt8(ascii: "'")
    }

    private mutating func beginDomain(_ first: Int) {
        place = .domain
        start = first
        domainCount = 0
        labels = 0
        end = nil
        beginLabel()
    }

    private mutating func beginLabel() {
        labelCount = 0
        labelIsLetters = true
    }

    private mutating func readDomain(_ symbol: Symbol, isWord: Bool, into findings: inout [RuleFinding]) {
        domainCount += 1
        if isWord, domainCount <= Self.longestDomain {
            labelCount += 1
            if symbol.isDigit { labelIsLetters = false }
            // A top-level domain has two letters or more.
            if labels > 0, labelCount > 1 { end = labelIsLetters ? symbol.end : nil }
        } else if symbol.plain == UInt8(ascii: "-"), labelCount > 0 {
            labelCount += 1
            labelIsLetters = false
        } else if symbol.plain == UInt8(ascii: "."), labelCount > 0 {
            labels += 1
            beginLabel()
        } else {
            report(into: &findings)
        }
    }

    private mutating func report(into findings: inout [RuleFinding]) {
        place = .local
        guard let end else { return }
        findings.append(
            RuleFinding(
                rule: "email-address",
                category: GuardianRules.Category.emailAddress,
                risk: 0.4,
                span: start..<end
            )
        )
    }

    mutating func finish(into findings: inout [RuleFinding]) {
        if place == .domain { report(into: &findings) }
        localStart = nil
        localCount = 0
    }

    var openStart: Int? {
        if place == .domain { return start }
        return localCount <= Self.longestLocal ? localStart : nil
    }
}
