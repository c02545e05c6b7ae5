import Testing

@testable import BreezeTokenizers

@Suite struct `Patterns of tokenizers` {
    private func pieces(_ pattern: String, _ text: String) throws -> [String] {
        let bytes = Array(text.utf8)
        var memory = PatternMatcher.Memory()
        let splitter = PieceSplitter(delimiter: .pattern(try PatternMatcher(pattern)))
        return splitter.split(bytes, [0..<bytes.count], &memory).map {
            String(decoding: bytes[$0], as: UTF8.self)
        }
    }

    /// What Python's `re` and `regex` find with the same patterns.
    @Test(
        arguments: [
            ("a|ab", "abab", ["a", "b", "a", "b"]),
            ("ab|a", "aba", ["ab", "a"]),
            ("a+?b?", "aab", ["a", "ab"]),
            ("a{2,3}", "aaaaa", ["aaa", "aa"]),
            (#"\s+(?!\S)|\s+"#, "a  b ", ["a", " ", " ", "b", " "]),
            ("(?i:'s|'ll)", "'S'lL's", ["'S", "'lL", "'s"]),
            ("(?i:k)", "K\u{212A}", ["K", "\u{212A}"]),
            (#"[^\r\n\p{L}]?+\p{L}++"#, "-ab,cd", ["-ab", ",cd"]),
            (#"[\p{L}&&[^a-c]]+"#, "abcdef", ["abc", "def"]),
            (#"[\p{Lu}\d]+"#, "ABc12", ["AB", "c", "12"]),
            (#"\p{N}{1,3}+"#, "12345", ["12345"]),
            ("(?=a)[ab]", "ba", ["b", "a"]),
            ("x(?:a|b)*y", "xabyx", ["xaby", "x"]),
            (#"\x41\u0042\x{43}"#, "ABC", ["ABC"]),
            ("", "ab", ["ab"]),
        ] as [(String, String, [String])]
    )
    func `divide a text as a backtracking engine does`(pattern: String, text: String, expected: [String])
        throws
    {
        #expect(try pieces(pattern, text) == expected)
    }

    @Test(arguments: [
        "(", ")", "[a", "a{", "a{3,1}", #"\p{Nonsense}"#, "(?<=a)b", "(?=ab)c", "^a", #"\b"#, "a++a", "[b-a]",
        "*a",
        #"\k"#, "(?:(?:a{1000}){1000})",
    ])
    func `that are not supported are refused with a reason`(pattern: String) {
        #expect(throws: PatternFault.self) { try PatternMatcher(pattern) }
    }

    @Test func `nested without end are refused`() {
        let pattern = String(repeating: "(", count: 10_000) + String(repeating: ")", count: 10_000)
        #expect(throws: PatternFault.self) { try PatternMatcher(pattern) }
    }
}
