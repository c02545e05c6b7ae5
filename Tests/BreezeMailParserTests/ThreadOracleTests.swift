import BreezeMail
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeMailParser

@Suite(.enabled(if: GMimeMessageParser.isAvailable, "the trait Mail is off"))
struct `Threads of real mail` {
    private static let notmuch: URL? = {
        let environment = ProcessInfo.processInfo.environment
        let folders = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/notmuch" }
        let path = ([environment["BREEZE_NOTMUCH"]].compactMap(\.self) + folders).first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        return path.map { URL(filePath: $0) }
    }()

    private struct Label: Decodable {
        var thread: String?
    }

    private func mailboxFiles() -> [URL] {
        MailFixtures.files(in: BundledMailbox.maildir)
            .filter { ["cur", "new"].contains($0.deletingLastPathComponent().lastPathComponent) }
            .filter { !$0.lastPathComponent.hasPrefix(".") }
    }

    private func read(_ files: [URL]) throws -> [MailMessage] {
        try files.map { try GMimeMessageParser().parse(.file($0)) }
    }

    /// Threads as sets of message ids.
    private func threads(_ messages: [MailMessage], _ rule: SubjectRule) -> Set<Set<String>> {
        var index = ThreadIndex(subjectRule: rule)
        let light = messages.enumerated().map { ThreadMessage($1, key: Int64($0)) }
        let found = index.insert(light).threads.map { Set($0.rows.map { messages[Int($0.key)].id }) }
        return Set(found)
    }

    @Test func `the example mailbox has the conversations of its labels`() throws {
        let messages = try read(mailboxFiles())
        let file = BundledMailbox.folder.appending(path: "labels.json")
        let labels = try JSONDecoder().decode([String: Label].self, from: Data(contentsOf: file))
        let groups = Dictionary(grouping: messages.map(\.id)) { labels[$0]?.thread ?? "alone \($0)" }
        #expect(threads(messages, SubjectRule()) == Set(groups.values.map(Set.init)))
    }

    @Test(
        .enabled(if: notmuch != nil, "there is no notmuch"),
        .enabled(if: Oracle.python != nil, "there is no Python"),
        .enabled(if: MailFixtures.shared != nil, "the public corpora are not there: set BREEZE_SHARED")
    )
    func `references alone give notmuch's threads, and subjects only join them`() async throws {
        let notmuch = try #require(Self.notmuch)
        let archive = try #require(MailFixtures.shared).appending(path: "data/mail/spamassassin-2002.tar.xz")
        let folder = try ScratchFolder()
        let outcome = try await ChildProcess(
            URL(filePath: "/usr/bin/tar"),
            ["-xJf", archive.path, "-C", folder.url.path]
        )
        .run()
        #expect(outcome.code == 0)
        let corpus = MailFixtures.files(in: folder.url).filter { $0.lastPathComponent != "cmds" }
        for (name, files) in [("mailbox", mailboxFiles()), ("SpamAssassin", corpus)] {
            let messages = try read(files)
            let theirs: [[String]] = try await Oracle.run(
                "thread_notmuch.py",
                notmuch,
                input: files.map(\.path)
            )
            // Messages without an id have one of each program's own making.
            let ids = Set(messages.map(\.id))
            let shared = ids.intersection(theirs.joined())
            let expected = Set(theirs.map { Set($0).intersection(shared) }).subtracting([[]])
            let ours = Set(threads(messages, .off).map { $0.intersection(shared) }).subtracting([[]])
            let joined = threads(messages, SubjectRule())
            // Old programs write the answered person's address into In-Reply-To: an id to notmuch, not to us.
            let odd = Set(messages.filter { $0.inReplyTo.count > 1 }.map(\.id))
            let differences = expected.subtracting(ours)
            let explained = differences.count { !$0.isDisjoint(with: odd) }
            print("notmuch: \(name):", messages.count, "messages,", expected.count, "threads")
            print("notmuch: not ours:", differences.count, "with several answered ids:", explained)
            #expect(differences.count <= expected.count / 200)
            #expect(name != "mailbox" || ours == expected)
            #expect(ours.allSatisfy { part in joined.contains { $0.isSuperset(of: part) } })
        }
    }
}
