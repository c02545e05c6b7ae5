import BreezeMail
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeMailParser

@Suite(.enabled(if: GMimeMessageParser.isAvailable, "the trait Mail is off"))
struct `The example mailbox` {
    private struct Label: Decodable {
        var phishing: Bool
        var signs: [String]?
    }

    private func messages() throws -> [MailMessage] {
        try MailFixtures.files(in: BundledMailbox.maildir)
            .filter { ["cur", "new"].contains($0.deletingLastPathComponent().lastPathComponent) }
            .filter { !$0.lastPathComponent.hasPrefix(".") }
            .map { try GMimeMessageParser().parse(.file($0)) }
    }

    private func labels() throws -> [String: Label] {
        let file = BundledMailbox.folder.appending(path: "labels.json")
        return try JSONDecoder().decode([String: Label].self, from: Data(contentsOf: file))
    }

    @Test func `every labelled message is there under its id, and no other`() throws {
        let messages = try messages()
        let ids = try labels().keys
        #expect(Set(messages.map(\.id)) == Set(ids))
        #expect(messages.allSatisfy { $0.date != nil && !$0.from.isEmpty })
        // A digest, a scan without a word, and one that says all in its subject.
        #expect(messages.count { $0.body.best.isEmpty } == 3)
        // One without a Date header.
        #expect(messages.flatMap(\.notices) == [MailNotice(.dateUnreadable)])
    }

    @Test func `hidden text is found in the phish that hide some`() throws {
        let labels = try labels()
        let messages = try messages()
        let hiding = Set(labels.filter { $0.value.signs?.contains("hidden-text") == true }.keys)
        #expect(hiding.count >= 2)
        for message in messages where hiding.contains(message.id) {
            #expect(message.body.html.hiddenCharacters > 60, "\(message.subject)")
            #expect(!message.body.htmlText.contains("AI ASSISTANT"))
            #expect(!message.body.htmlText.contains("boat shed invoice"))
        }
        let wanted = messages.filter { labels[$0.id]?.phishing == false }
        let most = wanted.map { $0.body.html.hiddenCharacters }.max() ?? 0
        #expect(most < 200, "a wanted newsletter hides no more than its preview line")
    }

    /// Attributions of the mailbox's people; its Italian mail answers nobody.
    @Test(arguments: [("On ", "wrote:"), ("Am ", "schrieb"), ("Le ", "écrit"), ("El ", "escribió")])
    func `attributions are told from new text`(opening: String, verb: String) throws {
        let split = try messages().map(\.body.split)
        let attributions = split.flatMap(\.passages).filter {
            $0.kind == .attribution && $0.text.contains(verb)
        }
        #expect(!attributions.isEmpty)
        for text in split.map(\.new) {
            let isLeft = text.split(separator: "\n").contains { line in
                line.hasPrefix(opening) && line.contains(where: \.isNumber) && line.hasSuffix(":")
            }
            #expect(!isLeft, "\(text)")
        }
    }
}

@Suite(
    .enabled(if: GMimeMessageParser.isAvailable, "the trait Mail is off"),
    .enabled(if: MailFixtures.shared != nil, "the public corpora are not there: set BREEZE_SHARED")
)
struct `Real mail` {
    @Test func `the whole SpamAssassin corpus is read`() async throws {
        let folder = try await MailFixtures.spamAssassin()
        let parser = GMimeMessageParser()
        var (read, textless, dateless) = (0, 0, 0)
        for file in MailFixtures.files(in: folder.url) where file.lastPathComponent != "cmds" {
            let message = try parser.parse(.file(file))
            read += 1
            if message.body.best.isEmpty, message.attachments.isEmpty { textless += 1 }
            if message.date == nil { dateless += 1 }
        }
        print("SpamAssassin: read", read, "without text or attachment", textless, "without a date", dateless)
        // easy-ham 2500 + 1400, hard-ham 250, spam 500 + 1396
        #expect(read == 6_046)
        #expect(textless < read / 100)
        #expect(dateless < read / 100)
    }

    @Test func `damaged messages are read without a crash`() throws {
        let fixtures = try MailFixtures.torture.map { Array(try Data(contentsOf: $0)) }.filter {
            $0.count < 60_000
        }
        let parser = GMimeMessageParser()
        var random = SeededGenerator(seed: 20_261_122)
        let marks = [
            "\r\n\r\n", "--", "=?utf-8?B?", "boundary=", "Content-Type: message/rfc822\n\n", "\0", "<div><a ",
        ]
        for _ in 0..<Soak.count(20_000) {
            var bytes = fixtures[Int.random(in: 0..<fixtures.count, using: &random)]
            for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1:
                    bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...200, using: &random)))
                case 2:
                    let end = min(bytes.count, at + Int.random(in: 1...200, using: &random))
                    bytes.insert(
                        contentsOf: bytes[at..<end],
                        at: Int.random(in: 0...bytes.count, using: &random)
                    )
                case 3:
                    bytes.insert(
                        contentsOf: Array(marks.randomElement(using: &random)?.utf8 ?? "".utf8),
                        at: at
                    )
                default: bytes.removeSubrange(at...)
                }
            }
            let message = try parser.parse(.bytes(bytes))
            #expect(!message.id.isEmpty && message.size == bytes.count)
        }
    }

    @Test func `many threads at once read what one reads`() async throws {
        let files = MailFixtures.torture
        let parser = GMimeMessageParser()
        let alone = try files.map { try parser.parse(.file($0)) }
        try await withThrowingTaskGroup(of: [MailMessage].self) { group in
            for _ in 0..<4 { group.addTask { try files.map { try parser.parse(.file($0)) } } }
            for try await together in group { #expect(together == alone) }
        }
    }
}
