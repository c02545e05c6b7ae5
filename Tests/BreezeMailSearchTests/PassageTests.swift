import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeMail
@testable import BreezeMailSearch

struct `Passages of a text` {
    private func texts(_ own: String) -> [String] {
        PassageSplitter.passages(own).map { PassageSplitter.text($0, of: own) }
    }

    @Test func `a short text is one`() {
        #expect(texts("Come at noon.") == ["Come at noon."])
    }

    @Test func `a text that is empty has one without a length, and the subject is what it says`() {
        let passages = PassageSplitter.passages(" \n")
        #expect(passages == [MailPassage(start: 0, length: 0)])
        #expect(PassageSplitter.text(passages[0], of: " \n", subject: "Tide", sender: "") == "Tide")
    }

    @Test func `each begins with who wrote it and with the subject`() {
        let own = "Come at noon."
        let passage = PassageSplitter.passages(own)[0]
        #expect(
            PassageSplitter.text(passage, of: own, subject: "Tide", sender: "Ada")
                == "Ada\nTide\nCome at noon."
        )
        #expect(PassageTable.name("Ada Alder <ada@example.org>\nBen <ben@example.org>") == "Ada Alder")
        #expect(PassageTable.name("ada@example.org") == "ada@example.org")
        #expect(PassageTable.name("") == "")
    }

    @Test func `a long text ends its passages at ends of sentences, and they overlap`() {
        let sentence = "The keeper of the lighthouse wrote down what he had seen. "
        let own = String(repeating: sentence, count: 60)
        let found = texts(own)
        #expect(found.count > 3)
        #expect(
            found.dropLast().allSatisfy { $0.hasSuffix("seen.") && $0.utf8.count <= PassageSplitter.length }
        )
        for (one, next) in zip(found, found.dropFirst()) {
            #expect(one.contains(next.prefix(30)))
        }
    }

    /// Any text is read whole, in order, in whole characters, and the work ends.
    @Test(arguments: 1...20) func `nothing is left out`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let pieces = ["word ", "灯台", "é", "\n\n", ".", " ", "👩‍🚒", "averylongwordwithoutspace", "\t", "a"]
        let own = (0..<Int.random(in: 1...3_000, using: &random)).map { _ in
            pieces[Int.random(in: 0..<pieces.count, using: &random)]
        }.joined()
        let bytes = Array(own.utf8)
        var end = 0
        for passage in PassageSplitter.passages(own) {
            #expect(passage.length <= PassageSplitter.length)
            #expect(passage.start <= end || bytes[end..<passage.start].allSatisfy { $0 <= 32 })
            #expect(passage.start + passage.length > end || bytes.count == 0 || passage.length == 0)
            #expect(!PassageSplitter.text(passage, of: own).contains("\u{FFFD}"))
            end = passage.start + passage.length
        }
        let isWhole = bytes[end...].allSatisfy { $0 <= 32 }
        #expect(isWhole || PassageSplitter.passages(own).count == PassageSplitter.mostPassages)
    }

    @Test func `what was quoted and what is signed is not the writer's own`() {
        let body = """
            I agree with the plan.

            On Monday Ada wrote:
            > We could leave at noon.

            -- 
            Ben Birch
            Harbour Street 4
            """
        #expect(PassageSplitter.ownText(body) == "I agree with the plan.")
        let quoted = "> We could leave at noon."
        #expect(PassageSplitter.ownText(quoted) == quoted)
    }
}
