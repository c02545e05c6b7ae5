#if Hub
import BreezeMail
import BreezeMailIndex
import BreezeMailTestSupport
import BreezeTestSupport
import Foundation
import GRDB
import Testing

@testable import BreezeMailSearch

/// Every query finds what a plain reading of it finds, message by message.
@Suite(.enabled(if: SearchBench.isAvailable, "the trait Mail is off"))
struct `Queries and their plain meaning` {
    private static let words = [
        "boat", "blue", "harbour", "atlas", "café", "rope", "tide", "anchor", "seven",
    ]
    private static let senders = [
        "Ada Alder <ada@example.org>", "Carl <carl@shop.example>", "dora@boats.example",
    ]

    private func mailbox(_ random: inout SeededGenerator) async throws -> SearchBench {
        let bench = try SearchBench()
        for number in 1...60 {
            func text(_ count: Int) -> String {
                (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(separator: " ")
            }
            var headers = ""
            if number % 3 == 0 {
                headers += "References: <m\(Int.random(in: 1...60, using: &random))@example.org>\n"
            }
            if number % 5 == 0 { headers += "Cc: \(Self.words[number % 9]) Reader <reader@example.com>\n" }
            if number % 4 == 0 { headers += "List-Id: <\(Self.words[number % 3]).lists.example>\n" }
            let isFile = number % 7 == 0
            if isFile {
                headers +=
                    "MIME-Version: 1.0\nContent-Type: application/pdf\n"
                    + "Content-Disposition: attachment; filename=\"\(Self.words[number % 9]).pdf\"\n"
            }
            let link = number % 6 == 0 ? " https://example.org/\(number)" : ""
            try bench.write(
                number,
                text(Int.random(in: 1...3, using: &random)),
                isFile ? "data" : text(Int.random(in: 0...8, using: &random)) + link,
                from: Self.senders.randomElement(using: &random) ?? "",
                headers: headers,
                in: ["cur", "new", ".Lists.Boats/cur", ".Work/cur"].randomElement(using: &random) ?? "cur",
                flags: ["", "S", "FS", "RS", "DPS", "T"].randomElement(using: &random) ?? ""
            )
        }
        try await bench.indexMail()
        return bench
    }

    private func plain(_ bench: SearchBench) async throws -> [PlainMail] {
        let messages = try await bench.index.list(limit: 1_000)
        let names = try await bench.index.read { database in
            try Row.fetchAll(database, sql: "SELECT id, name FROM thread").map {
                ($0[0] as Int64, $0[1] as String)
            }
        }
        let byThread = Dictionary(grouping: messages) { $0.thread ?? -1 }
        let nameOf = Dictionary(uniqueKeysWithValues: names)
        var mails: [PlainMail] = []
        for message in messages {
            let thread = message.thread ?? -1
            let ids = Set((byThread[thread] ?? []).map(\.messageID) + [nameOf[thread] ?? ""])
            let text = try await bench.index.text(of: message.id) ?? ""
            mails.append(PlainMail(message, text: text, thread: ids))
        }
        return mails
    }

    @Test(arguments: 1...4) func `are the same`(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let bench = try await mailbox(&random)
        let mails = try await plain(bench)
        var (empty, all) = (0, 0)
        for _ in 0..<Soak.count(400) {
            let root = Self.tree(&random, depth: 3)
            // What is asked to hold more words than a person types is found by some of them.
            guard root.plainWords.count <= 6 else { continue }
            let wanted = Set(mails.filter(root.accepts).map(\.message.messageID))
            let options = SearchOptions(mode: .words, limit: 1_000, isExplained: true)
            let results = try await bench.wordSearch.search(MailQuery(root: root), options)
            let found = results.hits.filter { $0.explanation?.isRelaxed != true }.map(\.messageID)
            #expect(Set(found) == wanted, "\(root)")
            #expect(Set(results.hits.map(\.message)).count == results.hits.count, "\(root)")
            empty += wanted.isEmpty ? 1 : 0
            all += wanted.count == mails.count ? 1 : 0
        }
        // Else little was compared.
        #expect(empty < Soak.count(400) * 3 / 4 && all < Soak.count(400) / 4)
    }

    private static func tree(_ random: inout SeededGenerator, depth: Int) -> QueryNode {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0...2: return .text(text(&random))
        case 3...5: return .field(field(&random))
        case 6, 7: return .all(of: children(&random, depth))
        case 8: return .any(of: children(&random, depth))
        default: return .negation(of: tree(&random, depth: depth - 1))
        }
    }

    private static func children(_ random: inout SeededGenerator, _ depth: Int) -> [QueryNode] {
        (0..<Int.random(in: 2...3, using: &random)).map { _ in tree(&random, depth: depth - 1) }
    }

    private static func text(_ random: inout SeededGenerator) -> QueryText {
        let word = words.randomElement(using: &random) ?? ""
        let other = words.randomElement(using: &random) ?? ""
        let text = Int.random(in: 0..<5, using: &random) == 0 ? "\(word) \(other)" : word
        let scope =
            Bool.random(using: &random) ? .anywhere : QueryScope.allCases.randomElement(using: &random)
        let isPrefix = Int.random(in: 0..<5, using: &random) == 0
        return QueryText(isPrefix ? String(text.dropLast()) : text, in: scope ?? .body, isPrefix: isPrefix)
    }

    private static func field(_ random: inout SeededGenerator) -> QueryField {
        func pick<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }
        let low = Int64.random(in: 0...500, using: &random)
        let day = Int64(1_793_500_000) + Int64.random(in: 0...2_400_000, using: &random)
        let number = Int.random(in: 1...60, using: &random)
        let folders = [["Lists"], ["Boats"], ["Lists", "Boats"], ["Work"], [], ["INBOX"], ["Nowhere"]]
        switch Int.random(in: 0..<11, using: &random) {
        case 0:
            return .date(pick([QueryRange(day, day + 864_000), QueryRange(nil, day), QueryRange(day, nil)]))
        case 1: return .size(pick([QueryRange(low, low + 100), QueryRange(nil, low), QueryRange(low, nil)]))
        case 2: return .has(pick(QueryPossession.allCases))
        case 3: return .flag(pick(QueryFlag.allCases))
        case 4: return .tag("a")
        case 5:
            let (isWhole, isDeep) = (Bool.random(using: &random), Bool.random(using: &random))
            return .folder(QueryFolder(pick(folders), isWhole: isWhole, isDeep: isDeep))
        case 6:
            return .list(QueryList(pick(["boat", "blue", "lists.example", "example", "blue.lists", "none"])))
        case 7: return .category("updates")
        case 8: return .thread("m\(number)@example.org")
        case 9: return .messageID("m\(number)@example.org")
        default: return .type(QueryType(pick(["application/pdf", "pdf", "image/*", "application/*"])))
        }
    }
}
#endif
