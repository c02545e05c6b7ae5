/// A pattern as a nondeterministic automaton whose threads are ordered: the first one that matches is the match
/// that a backtracking engine would find.
struct PatternProgram {
    enum Instruction {
        case take(set: Int)
        case split(first: Int, second: Int)
        case jump(Int)
        case look(set: Int, passesAtEnd: Bool)
        case match
    }

    private(set) var instructions: [Instruction] = []
    private(set) var sets: [ScalarSet] = []
    private var setNumbers: [ScalarSet: Int] = [:]
    /// Where a possessive loop over a set ends; what follows may not need what the loop has taken.
    private var possessive: [(set: Int, exit: Int)] = []
    private static let longest = 8_192
    private static let mostSets = 64

    init(_ node: PatternNode) throws(PatternFault) {
        try add(node)
        instructions.append(.match)
        for loop in possessive where !gives(nothingBackTo: loop.set, at: loop.exit) {
            throw PatternFault(reason: "a possessive part followed by what it might have taken")
        }
    }

    private mutating func add(_ node: PatternNode) throws(PatternFault) {
        guard instructions.count < Self.longest else { throw PatternFault(reason: "it is too long") }
        switch node {
        case .set(let set): instructions.append(.take(set: try number(of: set)))
        case .sequence(let parts):
            for part in parts { try add(part) }
        case .choice(let alternatives): try add(alternatives[...])
        case .repeat(let part, let repetition): try add(part, repetition)
        case .lookahead(let set, let passesAtEnd):
            instructions.append(.look(set: try number(of: set), passesAtEnd: passesAtEnd))
        }
    }

    private mutating func number(of set: ScalarSet) throws(PatternFault) -> Int {
        if let known = setNumbers[set] { return known }
        guard sets.count < Self.mostSets else { throw PatternFault(reason: "it has too many classes") }
        setNumbers[set] = sets.count
        sets.append(set)
        return sets.count - 1
    }

    private mutating func add(_ alternatives: ArraySlice<PatternNode>) throws(PatternFault) {
        guard let first = alternatives.first else { return }
        guard alternatives.count > 1 else { return try add(first) }
        let split = instructions.count
        instructions.append(.match)  // its place; set below
        try add(first)
        let jump = instructions.count
        instructions.append(.match)
        instructions[split] = .split(first: split + 1, second: instructions.count)
        try add(alternatives.dropFirst())
        instructions[jump] = .jump(instructions.count)
    }

    private mutating func add(
        _ part: PatternNode,
        _ repetition: PatternRepetition
    ) throws(PatternFault) {
        for _ in 0..<repetition.minimum { try add(part) }
        let isLazy = repetition.kind == .lazy
        if let maximum = repetition.maximum {
            var splits: [Int] = []
            for _ in 0..<(maximum - repetition.minimum) {
                splits.append(instructions.count)
                instructions.append(.match)
                try add(part)
            }
            for split in splits { branch(at: split, to: split + 1, or: instructions.count, isLazy: isLazy) }
        } else {
            let split = instructions.count
            instructions.append(.match)
            try add(part)
            instructions.append(.jump(split))
            branch(at: split, to: split + 1, or: instructions.count, isLazy: isLazy)
        }
        guard repetition.kind == .possessive else { return }
        guard case .set(let set) = part else { throw PatternFault(reason: "a possessive group") }
        possessive.append((try number(of: set), instructions.count))
    }

    private mutating func branch(at split: Int, to inside: Int, or outside: Int, isLazy: Bool) {
        instructions[split] = .split(first: isLazy ? outside : inside, second: isLazy ? inside : outside)
    }

    /// Whether nothing that may follow at `exit` takes a scalar of the set: then giving back never helps, and
    /// possessive and greedy are the same.
    private func gives(nothingBackTo set: Int, at exit: Int) -> Bool {
        var seen: Set<Int> = []
        var waiting = [exit]
        while let index = waiting.popLast() {
            guard seen.insert(index).inserted else { continue }
            switch instructions[index] {
            case .match: continue
            case .jump(let target): waiting.append(target)
            case .split(let first, let second): waiting += [first, second]
            case .look(let other, let passesAtEnd):
                guard passesAtEnd, sets[other].intersection(sets[set]).isSubset(of: ScalarSet("\n")) else {
                    return false
                }
                waiting.append(index + 1)
            case .take(let other):
                guard sets[other].intersection(sets[set]).isEmpty else { return false }
            }
        }
        return true
    }
}

extension ScalarSet {
    func isSubset(of other: ScalarSet) -> Bool {
        intersection(other.inverted).isEmpty
    }
}
