import BreezeTestSupport
import Testing

@testable import BreezeEngine

@Suite struct FilteredTextTests {
    @Test func `what is removed is replaced once, however it is released`() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let length = Int.random(in: 1...40, using: &generator)
            let bytes = (0..<length).map { _ in "abcdefgh".utf8.randomElement(using: &generator) ?? 97 }
            let spans = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                let lower = Int.random(in: 0..<length, using: &generator)
                return lower..<Int.random(in: (lower + 1)...length, using: &generator)
            }
            // By hand: a byte within any span is out; a marker stands where a group of spans that overlap begins.
            let sorted = spans.sorted { $0.lowerBound < $1.lowerBound }
            var groups: [Range<Int>] = []
            for span in sorted {
                if let last = groups.last, span.lowerBound < last.upperBound {
                    groups[groups.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
                } else {
                    groups.append(span)
                }
            }
            var expected = ""
            for (offset, byte) in bytes.enumerated() {
                if groups.contains(where: { $0.lowerBound == offset }) { expected += "[removed: x]" }
                if !groups.contains(where: { $0.contains(offset) }) {
                    expected += String(decoding: [byte], as: UTF8.self)
                }
            }
            var text = FilteredText()
            text.append(String(decoding: bytes, as: UTF8.self))
            for span in spans.shuffled(using: &generator) {
                let isRemoved = text.remove(span, as: "x")
                #expect(isRemoved)
            }
            var out = ""
            var position = 0
            while position < length {
                position += Int.random(in: 1...8, using: &generator)
                out += text.release(upTo: min(position, length))
            }
            #expect(out == expected)
        }
    }

    @Test func `what has gone out cannot be removed, its rest can`() {
        var text = FilteredText()
        text.append("one two three")
        let first = text.release(upTo: 5)
        let (isGone, isRemoved) = (!text.remove(0..<3, as: "x"), text.remove(4..<7, as: "x"))
        let rest = text.release(upTo: 13)
        #expect(first == "one t")
        #expect(isGone && isRemoved)
        #expect(rest == "[removed: x] three")
    }

    @Test(arguments: ["e\u{301}x", "👩‍👩‍👧x", "\r\nx", "日x"])
    func `a cut never goes through a character`(sample: String) {
        let first = String(sample.prefix(1))
        for position in 1..<first.utf8.count {
            var text = FilteredText()
            text.append(sample)
            let early = text.release(upTo: position)
            let all = text.release(upTo: sample.utf8.count)
            #expect(early == "")
            #expect(all == sample)
        }
    }

    @Test func `a character without end is cut between its scalars`() {
        var text = FilteredText()
        text.append("e" + String(repeating: "\u{301}", count: 500))
        let first = text.release(upTo: 400)
        let rest = text.release(upTo: 1001)
        #expect(first.utf8.count == 399)
        #expect(rest.utf8.count == 602)
    }
}
