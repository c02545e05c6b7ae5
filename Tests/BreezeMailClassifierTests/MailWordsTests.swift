import Testing

@testable import BreezeMailClassifier

@Suite struct MailWordsTests {
    @Test(arguments: [
        ("Free MONEY now", "free money now"),
        // A zero-width space, a soft hyphen, and a mark of direction.
        ("fr\u{200B}ee mo\u{AD}ney\u{202E} now", "free money now"),
        // Full width, and mathematical letters.
        ("ｆｒｅｅ 𝐦𝐨𝐧𝐞𝐲 now", "free money now"),
        ("pay $100 today", "pay $ 99999999 today"),
        ("it’s “free” – now", "it's \"free\" - now"),
        ("see https://a.example/x?y=1 now", "see http://other.example/longer/path now"),
        ("write to ada.l@mail.example today", "write to bob@post.example today"),
        ("really!!!! yes", "really!! yes"), ("so \u{2764}\u{FE0F} it", "so \u{2764} it"),
    ])
    func `what is written otherwise and means the same has the same features`(one: String, other: String) {
        #expect(MailWords(subject: "", text: one).features == MailWords(subject: "", text: other).features)
    }

    @Test func `a word counts once, its neighbours as a pair, and the subject's as words of their own`() {
        let words = MailWords(subject: "tide", text: "tide times tide times", isNamed: true)
        #expect(Set(words.names.values) == ["s:tide", "tide", "times", "tide times", "times tide"])
        #expect(words.features == words.features.sorted() && Set(words.features).count == 5)
        #expect(words.names.keys.sorted() == words.features)
        let subject = MailWords(subject: "high tide", text: "", isNamed: true)
        let plain: Set = ["high", "tide", "high tide"]
        #expect(Set(subject.names.values) == plain.union(plain.map { "s:" + $0 }))
    }

    @Test func `marks are words of their own`() {
        let text = "Now, snake_case (yes)! €5 → 😀"
        let names = Set(MailWords(subject: "", text: text, isNamed: true).names.values)
        let marks: Set = [",", "(", ")", ") !", "!", "€", "€ <number>", "→", "😀"]
        #expect(names.isSuperset(of: marks.union(["now", "snake case", "yes"])))
        #expect(!names.contains("_"))
    }

    @Test func `an address or a link leaves no letter of it behind`() {
        let text = "Call ada@lighthouse.example or see www.lighthouse.example/keeper, 555 0147."
        let names = Set(MailWords(subject: "", text: text, isNamed: true).names.values)
        #expect(!names.contains { $0.contains("lighthouse") || $0.contains("ada") || $0.contains("5") })
        #expect(names.isSuperset(of: ["<address>", "<link>", "<number>"]))
    }

    @Test func `scripts without spaces are cut into characters and their pairs`() {
        let names = Set(MailWords(subject: "", text: "無料です", isNamed: true).names.values)
        #expect(names.isSuperset(of: ["無", "料", "無 料"]))
    }

    @Test func `a long text is read to its limit, and hostile ones to their end`() {
        let long = String(repeating: "word ", count: 100_000)
        #expect(MailWords(subject: long, text: long).features.count == 4)
        for text in [
            "", "\u{0}\u{FFFF}", String(repeating: "a", count: 100_000), String(repeating: "@", count: 9_000),
        ] {
            #expect(MailWords(subject: text, text: text).features.allSatisfy { $0 < MailWords.dimension })
        }
    }
}
