/// A tree of words, and the automaton that it becomes.
struct PhraseTrie {
    struct Found {
        var classes: [PhraseClass]
        let length: Int
    }

    struct Automaton {
        var next: [UInt16]
        var depth: [UInt8]
        var foundStart: [Int32]
        var found: [Found]
    }

    private static let missing = UInt16.max

    private let letterCount: Int
    private var children: [UInt16] = []
    private var depth: [UInt8] = [0]
    /// What ends in a state, by the state.
    private var words: [Int: Found] = [:]

    init(letterCount: Int) {
        self.letterCount = letterCount
        children = Array(repeating: Self.missing, count: letterCount)
    }

    mutating func insert(_ word: [UInt8], _ kind: PhraseClass) {
        var state = 0
        for letter in word {
            let place = state * letterCount + Int(letter)
            if children[place] == Self.missing {
                precondition(depth.count < Int(Self.missing), "more states than a 16-bit number names")
                children[place] = UInt16(depth.count)
                depth.append(depth[state] + 1)
                children += Array(repeating: Self.missing, count: letterCount)
            }
            state = Int(children[place])
        }
        words[state, default: Found(classes: [], length: word.count)].classes.append(kind)
    }

    /// Where no child follows, a state goes on like the longest of its own endings that is a state too.
    func automaton() -> Automaton {
        var next = children
        var ending = [Int](repeating: 0, count: depth.count)
        var found = [[Found]](repeating: [], count: depth.count)
        var queue = [0]
        var head = 0
        while head < queue.count {
            let state = queue[head]
            head += 1
            // Longest first: endings are shorter, and they are complete, since they stand higher in the tree.
            found[state] = (words[state].map { [$0] } ?? []) + (state == 0 ? [] : found[ending[state]])
            for letter in 0..<letterCount {
                let place = state * letterCount + letter
                let fallback = state == 0 ? 0 : Int(next[ending[state] * letterCount + letter])
                if next[place] == Self.missing {
                    next[place] = UInt16(fallback)
                } else {
                    ending[Int(next[place])] = fallback
                    queue.append(Int(next[place]))
                }
            }
        }
        var foundStart: [Int32] = [0]
        for list in found { foundStart.append((foundStart.last ?? 0) + Int32(list.count)) }
        return Automaton(next: next, depth: depth, foundStart: foundStart, found: found.flatMap(\.self))
    }
}
