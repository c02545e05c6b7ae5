import BreezeTestSupport
import Testing

@testable import BreezeEngine

@Suite struct LetOutTests {
    @Test func `a text is the same however it was cut, and another one is not`() {
        let text = "The tide äö€ comes in 👩‍👩‍👧 twice a day, and goes out as often."
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var left = LetOut(keepsWords: false)
            var rest = text[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...9, using: &random))
                left.append(String(piece))
                rest = rest.dropFirst(piece.count)
            }
            #expect(left.isSame(as: text) && left.words == nil)
            #expect(!left.isSame(as: text + " ") && !left.isSame(as: String(text.dropLast())))
        }
    }

    @Test func `words that are kept are there`() {
        var left = LetOut(keepsWords: true)
        for piece in ["a", " b", "c"] { left.append(piece) }
        #expect(left.words == "a bc" && left.isSame(as: "a bc") && !left.isSame(as: "a"))
        #expect(LetOut("x").isSame(as: "x"))
    }
}
