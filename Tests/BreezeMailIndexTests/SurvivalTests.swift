#if Hub
import BreezeCore
import BreezeMail
import BreezeMailParser
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@testable import BreezeMailIndex

enum IndexProgram {
    static let url = TestProgram.named("breeze-test-mail-index")
}

@Suite(
    .enabled(if: MailBench.isAvailable, "the trait Mail is off"),
    .enabled(if: IndexProgram.url != nil, "breeze-test-mail-index was not built")
)
struct `An index that is interrupted` {
    private static let count = 300

    private func mailbox() throws -> MailBench {
        let bench = try MailBench()
        for name in ["", ".One", "Two"] { try bench.makeFolder(name) }
        for number in 1...Self.count {
            let folder = ["", ".One/", "Two/"][number % 3]
            try bench.write("\(folder)cur/\(number).a:2,S", MailBench.message(number))
        }
        let entries = (1...Self.count).map { number in
            "From x Thu Nov 19 08:00:00 2026\n" + MailBench.message(number + Self.count) + "\n"
        }
        try bench.write("old/box.mbox", entries.joined())
        bench.age()
        return bench
    }

    private func child(_ bench: MailBench) throws -> ChildProcess {
        let program = try #require(IndexProgram.url)
        return ChildProcess(program, [bench.database.path, bench.maildir.path, "20"])
    }

    @Test func `a run that is killed again and again ends equal to a clean one`() async throws {
        let bench = try mailbox()
        var random = SeededGenerator(seed: 9)
        var kills = 0
        while kills < 200 {
            let before = try await committed(bench)
            // After one of the transactions that are left, and a little: in the midst of another.
            let mark = Int.random(in: 1...6, using: &random) * 20
            var child = try child(bench)
            child.arguments += ["\(mark)", "\(Int.random(in: 0...20_000, using: &random))"]
            let outcome = try await child.run()
            if outcome.code == -SIGKILL {
                kills += 1
                continue
            }
            let words = outcome.output.split(separator: "\n").last?.split(separator: " ") ?? []
            try #require(words.first == "done", "\(outcome.output) \(outcome.errors)")
            // What was committed is not read again.
            #expect(
                words.dropFirst().map { Int($0) } == [2 * Self.count - before, 2 * Self.count - before, 0]
            )
            break
        }
        #expect(kills >= 3)
        #expect(try await bench.dump() == bench.cleanDump())
        #expect(try await bench.dump().count { !$0.hasPrefix("thread ") } == 2 * Self.count)
    }

    private func committed(_ bench: MailBench) async throws -> Int {
        let index = try bench.open()
        defer { try? index.close() }
        #expect(index.notice == nil)
        return try await index.status().messages
    }

    /// As mbsync does it: flags change, messages go from new to cur and into other folders, some come and some go.
    @Test func `mail that is moved about meanwhile is neither lost nor doubled`() async throws {
        let bench = try mailbox()
        let path = bench.maildir.path
        let isOver = DispatchSemaphore(value: 0)
        let hasBegun = Mutex(false)
        let rename: @Sendable () -> Void = {
            for number in 1...Self.count {
                let folder = ["", "/.One", "/Two"][number % 3]
                let other = ["", "/.One", "/Two"][(number + 1) % 3]
                let old = "\(path)\(folder)/cur/\(number).a:2,S"
                switch number % 4 {
                case 0: Foundation.rename(old, "\(path)\(folder)/cur/\(number).a:2,FS")
                case 1: Foundation.rename(old, "\(path)\(other)/cur/\(number).b,U=\(number):2,S")
                case 2: Foundation.rename(old, "\(path)\(other)/new/\(number).a")
                default: break
                }
                usleep(300)
            }
            isOver.signal()
        }
        var settings = IndexSettings()
        settings.batch = 25
        settings.progress = { _ in
            // The renames begin when the index has listed, and not yet read, what they rename.
            let isFirst = hasBegun.withLock { hasBegun in
                defer { hasBegun = true }
                return !hasBegun
            }
            if isFirst { Thread.detachNewThread(rename) }
        }
        try await bench.index(settings)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                isOver.wait()
                continuation.resume()
            }
        }
        let report = try await bench.index()
        #expect(report.isSettled)
        #expect(try await bench.dump() == bench.cleanDump())
        let index = try bench.open()
        let messages = try await index.list(limit: 10_000)
        #expect(messages.count == 2 * Self.count)
        #expect(messages.allSatisfy { $0.places.count == 1 })
        try index.close()
    }

    @Test func `what moves after it was listed is found in the same run`() async throws {
        let bench = try mailbox()
        var settings = IndexSettings()
        settings.afterWalk = { round in
            guard round == 0 else { return }
            Foundation.rename("\(bench.maildir.path)/cur/3.a:2,S", "\(bench.maildir.path)/Two/cur/3.a:2,FS")
            Foundation.rename("\(bench.maildir.path)/cur/6.a:2,S", "\(bench.maildir.path)/cur/6.a:2,RS")
        }
        let report = try await bench.index(settings)
        #expect(report.isSettled)
        #expect(report.counts.new == 2 * Self.count)
        #expect(try await bench.dump() == bench.cleanDump())
    }

    @Test(.enabled(if: geteuid() != 0 || access("/usr/bin/setpriv", X_OK) == 0, "root reads everything"))
    func `what may not be read is told, and read when it may be`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        for number in 1...4 { try bench.write("cur/\(number).a:2,", MailBench.message(number)) }
        try bench.write("closed/cur/5.a:2,", MailBench.message(5))
        try bench.write("old/box.mbox", "From x Thu Nov 19 08:00:00 2026\n" + MailBench.message(6))
        bench.age()
        let hidden = ["cur/2.a:2,", "closed", "old/box.mbox"].map { "\(bench.maildir.path)/\($0)" }
        for path in hidden { chmod(path, 0) }
        let program = try #require(IndexProgram.url)
        let home = bench.database.deletingLastPathComponent().path
        mkdir(home, 0o700)
        var child = ChildProcess(program, [bench.database.path, bench.maildir.path, "20"])
        if geteuid() == 0 {
            for path in [bench.folder.url.path, home] { chown(path, 65_534, 65_534) }
            child = ChildProcess(
                URL(filePath: "/usr/bin/setpriv"),
                ["--reuid=65534", "--clear-groups", program.path] + child.arguments
            )
        }
        #expect(try await child.run().output.hasSuffix("done 3 3 3\n"))
        for path in hidden { chmod(path, 0o755) }
        #expect(try await child.run().output.hasSuffix("done 3 3 0\n"))
        if geteuid() == 0 { for path in try files(home) { chown(path, 0, 0) } }
        #expect(try await bench.dump() == bench.cleanDump())
    }

    private func files(_ folder: String) throws -> [String] {
        [folder] + (try FileManager.default.contentsOfDirectory(atPath: folder)).map { "\(folder)/\($0)" }
    }

    @Test func `a cancelled run keeps what it has and is gone on with`() async throws {
        let bench = try mailbox()
        var settings = IndexSettings()
        settings.batch = 50
        let hasBegun = AsyncStream<Void>.makeStream()
        let goOn = DispatchSemaphore(value: 0)
        settings.progress = { progress in
            guard progress.read == 50 else { return }
            hasBegun.continuation.yield()
            goOn.wait()
        }
        let run = settings
        let task = Task { try await bench.index(run) }
        for await _ in hasBegun.stream { break }
        task.cancel()
        goOn.signal()
        let error = await #expect(throws: BreezeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        let index = try bench.open()
        let kept = try await index.status().messages
        try index.close()
        #expect(kept == 50)
        #expect(try await bench.index().counts.new == 2 * Self.count - kept)
        #expect(try await bench.dump() == bench.cleanDump())
    }

    @Test func `a second writer is told so, and readers are not held up`() async throws {
        let bench = try mailbox()
        let index = try bench.open()
        let (asked, answered) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        var settings = IndexSettings()
        settings.batch = 100
        settings.progress = { progress in
            guard progress.read == 100 else { return }
            asked.continuation.yield()
            answered.wait()
        }
        let run = settings
        async let report = index.index([.path(bench.maildir)], with: GMimeMessageParser(), settings: run)
        for await _ in asked.stream { break }
        let other = try bench.open()
        #expect(try await other.status().messages == 100)
        let error = await #expect(throws: BreezeError.self) {
            try await other.index([.path(bench.maildir)], with: GMimeMessageParser())
        }
        #expect(error?.code == .busy)
        answered.signal()
        #expect(try await report.counts.new == 2 * Self.count)
        #expect(try await other.status().messages == 2 * Self.count)
        try other.close()
        try index.close()
    }
}
#endif
