/// Reads the syntax that tokenizers' patterns use: classes with ranges, properties, negation and `&&`, groups with
/// and without `(?i:`, alternatives, quantifiers, and a look at the next scalar.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var ignoresCase = false
    private var depth = 0
    private static let deepest = 32

    static func parse(_ pattern: String) throws(PatternFault) -> PatternNode {
        var parser = PatternParser(pattern)
        let node = try parser.choice()
        guard parser.position == parser.scalars.count else { throw parser.fault("an unmatched )") }
        return node
    }

    private init(_ pattern: String) {
        scalars = Array(pattern.unicodeScalars)
    }

    private func fault(_ reason: String) -> PatternFault {
        PatternFault(reason: "\(reason), at character \(position)")
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private func has(_ text: String) -> Bool {
        scalars[position...].starts(with: text.unicodeScalars)
    }

    private mutating func take(_ text: String) -> Bool {
        guard has(text) else { return false }
        position += text.unicodeScalars.count
        return true
    }

    private mutating func choice() throws(PatternFault) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw fault("groups \(Self.deepest) deep") }
        let outer = ignoresCase
        defer { ignoresCase = outer }
        var alternatives = [try sequence()]
        while take("|") { alternatives.append(try sequence()) }
        return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
    }

    private mutating func sequence() throws(PatternFault) -> PatternNode {
        var parts: [PatternNode] = []
        while let next, next != "|", next != ")" {
            if take("(?i)") {
                ignoresCase = true
                continue
            }
            parts.append(try quantified(atom()))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func quantified(_ atom: PatternNode) throws(PatternFault) -> PatternNode {
        var node = atom
        while var repetition = try quantifier() {
            let isCounted = position > 0 && scalars[position - 1] == "}"
            if take("?") {
                repetition.kind = .lazy
            } else if !isCounted, take("+") {
                // Behind a count it is one more quantifier, as in Oniguruma, which the reference reads patterns with.
                repetition.kind = .possessive
            }
            node = .repeat(node, repetition)
        }
        return node
    }

    private mutating func quantifier() throws(PatternFault) -> PatternRepetition? {
        if take("?") { return PatternRepetition(minimum: 0, maximum: 1) }
        if take("*") { return PatternRepetition(minimum: 0, maximum: nil) }
        if take("+") { return PatternRepetition(minimum: 1, maximum: nil) }
        guard take("{") else { return nil }
        guard let minimum = number() else { throw fault("a { that begins no count") }
        var maximum: Int? = minimum
        if take(",") { maximum = number() }
        guard take("}"), maximum.map({ $0 >= minimum }) ?? true else { throw fault("a wrong count") }
        return PatternRepetition(minimum: minimum, maximum: maximum)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = next, ("0"..."9").contains(digit), (value ?? 0) <= 1000 {
            value = (value ?? 0) * 10 + Int(digit.value - 0x30)
            position += 1
        }
        return value.flatMap { $0 <= 1000 ? $0 : nil }
    }

    private mutating func atom() throws(PatternFault) -> PatternNode {
        guard let scalar = next else { throw fault("an end too early") }
        switch scalar {
        case "(": return try group()
        case "[": return .set(cased(try bracket()))
        case ".":
            position += 1
            return .set(ScalarSet("\n").inverted)
        case "$":
            position += 1
            return .lookahead(ScalarSet("\n"), passesAtEnd: true)
        case "\\":
            if take("\\z") { return .lookahead(.empty, passesAtEnd: true) }
            return .set(cased(try escape()))
        case "^", "*", "+", "?": throw fault("a \(scalar) that is not supported here")
        default:
            position += 1
            return .set(cased(ScalarSet(scalar)))
        }
    }

    private func cased(_ set: ScalarSet) -> ScalarSet {
        ignoresCase ? set.ignoringCase() : set
    }

    private mutating func group() throws(PatternFault) -> PatternNode {
        let outer = ignoresCase
        defer { ignoresCase = outer }
        if take("(?=") { return try lookahead(negated: false) }
        if take("(?!") { return try lookahead(negated: true) }
        if take("(?i:") {
            ignoresCase = true
        } else if !take("(?:") {
            position += 1
            if next == "?" { throw fault("a kind of group that is not supported") }
        }
        let node = try choice()
        guard take(")") else { throw fault("a group without an end") }
        return node
    }

    private mutating func lookahead(negated: Bool) throws(PatternFault) -> PatternNode {
        let node = try choice()
        guard take(")") else { throw fault("a group without an end") }
        guard case .set(let set) = node else { throw fault("a look at more than the next character") }
        return .lookahead(negated ? set.inverted : set, passesAtEnd: negated)
    }

    private mutating func bracket() throws(PatternFault) -> ScalarSet {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw fault("classes \(Self.deepest) deep") }
        position += 1
        let isNegated = take("^")
        var set = ScalarSet.empty
        var isFirst = true
        while let scalar = next, isFirst || scalar != "]" {
            isFirst = false
            if take("&&") {
                set = set.intersection(try bracketRest())
                break
            }
            if scalar == "[", !has("[:") {
                set = set.union(try bracket())
                continue
            }
            set = set.union(try item())
        }
        guard take("]") else { throw fault("a class without an end") }
        return isNegated ? set.inverted : set
    }

    /// What stands after `&&`, up to the class's end.
    private mutating func bracketRest() throws(PatternFault) -> ScalarSet {
        var set = ScalarSet.empty
        while let scalar = next, scalar != "]" {
            set = set.union(scalar == "[" ? try bracket() : try item())
        }
        return set
    }

    private mutating func item() throws(PatternFault) -> ScalarSet {
        guard let scalar = next else { throw fault("a class without an end") }
        var low = ScalarSet(scalar)
        if scalar == "\\" { low = try escape() } else { position += 1 }
        guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]",
            let first = low.ranges.first, low.ranges.count == 1, first.count == 1
        else { return low }
        position += 1
        var high = ScalarSet(scalars[position])
        if next == "\\" { high = try escape() } else { position += 1 }
        guard let last = high.ranges.first, last.count == 1, last.lowerBound >= first.lowerBound else {
            throw fault("a range that does not ascend")
        }
        return ScalarSet([first.lowerBound...last.lowerBound])
    }

    private mutating func escape() throws(PatternFault) -> ScalarSet {
        position += 1
        guard let scalar = next else { throw fault("a \\ at the end") }
        position += 1
        switch scalar {
        case "s": return UnicodeSets.whitespace
        case "S": return UnicodeSets.whitespace.inverted
        case "d": return UnicodeSets.digit
        case "D": return UnicodeSets.digit.inverted
        case "w": return UnicodeSets.word
        case "W": return UnicodeSets.word.inverted
        case "n": return ScalarSet("\n")
        case "r": return ScalarSet("\r")
        case "t": return ScalarSet("\t")
        case "f": return ScalarSet("\u{C}")
        case "v": return ScalarSet("\u{B}")
        case "p", "P":
            let set = try property()
            return scalar == "P" ? set.inverted : set
        case "x", "u": return try hexadecimal(digits: scalar == "x" ? 2 : 4)
        case "A"..."Z", "a"..."z", "0"..."9": throw fault("\\\(scalar), which is not supported")
        default: return ScalarSet(scalar)
        }
    }

    private mutating func property() throws(PatternFault) -> ScalarSet {
        guard take("{") else { throw fault("a property without a name") }
        let isNegated = take("^")
        var name = ""
        while let scalar = next, scalar != "}" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        guard take("}"), let set = UnicodeSets.named(name) else {
            throw fault("the property \(name.prefix(40)), which is not known")
        }
        return isNegated ? set.inverted : set
    }

    private mutating func hexadecimal(digits: Int) throws(PatternFault) -> ScalarSet {
        let isBraced = take("{")
        var text = ""
        while let scalar = next, scalar.properties.isASCIIHexDigit, isBraced || text.count < digits {
            text.unicodeScalars.append(scalar)
            position += 1
        }
        guard !isBraced || take("}"), let scalar = UInt32(text, radix: 16).flatMap(Unicode.Scalar.init) else {
            throw fault("a character that does not exist")
        }
        return ScalarSet(scalar)
    }
}
