/// Finds IPv6 addresses in the forms of RFC 4291, without the one that ends in an IPv4 address: that is found as
/// such.
struct IPv6Matcher: Sendable {
    /// Eight groups of four and seven colons.
    private static let longest = 39

    private var text: [UInt8] = []
    private var start = 0
    private var end = 0
    /// Where it would end without its last character.
    private var endBefore = 0
    private var colons = 0
    /// What was read last may stand right before an address.
    private var isAtBoundary = true

    mutating func read(_ symbol: Symbol, into findings: inout [RuleFinding]) {
        let isColon = symbol.plain == UInt8(ascii: ":")
        if !text.isEmpty {
            if isColon || Plain.isHex(symbol.plain) { return extend(symbol, isColon: isColon) }
            close(before: symbol, into: &findings)
        } else if isAtBoundary, isColon || Plain.isHex(symbol.plain) {
            start = symbol.start
            return extend(symbol, isColon: isColon)
        }
        isAtBoundary = !symbol.isAlphanumeric && !isColon && symbol.plain != Plain.otherLetter
    }

    private mutating func extend(_ symbol: Symbol, isColon: Bool) {
        if text.count <= Self.longest { text.append(symbol.plain) }
        if isColon { colons += 1 }
        endBefore = end
        end = symbol.end
        isAtBoundary = false
    }

    private mutating func close(before symbol: Symbol?, into findings: inout [RuleFinding]) {
        defer {
            text.removeAll(keepingCapacity: true)
            colons = 0
        }
        let goesOn = symbol.map { $0.isAlphanumeric || $0.plain == Plain.otherLetter } ?? false
        // A colon ends a sentence's part and not an address.
        let colon = UInt8(ascii: ":")
        if text.last == colon, text.dropLast().last != colon {
            text.removeLast()
            end = endBefore
        }
        guard colons >= 2, !goesOn, text.count <= Self.longest, isAddress else { return }
        findings.append(
            RuleFinding(
                rule: "ipv6",
                category: GuardianRules.Category.ipAddress,
                risk: 0.3,
                span: start..<end
            )
        )
    }

    private var isAddress: Bool {
        let groups = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let empty = groups.indices.filter { groups[$0].isEmpty }
        guard groups.allSatisfy({ $0.count <= 4 }), text.contains(where: Plain.isDigit) else { return false }
        if empty.isEmpty { return groups.count == 8 }
        // One run of colons that stands for zeros: in the middle one empty group, at an end two.
        guard let first = empty.first, let last = empty.last, last - first == empty.count - 1 else {
            return false
        }
        let atEnd = first == 0 || last == groups.count - 1
        guard empty.count == (atEnd ? 2 : 1) else { return false }
        let written = groups.count - empty.count
        // Names of one hex letter a side occur in programs (`a::b`): the first group of a real address is long.
        return written >= 2 && written <= 7 && (groups.first?.count ?? 0) >= 3
    }

    mutating func finish(into findings: inout [RuleFinding]) {
        close(before: nil, into: &findings)
    }

    var openStart: Int? { text.isEmpty || text.count > Self.longest ? nil : start }
}
