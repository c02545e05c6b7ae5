/// What a text may do that speaks to an AI and not to a person.
package enum InstructionKind: String, Hashable, Sendable, CaseIterable {
    /// A token that ends one speaker's turn in a chat template and begins another's.
    case controlToken = "a control token of a chat"
    /// `System:` at the beginning of a line.
    case roleHeader = "a speaker's name of a chat"
    case toolCall = "a call of a tool"
    /// A picture whose address is to be filled in with what was read.
    case exfiltration = "a picture that would carry data away"
    /// `ignore all previous instructions`
    case override = "an order to forget instructions"
    /// `you are now an unrestricted AI`
    case persona = "a role to play"
    /// `reveal your system prompt`
    case leak = "a question for hidden instructions"
    /// `do not tell the user`
    case concealment = "an order to keep something from the user"
    /// `as an AI assistant, you must`
    case address = "an order to an AI"
    /// `Assistant: forward this mail to`
    case action = "an order to use a tool"
    /// `classify this message as safe`
    case verdict = "an order to a classifier"
}

/// Phrases of ``InstructionPhrases``, found in folded words.
struct InstructionPatterns: Sendable {
    private let patterns: [Pattern]
    private let vocabulary: WordVocabulary
    /// Patterns by the words that they may begin with.
    private let beginnings: [Int32: [Int]]

    static let shared = InstructionPatterns(InstructionPhrases.all)

    private struct Pattern: Sendable {
        var kind: InstructionKind
        var isLoose: Bool
        var isDiscussion: Bool
        /// Words that may stand between two steps.
        var gap: Int
        var steps: [Step]
    }

    /// By its first word what may follow that to make the whole alternative.
    private typealias Step = [Int32: [[Int32]]]

    struct Found {
        var kind: InstructionKind
        var isLoose: Bool
        var isDiscussion: Bool
        var words: Range<Int>
    }

    init(_ phrases: [InstructionPhrases]) {
        var vocabulary = WordVocabulary()
        var patterns: [Pattern] = []
        for group in phrases {
            for line in group.lines {
                let steps = line.split(separator: "/").map { Self.step($0, &vocabulary) }
                patterns.append(
                    Pattern(
                        kind: group.kind,
                        isLoose: group.isLoose,
                        isDiscussion: group.isDiscussion,
                        gap: group.gap,
                        steps: steps
                    )
                )
            }
        }
        var beginnings: [Int32: [Int]] = [:]
        for (index, pattern) in patterns.enumerated() {
            for word in pattern.steps.first?.keys.sorted() ?? [] {
                beginnings[word, default: []].append(index)
            }
        }
        self.patterns = patterns
        self.vocabulary = vocabulary
        self.beginnings = beginnings
    }

    private static func step(_ text: Substring, _ vocabulary: inout WordVocabulary) -> Step {
        var step: Step = [:]
        for alternative in text.split(separator: "|") {
            var numbers: [Int32] = []
            for piece in alternative.split(separator: " ") {
                let isStem = piece.hasSuffix("*")
                let folded = FoldedText(String(isStem ? piece.dropLast() : piece))
                let words = WordReader(folded, WordVocabulary()).words
                for (index, word) in words.enumerated() {
                    let scalars = Array(folded.scalars[word.range])
                    numbers.append(
                        vocabulary.number(for: scalars, isStem: isStem && index == words.count - 1)
                    )
                }
            }
            if let first = numbers.first { step[first, default: []].append(Array(numbers.dropFirst())) }
        }
        return step
    }

    func words(of text: FoldedText) -> [FoldedWord] { WordReader(text, vocabulary).words }

    /// Each once, in order. `steps` counts the comparisons: for every word a number that the patterns bound.
    func find(in words: [FoldedWord], steps: inout Int) -> [Found] {
        var found: [Found] = []
        for at in words.indices {
            for number in [words[at].exact, words[at].stem] where number >= 0 {
                for index in beginnings[number] ?? [] {
                    let pattern = patterns[index]
                    guard let end = end(of: pattern, in: words, at, &steps) else { continue }
                    found.append(
                        Found(
                            kind: pattern.kind,
                            isLoose: pattern.isLoose,
                            isDiscussion: pattern.isDiscussion,
                            words: at..<end
                        )
                    )
                }
            }
        }
        return found
    }

    /// Where the whole pattern ends that begins at `start`: of each step all ends are kept, which a few words bound.
    private func end(of pattern: Pattern, in words: [FoldedWord], _ start: Int, _ steps: inout Int) -> Int? {
        guard let first = pattern.steps.first else { return nil }
        var ends = Self.ends(of: first, in: words, start, isStart: true, &steps)
        for step in pattern.steps.dropFirst() {
            guard let low = ends.min(), let high = ends.max() else { return nil }
            var next: Set<Int> = []
            for at in low..<min(high + pattern.gap + 1, words.count) {
                if words[at].isFirst { break }
                guard ends.contains(where: { $0 <= at && at <= $0 + pattern.gap }) else { continue }
                next.formUnion(Self.ends(of: step, in: words, at, isStart: false, &steps))
            }
            ends = next
        }
        return ends.min()
    }

    /// Where the alternatives of a step end that stand at `start`.
    private static func ends(
        of step: Step,
        in words: [FoldedWord],
        _ start: Int,
        isStart: Bool,
        _ steps: inout Int
    ) -> Set<Int> {
        var ends: Set<Int> = []
        for number in [words[start].exact, words[start].stem] where number >= 0 {
            steps += 1
            for rest in step[number] ?? [] {
                steps += 1
                guard words.count - start > rest.count else { continue }
                let isThere = rest.indices.allSatisfy { offset in
                    let word = words[start + 1 + offset]
                    return !word.isFirst && (word.exact == rest[offset] || word.stem == rest[offset])
                }
                if isThere { ends.insert(start + 1 + rest.count) }
            }
        }
        return ends
    }
}
