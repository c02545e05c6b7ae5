#if Hub
import BreezeCore
import BreezeMail
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeMailIndex

@Suite(.enabled(if: MailBench.isAvailable, "the trait Mail is off"))
struct `A mailbox that changed` {
    private func mailbox() async throws -> MailBench {
        let bench = try MailBench()
        try bench.makeFolder("")
        try bench.makeFolder(".Archive")
        for number in 1...5 { try bench.write("cur/\(number).a:2,", MailBench.message(number)) }
        try bench.write("new/6.a", MailBench.message(6))
        bench.age()
        try await bench.index()
        return bench
    }

    @Test func `nothing new is nothing read`() async throws {
        let bench = try await mailbox()
        #expect(try await bench.index().counts == finished())
    }

    private func finished(_ change: (inout IndexProgress) -> Void = { _ in }) -> IndexProgress {
        var progress = IndexProgress()
        progress.secondsLeft = 0
        change(&progress)
        return progress
    }

    @Test func `a directory with the time it had is not listed`() async throws {
        let bench = try await mailbox()
        try bench.write("cur/7.a:2,", MailBench.message(7))
        bench.age(["cur"])
        // Since it claims not to have changed, the file in it is overlooked: that is how we know.
        #expect(try await bench.index().counts.found == 0)
        bench.age(["cur/7.a:2,"])
        MailBench.age(bench.maildir.appending(path: "cur"), seconds: 1_800)
        #expect(try await bench.index().counts.new == 1)
    }

    @Test func `a directory that changed as it was listed is fresh, and one from the future is not`() throws {
        let bench = try MailBench()
        try bench.write("cur/1.a:2,", MailBench.message(1))
        let path = bench.maildir.appending(path: "cur").path
        let listing = try DirectoryListing(path)
        let age = listing.read - listing.modified
        #expect(listing.isFresh(within: age + 1))
        #expect(!listing.isFresh(within: age))
        MailBench.age(URL(filePath: path), seconds: -1_000_000_000)
        #expect(try !DirectoryListing(path).isFresh(within: MailWalk.coarsest))
    }

    @Test func `flags and the way from new to cur are taken over without reading`() async throws {
        let bench = try await mailbox()
        try bench.move("cur/1.a:2,", "cur/1.a:2,FS")
        try bench.move("new/6.a", "cur/6.a:2,S")
        let counts = try await bench.index().counts
        #expect((counts.read, counts.changed, counts.deleted) == (0, 2, 0))
        #expect(try await bench.dump() == bench.cleanDump())
    }

    @Test func `a message in another folder has moved, under any name`() async throws {
        let bench = try await mailbox()
        try bench.move("cur/1.a:2,", ".Archive/cur/1.a:2,S")
        try bench.move("cur/2.a:2,", ".Archive/cur/99.other,U=7:2,S")
        let counts = try await bench.index().counts
        #expect((counts.read, counts.moved, counts.new, counts.deleted) == (0, 2, 0, 0))
        #expect(try await bench.dump() == bench.cleanDump())
    }

    @Test func `a message fetched again in another folder keeps its row`() async throws {
        let bench = try await mailbox()
        let index = try bench.open()
        let before = try await index.messages(withID: "m3@example.org").map(\.id)
        try index.close()
        try bench.remove("cur/3.a:2,")
        try bench.write(".Archive/cur/300.b:2,S", MailBench.message(3))
        let counts = try await bench.index().counts
        #expect((counts.read, counts.moved, counts.new, counts.deleted, counts.copies) == (1, 1, 0, 0, 0))
        let again = try bench.open()
        #expect(try await again.messages(withID: "m3@example.org").map(\.id) == before)
        try again.close()
    }

    @Test func `a copy is one text in two places`() async throws {
        let bench = try await mailbox()
        try bench.write(".Archive/cur/copy.a:2,S", MailBench.message(4))
        #expect(link("\(bench.maildir.path)/cur/5.a:2,", "\(bench.maildir.path)/.Archive/cur/5.hard:2,") == 0)
        let counts = try await bench.index().counts
        #expect((counts.read, counts.copies, counts.new) == (1, 2, 0))
        let index = try bench.open()
        #expect(try await index.status().messages == 6)
        #expect(try await index.find("word4").count == 1)
        #expect(try await index.messages(withID: "m4@example.org").map(\.places.count) == [2])
        try index.close()
        try bench.remove("cur/4.a:2,")
        #expect(try await bench.index().counts.deleted == 0)
        try bench.remove(".Archive/cur/copy.a:2,S")
        #expect(try await bench.index().counts.deleted == 1)
        #expect(try await bench.dump() == bench.cleanDump())
    }

    @Test func `another message under the same id does not hide the first`() async throws {
        let bench = try await mailbox()
        let forged = MailBench.message(1).replacing("Some words", with: "Pay here")
        try bench.write("cur/forged.a:2,", forged)
        #expect(try await bench.index().counts.new == 1)
        let index = try bench.open()
        #expect(try await index.messages(withID: "m1@example.org").count == 2)
        try index.close()
    }

    @Test func `what is deleted is found no more`() async throws {
        let bench = try await mailbox()
        try bench.remove("cur/2.a:2,")
        try bench.remove(".Archive")
        #expect(try await bench.index().counts.deleted == 1)
        let index = try bench.open()
        #expect(try await index.find("word2").isEmpty)
        #expect(try await index.find("word3").count == 1)
        try index.close()
        #expect(try await bench.dump() == bench.cleanDump())
    }

    @Test func `a file outside of a Maildir may change under its name`() async throws {
        let bench = try MailBench()
        try bench.write("letters/a.eml", MailBench.message(1))
        bench.age()
        try await bench.index()
        try bench.write("letters/a.eml", MailBench.message(2))
        let counts = try await bench.index().counts
        #expect((counts.new, counts.deleted) == (1, 1))
        #expect(try await bench.dump() == bench.cleanDump())
    }

    // MARK: - mbox

    private func mbox(_ numbers: [Int]) -> String {
        numbers.map { "From x Thu Nov 19 08:00:00 2026\n" + MailBench.message($0) + "\n" }.joined()
    }

    @Test func `a file that has grown is read from where it ended`() async throws {
        let bench = try MailBench()
        let file = try bench.write("box.mbox", mbox([1, 2, 3]))
        MailBench.age(file)
        #expect(try await bench.index().counts.new == 3)
        #expect(try await bench.index().counts.found == 0)
        try bench.write("box.mbox", mbox([1, 2, 3, 4, 5]))
        // What was written this moment is read once more.
        MailBench.age(file, seconds: 60)
        let counts = try await bench.index().counts
        #expect((counts.read, counts.new, counts.deleted) == (2, 2, 0))
        #expect(try await bench.dump() == bench.cleanDump())
    }

    @Test(arguments: [[2, 3], [1, 3], [3, 2, 1], [1, 2], [1, 2, 4, 3], [4], []])
    func `a file that was rewritten is read anew`(numbers: [Int]) async throws {
        let bench = try MailBench()
        MailBench.age(try bench.write("box.mbox", mbox([1, 2, 3])))
        try await bench.index()
        let before = try await ids(bench)
        try bench.write("box.mbox", mbox(numbers))
        let counts = try await bench.index().counts
        #expect(counts.new == (numbers.contains(4) ? 1 : 0))
        #expect(counts.deleted == 3 - numbers.count { $0 < 4 })
        #expect(try await bench.dump() == bench.cleanDump())
        // What stayed is the same row: what was made of it stays too.
        let after = try await ids(bench)
        #expect(
            numbers.filter { $0 < 4 }.allSatisfy {
                before["m\($0)@example.org"] == after["m\($0)@example.org"]
            }
        )
    }

    private func ids(_ bench: MailBench) async throws -> [String: Int64] {
        let index = try bench.open()
        let messages = try await index.list()
        try index.close()
        return Dictionary(uniqueKeysWithValues: messages.map { ($0.messageID, $0.id) })
    }

    // MARK: - Any change at all

    @Test(arguments: 1...3)
    func `after any changes the index is the one that a new index would be`(seed: Int) async throws {
        let bench = try MailBench()
        var changes = MailboxChanges(bench, seed: UInt64(seed))
        for round in 0..<Soak.count(200) {
            for _ in 0..<changes.count() { try changes.change() }
            // Half of the time nothing looks fresh.
            if round % 2 == 0 { bench.ageDirectories(seconds: 100_000 - round) }
            let report = try await bench.index()
            #expect(report.isSettled)
            #expect(try await bench.dump() == bench.cleanDump(), "seed \(seed), round \(round)")
        }
    }
}

/// Does to a mailbox what mail programs do, and what they should not.
struct MailboxChanges {
    private let bench: MailBench
    private var random: SeededGenerator
    private var number = 0
    private let folders = ["", ".Archive", ".Lists.One", "Plain/Nested", "Other"]
    private var files: [String] = []

    init(_ bench: MailBench, seed: UInt64) {
        self.bench = bench
        random = SeededGenerator(seed: seed)
    }

    mutating func count() -> Int { Int.random(in: 1...12, using: &random) }

    private mutating func place(_ base: String) -> String {
        let folder = folders[Int.random(in: 0..<folders.count, using: &random)]
        let start = folder.isEmpty ? "" : folder + "/"
        if Bool.random(using: &random) { return "\(start)new/\(base)" }
        let flags = ["", "S", "FS", "RS", "T"].randomElement(using: &random) ?? ""
        return "\(start)cur/\(base):2,\(flags)"
    }

    mutating func change() throws {
        number += 1
        let base = "\(number).M\(number)P1.host"
        guard let file = files.randomElement(using: &random), Int.random(in: 0..<3, using: &random) > 0 else {
            // Now and then a message that is there already.
            let copied = Int.random(in: 0..<4, using: &random) == 0 ? max(1, number / 2) : number
            let path = place(base)
            try bench.write(path, MailBench.message(copied))
            return files.append(path)
        }
        files.removeAll { $0 == file }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try bench.remove(file)
        case 1, 2:
            let name = MaildirName(String(file.split(separator: "/").last ?? "")).base
            try move(file, place(String(name)))
        case 3: try move(file, place(base))
        case 4:
            let other = place(base)
            let target = bench.maildir.appending(path: other)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            guard link(bench.maildir.appending(path: file).path, target.path) == 0 else {
                throw POSIXError(.EIO)
            }
            files += [file, other]
        default:
            // A whole folder goes.
            let folder = folders[Int.random(in: 1..<folders.count, using: &random)]
            files.append(file)
            guard files.contains(where: { $0.hasPrefix(folder + "/") }) else { return }
            try bench.remove(folder)
            files.removeAll { $0.hasPrefix(folder + "/") }
        }
    }

    private mutating func move(_ from: String, _ to: String) throws {
        if from != to { try bench.move(from, to) }
        files.append(to)
    }
}
#endif
