import BreezeCore
import BreezeMail
import BreezeTestSupport
import Foundation
import Testing

private let columns = ["subject", "body", "sender", "recipients", "cc", "bcc", "files"]
private let scopes: [QueryScope: [String]] = [
    .anywhere: ["subject", "body", "sender", "recipients", "cc", "bcc"], .subject: ["subject"],
    .body: ["body"],
    .from: ["sender"], .to: ["recipients", "cc", "bcc"], .cc: ["cc"], .bcc: ["bcc"],
    .contact: ["sender", "recipients", "cc", "bcc"], .attachment: ["files"],
]

private struct MatchJob: Encodable {
    var columns: [String]
    var rows: [[String]]
    var queries: [String]
}

private struct MatchAnswer: Decodable {
    var rows: [Int]
    var error: String?
}

@Suite struct `Queries made at random` {
    private func parsed(_ text: String) throws -> QueryNode? {
        do {
            return try MailQuery(text, clock: sunday).root
        } catch let error as BreezeError {
            #expect(error.code == .invalidRequest && error.underlying is QueryFault)
            return nil
        }
    }

    @Test func `what is printed reads as the same tree`() throws {
        var trees = QueryTrees(random: SeededGenerator(seed: 20_261_122))
        for _ in 0..<Soak.count(200_000) {
            let tree = trees.tree()
            #expect(try parsed(tree.description) == tree, "\(tree)")
        }
    }

    @Test func `whatever is typed is read, and what is printed of it reads as the same`() throws {
        var trees = QueryTrees(random: SeededGenerator(seed: 7))
        var read = 0
        for _ in 0..<Soak.count(400_000) {
            let text = trees.text()
            guard let tree = try parsed(text) else { continue }
            read += 1
            #expect(try parsed(tree.description) == tree, "\(text)")
        }
        #expect(read > Soak.count(400_000) / 2)
    }

    @Test(.enabled(if: Oracle.python != nil, "there is no Python: run make setup"))
    func `SQLite finds what a query means`() async throws {
        var trees = QueryTrees(random: SeededGenerator(seed: 11))
        let mails = (0..<60).map { _ in trees.mail() }
        let order: [QueryScope] = [.subject, .body, .from, .to, .cc, .bcc, .attachment]
        let rows = mails.map { mail in order.map { mail.texts[$0] ?? "" } }
        let queries = (0..<Soak.count(20_000)).map { _ in trees.tree() }
        let compiled = queries.map { CompiledQuery($0, columns: scopes) }
        let expressions = Array(
            Set(compiled.flatMap { $0.filter.expressions + [$0.ranking].compactMap(\.self) })
        ).sorted()
        let job = MatchJob(columns: columns, rows: rows, queries: expressions)
        let answers: [MatchAnswer] = try await Oracle.run("fts5_match.py", URL(filePath: "/"), input: job)
        let found = Dictionary(uniqueKeysWithValues: zip(expressions, answers.map { Set($0.rows) }))
        for (expression, answer) in zip(expressions, answers) {
            #expect(answer.error == nil, "\(expression)")
        }
        var hits = 0
        for (query, compiled) in zip(queries, compiled) {
            let meant = query.found(in: mails)
            hits += meant.count
            #expect(compiled.filter.found(in: mails, found) == meant, "\(query)")
        }
        #expect(hits > queries.count && hits < queries.count * 59)
    }

    @Test(.enabled(if: Oracle.python != nil, "there is no Python: run make setup"))
    func `nothing that is typed is a syntax error to SQLite`() async throws {
        var trees = QueryTrees(random: SeededGenerator(seed: 13))
        var expressions: [String] = []
        let deep = (0..<31).map { "a\($0) -(" }.joined() + "x" + String(repeating: ")", count: 31)
        let wide = (0..<400).map { "w\($0)" }.joined(separator: " ")
        for text in [deep, wide, wide.replacing(" ", with: " OR ").prefix(3_990).description] {
            let compiled = CompiledQuery(try MailQuery(text, clock: sunday).root, columns: scopes)
            expressions += compiled.filter.expressions + [compiled.ranking].compactMap(\.self)
        }
        #expect(expressions.count > 3)
        for _ in 0..<Soak.count(400_000) {
            guard let tree = try parsed(trees.text()) else { continue }
            for node in [tree, tree.relaxed] {
                let compiled = CompiledQuery(node, columns: Bool.random(using: &trees.random) ? scopes : [:])
                expressions += compiled.filter.expressions + [compiled.ranking].compactMap(\.self)
            }
        }
        let job = MatchJob(columns: columns, rows: [columns], queries: Array(Set(expressions)))
        let answers: [MatchAnswer] = try await Oracle.run("fts5_match.py", URL(filePath: "/"), input: job)
        for (expression, answer) in zip(job.queries, answers) {
            #expect(answer.error == nil, "\(expression)")
        }
        print("FTS5: took", answers.count, "expressions")
    }
}

@Suite struct `Queries compiled for an index` {
    @Test(arguments: [
        ("boat", "\"boat\""), ("\"a\"\"b\" c", "(\"a\"\"b\" AND \"c\")"),
        ("subject:blue*", "{\"subject\"} : \"blue\" *"),
        ("a OR (b -c)", "(\"a\" OR (\"b\" NOT \"c\"))"), ("a -b -c", "(\"a\" NOT (\"b\" OR \"c\"))"),
    ])
    func `words become one quoted expression`(typed: String, expression: String) throws {
        let query = try MailQuery(typed, clock: sunday)
        #expect(CompiledQuery(query.root, columns: [.subject: ["subject"]]).filter == .match(expression))
    }

    @Test func `fields stay values, and words beside them stay together`() throws {
        let query = try MailQuery("blue is:unread boat -(in:a OR car)", clock: sunday)
        let compiled = CompiledQuery(query.root, columns: [:])
        #expect(
            compiled.filter
                == .and([
                    .match("(\"blue\" AND \"boat\")"), .field(.flag(.unread)),
                    .not(.or([.match("\"car\""), .field(.folder(QueryFolder(["a"])))])),
                ])
        )
        #expect(compiled.ranking == "\"blue\" OR \"boat\"")
    }

    @Test func `plain language needs no more than one of its words`() throws {
        let query = try MailQuery("second-hand bike \"for a child\" -car in:inbox", clock: sunday)
        #expect(query.root.relaxed.description == "(second-hand OR bike) \"for a child\" -car in:inbox")
        #expect(try MailQuery("bike", clock: sunday).root.relaxed.description == "bike")
    }

    @Test(arguments: [
        ("in:kanu", [["Lists", "Kanu"], ["Kanu"]], [["Lists"], ["Kanu", "Old"]]),
        ("in:lists/**", [["Lists"], ["Lists", "Kanu"], ["Old", "Lists", "x"]], [[], ["Other"]]),
        ("folder:kanu", [["Kanu"]], [["Lists", "Kanu"]]), ("in:inbox", [[], ["INBOX"]], [["Inbox", "x"]]),
        ("folder:\"\"", [[], ["INBOX"]], [["a"]]), ("path:**", [[], ["a"], ["a", "b"]], []),
    ])
    func `a folder is found by its path`(typed: String, yes: [[String]], no: [[String]]) throws {
        guard case .field(.folder(let folder)) = try MailQuery(typed, clock: sunday).root else {
            Issue.record("no folder")
            return
        }
        #expect(yes.allSatisfy { folder.matches($0) } && !no.contains { folder.matches($0) })
    }

    @Test func `a list is found by whole labels, a type by its halves`() {
        #expect(QueryList("Boats").matches("boats.lists.example.org"))
        #expect(QueryList("lists.example.org").matches("boats.lists.example.org"))
        #expect(!QueryList("boat").matches("boats.lists.example.org"))
        #expect(QueryType("image/*").matches("image/png") && QueryType("pdf").matches("application/pdf"))
        #expect(!QueryType("image/*").matches("imagex/png") && !QueryType("pd").matches("application/pdf"))
    }
}
