import BreezeMail
import Foundation
import Testing

@Suite struct `Snippets` {
    private func snippet(_ text: String, _ query: String, _ length: Int) throws -> Snippet {
        Snippet(of: text, for: try MailQuery(query, clock: sunday).root, length: length)
    }

    /// The text with its marks in brackets, and dots where it is cut.
    private func shown(_ snippet: Snippet) -> String {
        let scalars = Array(snippet.text.unicodeScalars)
        var shown = snippet.isCutBefore ? "…" : ""
        for (place, scalar) in scalars.enumerated() {
            if snippet.marks.contains(where: { $0.lowerBound == place }) { shown += "[" }
            shown.unicodeScalars.append(scalar)
            if snippet.marks.contains(where: { $0.upperBound == place + 1 }) { shown += "]" }
        }
        return shown + (snippet.isCutAfter ? "…" : "")
    }

    private static let letter = """
        Dear Ada, thank you for the maps. They came on Friday.

        The Café at the harbour has a blue boat for rent. Shall we take the boat on Sunday? It is cheap.
        """

    @Test(arguments: [
        (
            "boat", 200,
            "Dear Ada, thank you for the maps. They came on Friday. The Café at the harbour has a blue [boat] for rent. Shall we take the [boat] on Sunday? It is cheap."
        ),
        ("boat sunday", 40, "…Shall we take the [boat] on [Sunday]? It is…"),
        ("CAFE", 30, "…The [Café] at the harbour has a…"),
        ("maps", 33, "Dear Ada, thank you for the [maps].…"), ("nothing", 12, "Dear Ada,…"),
        ("harb*", 28, "…The Café at the [harbour] has…"),
        ("boat -blue", 22, "…blue [boat] for rent.…"), ("subject:cheap", 12, "…It is [cheap]."),
    ])
    func `hold the sentence that says most`(query: String, length: Int, expected: String) throws {
        let snippet = try snippet(Self.letter, query, length)
        #expect(shown(snippet) == expected)
        #expect(snippet.text.unicodeScalars.count <= length)
    }

    @Test func `mark words as the index compares them`() throws {
        #expect(
            shown(try snippet("Z\u{65}\u{301}ro, zéro and ZERO; zeros", "zero", 90))
                == "[Z\u{65}\u{301}ro], [zéro] and [ZERO]; zeros"
        )
        #expect(shown(try snippet("あの灯台。灯台 と船", "灯台", 90)) == "あの灯台。[灯台] と船")
        #expect(shown(try snippet("Ångström straße", "angstrom \"straße\"", 90)) == "[Ångström] [straße]")
    }

    @Test func `of a word that is too long show its beginning, and of nothing nothing`() throws {
        #expect(
            try snippet(String(repeating: "a", count: 500), "x", 10).text == String(repeating: "a", count: 10)
        )
        #expect(try snippet(String(repeating: "a", count: 500), "a*", 10).text.unicodeScalars.count <= 10)
        #expect(shown(try snippet(" \n ", "x", 10)) == "")
        #expect(try snippet("a b", "a", 0).text == "a")
    }

    @Test func `take time linear in the text`() throws {
        let text = String(repeating: "boat. ", count: 100_000)
        let clock = ContinuousClock()
        let snippet = try snippet(text, "boat blue", 200)
        #expect(snippet.marks.count == 33)
        let once = try clock.measure { _ = try self.snippet(text, "boat blue", 200) }
        let fourfold = try clock.measure { _ = try self.snippet(text + text + text + text, "boat blue", 200) }
        #expect(fourfold < once * 16)
    }
}
