#if Hub
import BreezeMail
import BreezeStore
import BreezeTestSupport
import Foundation
import GRDB
import Testing

@testable import BreezeMailIndex

@Suite(.enabled(if: MailBench.isAvailable, "the trait Mail is off"))
struct `Threads of an index` {
    /// Message `number` answers `parent`.
    private func reply(_ number: Int, to parent: Int, _ other: Int? = nil) -> String {
        let all = [other, parent].compactMap { $0 }.map { "<m\($0)@example.org>" }.joined(separator: " ")
        return MailBench.message(number, extra: "References: \(all)\n")
    }

    private func threads(_ bench: MailBench) async throws -> [String: Set<String>] {
        let index = try bench.open()
        defer { try? index.close() }
        let names = try await index.store.read { database in
            try Row.fetchAll(database, sql: "SELECT id, name FROM thread").map {
                ($0[0] as Int64, $0[1] as String)
            }
        }
        let byID = Dictionary(uniqueKeysWithValues: names)
        let messages = try await index.list(limit: 1_000)
        return Dictionary(grouping: messages) { $0.thread.flatMap { byID[$0] } ?? "none" }
            .mapValues { Set($0.map(\.messageID)) }
    }

    private func ids(_ numbers: Int...) -> Set<String> { Set(numbers.map { "m\($0)@example.org" }) }

    @Test func `a message that answers two threads joins them, and parts them when it goes`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        for number in 1...2 { try bench.write("cur/\(number).a:2,", MailBench.message(number)) }
        try bench.write("cur/3.a:2,", MailBench.message(3))
        bench.age()
        try await bench.index()
        #expect(try await threads(bench).count == 3)
        try bench.write("cur/4.a:2,", reply(4, to: 1, 2))
        try await bench.index()
        // It begins with the message that its oldest member names, or is.
        #expect(try await threads(bench).values.sorted { $0.count < $1.count } == [ids(3), ids(1, 2, 4)])
        try bench.remove("cur/4.a:2,")
        try await bench.index()
        #expect(try await threads(bench).count == 3)
        #expect(try await bench.dump() == bench.cleanDump())
    }

    @Test func `a thread of which all are gone is gone`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        try bench.write("cur/1.a:2,", MailBench.message(1))
        try bench.write("cur/2.a:2,", reply(2, to: 1))
        try bench.write("cur/3.a:2,", MailBench.message(3))
        bench.age()
        try await bench.index()
        try bench.remove("cur/1.a:2,")
        try bench.remove("cur/2.a:2,")
        try await bench.index()
        #expect(try await threads(bench) == ["m3@example.org": ids(3)])
    }

    @Test func `a thread whose beginning is missing keeps its name when it comes`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        try bench.write("cur/2.a:2,", reply(2, to: 1))
        bench.age()
        try await bench.index()
        #expect(try await threads(bench) == ["m1@example.org": ids(2)])
        try bench.write("cur/1.a:2,", MailBench.message(1))
        try await bench.index()
        #expect(try await threads(bench) == ["m1@example.org": ids(1, 2)])
    }

    @Test func `what a run that died left open is closed by the next`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        try bench.write("cur/1.a:2,", MailBench.message(1))
        try bench.write("cur/2.a:2,", reply(2, to: 1))
        bench.age()
        try await bench.index()
        try bench.remove("cur/1.a:2,")
        // As if it had ended before it came to the threads.
        var settings = IndexSettings()
        settings.threading = nil
        try await bench.index(settings)
        #expect(try await bench.index().counts.deleted == 0)
        #expect(try await bench.dump() == bench.cleanDump())
    }

    @Test func `the id of a message that was removed is not given again`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        for number in 1...3 { try bench.write("cur/\(number).a:2,", MailBench.message(number)) }
        bench.age()
        try await bench.index()
        for number in 2...3 { try bench.remove("cur/\(number).a:2,") }
        try await bench.index()
        try bench.write("cur/4.a:2,", MailBench.message(4))
        try await bench.index()
        let index = try bench.open()
        #expect(try await index.list().map(\.id) == [4, 1])
        try index.close()
    }

    @Test(arguments: 1...3)
    func `after any changes the threads are those of a new index`(seed: Int) async throws {
        let bench = try MailBench()
        for folder in ["", ".Archive"] { try bench.makeFolder(folder) }
        var random = SeededGenerator(seed: UInt64(seed))
        var files: [Int: String] = [:]
        for round in 0..<Soak.count(12) {
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let number = Int.random(in: 1...40, using: &random)
                if let file = files[number] {
                    if Bool.random(using: &random) {
                        try bench.remove(file)
                        files[number] = nil
                    } else {
                        let other = ".Archive/cur/\(number).\(round):2,S"
                        if file != other { try bench.move(file, other) }
                        files[number] = other
                    }
                    continue
                }
                // The same number is always the same message: what it answers follows from it.
                let text =
                    number % 4 == 0
                    ? MailBench.message(number) : reply(number, to: number * 7 % 41, number / 3)
                files[number] = "cur/\(number).\(round):2,"
                try bench.write("cur/\(number).\(round):2,", text)
            }
            try await bench.index()
            #expect(try await bench.dump() == bench.cleanDump(), "seed \(seed), round \(round)")
        }
    }
}
#endif
