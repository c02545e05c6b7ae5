/// A pattern as a deterministic automaton, which reads each scalar once: the work is linear in the text, whatever
/// the pattern.
struct PatternMatcher: Sendable {
    private let classes: ScalarClasses
    /// For each state and each class of scalars, and last for the text's end: the next state, doubled, plus 1
    /// where the pattern has matched before that scalar.
    private let transitions: [UInt32]
    private let width: Int

    private static let dead: UInt32 = 0
    private static let start: UInt32 = 1
    private static let mostStates = 8_192
    /// How far a search may read beyond its match before that is remembered.
    private static let shortOverrun = 64

    init(_ pattern: String) throws(PatternFault) {
        let program = try PatternProgram(PatternParser.parse(pattern))
        classes = ScalarClasses(program.sets)
        guard classes.count < 256 else { throw PatternFault(reason: "it has too many classes") }
        width = classes.count + 1
        var builder = PatternAutomaton(program, classes)
        transitions = try builder.transitions(limit: Self.mostStates)
    }

    /// What a search of a text knows of places that later ones reach again.
    struct Memory {
        /// Steps taken so far: the measure of work that the linearity test reads.
        fileprivate(set) var work = 0
        /// From this state at this place nothing matches any more.
        fileprivate var fruitless: [Int: UInt32] = [:]
    }

    /// The end of the match that begins at `start` exactly; `nil` where none does.
    func match(in text: [UInt8], from start: Int, to end: Int, _ memory: inout Memory) -> Int? {
        var state = Self.start
        var position = start
        var found = -1
        var stateThere = Self.start
        while true {
            var symbol = width - 1
            var length = 0
            if position < end {
                let byte = text[position]
                if byte < 0x80 {
                    symbol = Int(classes.ascii[Int(byte)])
                    length = 1
                } else {
                    let scalar = UTF8Decoding.scalar(in: text, at: position)
                    symbol = Int(classes.number(of: scalar.value))
                    length = scalar.length
                }
            }
            let transition = transitions[Int(state) * width + symbol]
            if transition & 1 != 0 {
                found = position
                stateThere = state
            }
            let next = transition >> 1
            if next == Self.dead { break }
            state = next
            position += length
            if position - max(found, start) > Self.shortOverrun, !memory.fruitless.isEmpty,
                memory.fruitless[position] == state
            {
                break
            }
        }
        memory.work += position - start + 1
        if position - max(found, start) > Self.shortOverrun {
            remember(text, from: max(found, start), to: position, end: end, state: stateThere, &memory)
        }
        return found > start ? found : nil
    }

    /// Goes once more over what was read in vain. A search that comes to a state that was here before ends.
    private func remember(
        _ text: [UInt8],
        from start: Int,
        to last: Int,
        end: Int,
        state first: UInt32,
        _ memory: inout Memory
    ) {
        var state = first
        var position = start
        while position < min(last, end) {
            let scalar = UTF8Decoding.scalar(in: text, at: position)
            state = transitions[Int(state) * width + Int(classes.number(of: scalar.value))] >> 1
            position += scalar.length
            guard state != Self.dead, memory.fruitless.updateValue(state, forKey: position) != state else {
                break
            }
            memory.work += scalar.length
        }
    }
}

/// Builds the deterministic automaton: a state is the ordered list of the threads that are alive.
private struct PatternAutomaton {
    private let program: PatternProgram
    private let classes: ScalarClasses
    private var numbers: [[Int32]: UInt32] = [[]: 0, [0]: 1]
    private var states: [[Int32]] = [[], [0]]

    init(_ program: PatternProgram, _ classes: ScalarClasses) {
        self.program = program
        self.classes = classes
    }

    mutating func transitions(limit: Int) throws(PatternFault) -> [UInt32] {
        var table: [UInt32] = []
        var index = 0
        while index < states.count {
            guard states.count <= limit else { throw PatternFault(reason: "it has too many states") }
            for number in 0..<classes.count { table.append(step(states[index], on: number)) }
            table.append(step(states[index], on: nil))
            index += 1
        }
        return table
    }

    /// `number` is the class of the next scalar, `nil` at the text's end.
    private mutating func step(_ state: [Int32], on number: Int?) -> UInt32 {
        var next: [Int32] = []
        var seen: Set<Int32> = []
        var taken: Set<Int32> = []
        var waiting = Array(state.reversed())
        var matched = false
        while let index = waiting.popLast() {
            guard seen.insert(index).inserted else { continue }
            switch program.instructions[Int(index)] {
            case .match: matched = true
            case .jump(let target): waiting.append(Int32(target))
            case .split(let first, let second): waiting += [Int32(second), Int32(first)]
            case .look(let set, let passesAtEnd):
                if number.map({ classes.members[$0][set] }) ?? passesAtEnd { waiting.append(index + 1) }
            case .take(let set):
                guard let number, classes.members[number][set] else { break }
                if taken.insert(index + 1).inserted { next.append(index + 1) }
            }
            // Threads behind the one that matched would never be asked.
            if matched { break }
        }
        return self.number(of: next) << 1 | (matched ? 1 : 0)
    }

    private mutating func number(of state: [Int32]) -> UInt32 {
        if let known = numbers[state] { return known }
        let number = UInt32(states.count)
        numbers[state] = number
        states.append(state)
        return number
    }
}
