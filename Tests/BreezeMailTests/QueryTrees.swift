import BreezeMail
import BreezeTestSupport

/// Random queries: trees in normal form, and texts that break parsers.
struct QueryTrees {
    var random: SeededGenerator

    private static let words = [
        "boat", "Boot", "blue", "harbour", "atlas", "cafe", "naïve", "F28", "ring_contains", "灯台", "and",
        "OR", "not", "a\"b", "x\"\u{301}y",
        "blue boat", "boat*", "(boat)", "-boat", "from:ada", "NEAR", "12:30", "it's", "a/b", "{a} : b",
        "^boat", "boat\nhouse", "«x»", "\\", "1e9",
    ]
    private static let pieces = [
        "boat", "blue", "AND", "OR", "NOT", "NEAR", "(", ")", "\"", "\"\"", "*", "-", ":", "from:", "date:",
        "date:2020", "size:", "in:", "is:", "foo:", " ",
        " ", "{", "}", "^", "+", "'", ";", "--", "/*", "\\", "\u{0}", "\u{301}", "“", "”", "„", "«", "..",
        "@", "%", "_", "é", "灯", "☂", "\u{FFFD}", "\u{202E}",
        "\t", "\n", ",", ".", "<", ">", "and", "or", "not", "id:", "thread:", "path:", "subject:(", "a", "1",
        "last_week", "path:a/**", "\u{E000}", "\u{200D}",
    ]

    mutating func text() -> String {
        (0..<Int.random(in: 0...14, using: &random)).map { _ in
            Self.pieces.randomElement(using: &random) ?? ""
        }.joined()
    }

    mutating func tree(depth: Int = 4) -> QueryNode {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
        case 0: return .field(field())
        case 1...4:
            guard let word = Self.words.randomElement(using: &random), word != "\\",
                let scope = QueryScope.allCases.randomElement(using: &random)
            else { return .everything }
            return .text(QueryText(word, in: scope, isPrefix: Int.random(in: 0..<4, using: &random) == 0))
        case 5, 6: return .all(of: children(depth))
        case 7: return .any(of: children(depth))
        default: return .negation(of: tree(depth: depth - 1))
        }
    }

    private mutating func children(_ depth: Int) -> [QueryNode] {
        (0..<Int.random(in: 2...4, using: &random)).map { _ in tree(depth: depth - 1) }
    }

    private mutating func field() -> QueryField {
        let low = Int64.random(in: 0...5, using: &random)
        let range =
            [
                QueryRange(low, low + 3), QueryRange(nil, low), QueryRange(low, nil),
            ].randomElement(using: &random) ?? QueryRange(low, nil)
        let name = ["a", "b/c", "blue", "x\"y", "a@b.c", "12:30"].randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<11, using: &random) {
        case 0: return .date(range)
        case 1: return .size(range)
        case 2: return .has(QueryPossession.allCases.randomElement(using: &random) ?? .link)
        case 3: return .flag(QueryFlag.allCases.randomElement(using: &random) ?? .new)
        case 4: return .tag(name)
        case 5:
            let path = name.split(separator: "/").map(String.init)
            return .folder(
                QueryFolder(path, isWhole: Bool.random(using: &random), isDeep: Bool.random(using: &random))
            )
        case 6: return .list(QueryList(name))
        case 7: return .category(name)
        case 8: return .thread(name)
        case 9: return .messageID(name)
        default: return .type(QueryType(name))
        }
    }

    mutating func mail() -> IndexedMail {
        var mail = IndexedMail()
        let words = [
            "boat", "boot", "blue", "Harbour", "café", "naive", "f28", "ring", "contains", "boats", "house",
            "x", "b", "30", "and",
        ]
        for scope in QueryScope.allCases {
            let text = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                words.randomElement(using: &random) ?? ""
            }
            mail.texts[scope] = text.joined(separator: " ")
            mail.words[scope] = (mail.texts[scope] ?? "").foldedWords
        }
        let names = ["a", "b", "blue", "a@b.c", "x\"y"]
        mail.date = Int64.random(in: 0...8, using: &random)
        mail.size = Int64.random(in: 0...8, using: &random)
        mail.possessions = Set(QueryPossession.allCases.filter { _ in Bool.random(using: &random) })
        mail.flags = Set(QueryFlag.allCases.filter { _ in Bool.random(using: &random) })
        mail.tags = Set(names.filter { _ in Bool.random(using: &random) })
        mail.folder = [[], ["a"], ["b", "c"], ["x", "a"], ["INBOX"]].randomElement(using: &random) ?? []
        mail.list = names.randomElement(using: &random)
        mail.category = names.randomElement(using: &random) ?? ""
        mail.thread = names.randomElement(using: &random) ?? ""
        mail.id = names.randomElement(using: &random) ?? ""
        mail.types = ["b/c", "blue/a"]
        return mail
    }
}
