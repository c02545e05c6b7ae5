import Testing

@testable import BreezeLlamaRunner

@Suite struct ThinkingSplitterTests {
    private func split(_ pieces: [String], _ tags: ThinkingTags?) -> ThinkingSplitter.Parts {
        var splitter = ThinkingSplitter(tags)
        var whole = ThinkingSplitter.Parts()
        for parts in pieces.map({ splitter.append($0) }) + [splitter.finish()] {
            whole.reasoning += parts.reasoning
            whole.text += parts.text
        }
        return whole
    }

    private func tags(after prompt: String = "") -> ThinkingTags? {
        ThinkingTags(start: "<think>", ends: ["</think>", "<answer>"], after: prompt)
    }

    @Test(arguments: [
        ("<think>\nso\n</think>\n\nyes", "", "so", "yes"), ("yes", "", "", "yes"),
        (" <think>a</think> b </think>", "", "a", "b </think>"), ("<thin", "", "", "<thin"),
        ("<think>cut off ", "", "cut off", ""), ("a b\nc</think>d", "<think>\n", "a b\nc", "d"),
        ("d <think>", "<think>\n\n</think>\n\n", "", "d <think>"), ("<think></think>x", "", "", "x"),
        ("<think>a <b> c</thinkx</think>d", "", "a <b> c</thinkx", "d"), ("<think>a<answer>b", "", "a", "b"),
        ("", "", "", ""), ("  x ", "", "", "  x "),
    ])
    func `thinking and answer are told apart, wherever the text is cut`(
        text: String,
        prompt: String,
        reasoning: String,
        answer: String
    ) {
        let expected = ThinkingSplitter.Parts(reasoning: reasoning, text: answer)
        let characters = text.map { String($0) }
        #expect(split(characters, tags(after: prompt)) == expected)
        for cut in 0...characters.count {
            let pieces = [characters[..<cut].joined(), characters[cut...].joined()]
            #expect(split(pieces, tags(after: prompt)) == expected, "cut at \(cut)")
        }
    }

    @Test func `a model without tags has no thinking`() {
        #expect(split(["<think>", "a</think>"], nil).text == "<think>a</think>")
        #expect(ThinkingTags(start: "", ends: [], after: "") == nil)
    }
}
