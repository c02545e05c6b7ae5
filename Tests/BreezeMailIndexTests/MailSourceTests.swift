#if Hub
import BreezeCore
import BreezeMail
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeMailIndex

struct `Names in a Maildir` {
    @Test(arguments: [
        ("1.M2P3.host:2,FS", "1.M2P3.host", "FS"), ("1.M2P3.host,S=12:2,", "1.M2P3.host,S=12", ""),
        ("1.M2P3.host", "1.M2P3.host", ""), ("1.h;2,SR", "1.h", "RS"), ("1.h!2,T", "1.h", "T"),
        ("1.h:2,aSb", "1.h", "Sab"), ("1.h:1,x", "1.h:1,x", ""), ("1.h:2,SS", "1.h", "S"),
    ])
    func `flags are what follows the mark`(name: String, base: String, flags: String) {
        let parsed = MaildirName(name)
        #expect(parsed.base == base)
        #expect(parsed.flags == flags)
    }

    /// The encoded ones are RFC 3501's own examples, and one of Dovecot's.
    @Test(arguments: [
        ([], "INBOX"), ([".Lists.Charts"], "Lists/Charts"), (["Lists", "Charts"], "Lists/Charts"),
        ([".Ausfl&APw-ge"], "Ausflüge"),
        (["~peter", "mail", "&U,BTFw-", "&ZeVnLIqe-"], "~peter/mail/台北/日本語"),
        (["A &- B"], "A & B"), (["Q&A"], "Q&A"), (["&bad!-"], "&bad!-"), (["&2D3eAA-"], "\u{1F600}"),
        (["account", ".Sent"], "account/Sent"),
    ])
    func `folders are shown as a person named them`(path: [String], shown: String) {
        #expect(FolderName.make(path.map { $0[...] }) == shown)
    }
}

@Suite(.enabled(if: MailBench.isAvailable, "the trait Mail is off"))
struct `Where mail is found` {
    @Test func `the example mailbox is indexed whole`() async throws {
        let bench = try MailBench()
        let report = try await bench.index(roots: [.path(BundledMailbox.maildir)])
        // What scripts/check-mailbox.py counts.
        #expect(report.counts.new == 140)
        #expect(report.failures.isEmpty)
        #expect(report.isSettled)
        let index = try bench.open()
        let status = try await index.status()
        #expect(status.messages == 140)
        // Counted with ls.
        #expect(status.folders["INBOX"] == 86)
        #expect(status.folders["Lists/Charts"] == 9)
        #expect(status.folders["Ausflüge"] == 3)
        let newest = try await index.list(limit: 2)
        #expect(newest.count == 2)
        #expect(newest.allSatisfy { $0.date != nil && !$0.from.isEmpty && $0.places.count == 1 })
        let trips = try await index.list(folder: "Ausflüge")
        #expect(trips.map { $0.places[0].flags }.sorted() == ["FS", "RS", "S"])
        try index.close()
    }

    @Test func `Maildir, mbox and single files are found in one tree`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("box")
        try bench.makeFolder("box/Plain")
        try bench.write("box/cur/1.a:2,S", MailBench.message(1))
        try bench.write("box/.Sub.Deep/cur/2.a:2,F", MailBench.message(2))
        try bench.write("box/Plain/new/3.a", MailBench.message(3))
        try bench.write("box/tmp/4.a", MailBench.message(4))
        try bench.write("letters/five.eml", MailBench.message(5))
        try bench.write("letters/old", "From x Thu Nov 19 08:00:00 2026\n" + MailBench.message(6))
        try bench.write("letters/more.mbox", "From x Thu Nov 19 08:00:00 2026\n" + MailBench.message(7))
        try bench.write("mh/17", MailBench.message(8))
        try bench.write("letters/notes.txt", MailBench.message(9))
        try bench.write("skip/cur/10.a:2,", MailBench.message(10))
        try bench.write("skip/.noindex", "")
        try bench.write("skip/below/cur/11.a:2,", MailBench.message(11))
        let report = try await bench.index()
        #expect(report.counts.new == 7)
        let index = try bench.open()
        #expect(
            try await index.status().folders == [
                "box": 1, "box/Sub/Deep": 1, "box/Plain": 1, "letters": 1, "letters/old": 1,
                "letters/more.mbox": 1,
                "mh": 1,
            ]
        )
        let flags = try await index.messages(withID: "m2@example.org").flatMap(\.places).map(\.flags)
        #expect(flags == ["F"])
        try index.close()
    }

    @Test func `a folder that is closed by noindex leaves the index, and comes back`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        try bench.write("cur/1.a:2,", MailBench.message(1))
        try bench.write("private/cur/2.a:2,", MailBench.message(2))
        bench.age()
        try await bench.index()
        try bench.write("private/.noindex", "")
        #expect(try await bench.index().counts.deleted == 1)
        #expect(try await bench.dump() == bench.cleanDump())
        try bench.remove("private/.noindex")
        #expect(try await bench.index().counts.new == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `links are not followed, and pipes not opened`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        try bench.write("cur/1.a:2,", MailBench.message(1))
        let path = bench.maildir.path
        #expect(symlink(path, "\(path)/loop") == 0)
        #expect(symlink("\(path)/cur/1.a:2,", "\(path)/cur/2.a:2,") == 0)
        #expect(mkfifo("\(path)/cur/3.a:2,", 0o600) == 0)
        try bench.write("tree/a.eml", MailBench.message(4))
        #expect(mkfifo("\(path)/tree/b.eml", 0o600) == 0)
        #expect(symlink("/dev/zero", "\(path)/tree/c.eml") == 0)
        let report = try await bench.index()
        #expect(report.counts.new == 2)
        #expect(report.counts.failed == 0)
        // loop, the link and the pipe in cur, and two in tree.
        #expect(report.counts.skipped == 5)
    }

    @Test func `a root that is a link, a lone file, or standard input`() async throws {
        let bench = try MailBench()
        try bench.write("real/one.eml", MailBench.message(1))
        try bench.write("box", "From x Thu Nov 19 08:00:00 2026\n" + MailBench.message(2))
        let link = bench.folder.url.appending(path: "link")
        #expect(symlink(bench.maildir.appending(path: "real").path, link.path) == 0)
        let input = Array(MailBench.message(3).utf8)
        let roots: [MailRoot] = [
            .path(link), .path(bench.maildir.appending(path: "box")),
            .path(bench.maildir.appending(path: "real/one.eml")), .message(input),
        ]
        let report = try await bench.index(roots: roots)
        #expect(report.counts.new == 3)
        let index = try bench.open()
        let places = try await index.messages(withID: "m3@example.org").flatMap(\.places)
        #expect(places.map(\.path) == ["-"])
        let paths = try await index.messages(withID: "m1@example.org").flatMap(\.places).map(\.path)
        #expect(Set(paths).count == 1 && paths[0].hasSuffix("/real/one.eml"))
        try index.close()
        let again = try await bench.index(roots: roots)
        #expect(again.counts.new == 0 && again.counts.deleted == 0)
    }

    @Test func `a root that is missing is told, and nothing of it is forgotten`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        try bench.write("cur/1.a:2,", MailBench.message(1))
        try await bench.index()
        let away = bench.folder.url.appending(path: "away")
        try FileManager.default.moveItem(at: bench.maildir, to: away)
        let report = try await bench.index()
        #expect(report.counts.failed == 1)
        #expect(report.failures.first?.error.code == .inputOutput)
        #expect(report.counts.deleted == 0)
        try FileManager.default.moveItem(at: away, to: bench.maildir)
        #expect(try await bench.index().counts.new == 0)
    }

    @Test func `names that are no text are told and not lost silently`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        let path = bench.maildir.path + "/cur/1."
        let bytes: [CChar] = Array(path.utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
        let file = bytes.withUnsafeBufferPointer { name in
            name.baseAddress.map { Foundation.open($0, O_CREAT | O_WRONLY, 0o600) } ?? -1
        }
        #expect(file >= 0)
        close(file)
        #expect(try await bench.index().counts.failed == 1)
    }
}
#endif
