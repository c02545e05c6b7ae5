import BreezeMail
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeMailParser

@Suite(.enabled(if: GMimeMessageParser.isAvailable, "the trait Mail is off"))
struct `Mail made to exhaust its reader` {
    private func parse(_ text: String, _ limits: MailLimits = MailLimits()) throws -> MailMessage {
        try GMimeMessageParser().parse(.bytes(Array(text.utf8)), limits: limits)
    }

    private func kinds(_ message: MailMessage) -> Set<MailNotice.Kind> { Set(message.notices.map(\.kind)) }

    @Test func `a bomb of headers leaves the first ones`() throws {
        let bomb = String(repeating: "X-Bomb: \(String(repeating: "b", count: 40))\n", count: 100_000)
        let message = try parse("Subject: still here\nMessage-ID: <m@x>\n\(bomb)\nbody")
        #expect(message.subject == "still here")
        #expect(message.body.best == "body")
        #expect(message.notices.contains(MailNotice(.headersDropped, count: 100_002 - 1_000)))
    }

    @Test func `one endless header is dropped and the others stay`() throws {
        let message = try parse(
            "Subject: a\nX-Long: \(String(repeating: "x\n ", count: 500_000))\nFrom: a@x\n\nbody"
        )
        #expect(message.subject == "a")
        #expect(kinds(message).contains(.headersDropped))
        #expect(message.body.best == "body")
    }

    @Test func `a bomb of encoded words stays as it is written`() throws {
        let message = try parse("Subject: \(String(repeating: "=?utf-8?q?a?= ", count: 10_000))\n\nbody")
        #expect(message.notices.contains(MailNotice(.encodedWordsKept, count: 1)))
        #expect(message.subject.hasPrefix("=?utf-8?q?a?= =?"))
    }

    @Test func `ten thousand parts are read and the next is said to be left out`() throws {
        let parts = String(repeating: "--b\n\nx\n", count: 20_000)
        let message = try parse("Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n\(parts)--b--\n")
        #expect(message.parts.count == 10_000)
        #expect(kinds(message).contains(.tooManyParts))
        #expect(message.subject == "s")
    }

    /// Each level holds the next; a thread of the pool has a small stack.
    @Test(arguments: [false, true]) func `endless nesting is opened to its limit`(asMessages: Bool)
        async throws
    {
        var text = "Subject: s\n"
        for level in 0..<5_000 {
            text +=
                asMessages
                ? "Content-Type: message/rfc822\n\nSubject: \(level)\n"
                : "Content-Type: multipart/mixed; boundary=\"b\(level)\"\n\n--b\(level)\n"
        }
        let message = try parse(text + "\nbottom\n")
        #expect(message.subject == "s")
        #expect(message.parts.count <= MailLimits().depth + 1)
        #expect(kinds(message).contains(.tooDeep))
    }

    @Test func `HTML without end is read to its limits`() throws {
        let deep =
            String(repeating: "<div><b>", count: 50_000) + "bottom" + String(repeating: "</i>", count: 50_000)
        let message = try parse("Content-Type: text/html\n\n<p>top</p>\(deep)")
        #expect(message.body.best.hasPrefix("top"))
        #expect(message.body.best.contains("bottom"))
        #expect(kinds(message).contains(.htmlTooDeep))
        let links = try parse(
            "Content-Type: text/html\n\n" + String(repeating: "<a href=x>y</a>", count: 20_000)
        )
        #expect(links.body.html.links.count == MailLimits().links)
        #expect(links.notices.contains(MailNotice(.linksDropped, count: 10_000)))
    }

    @Test func `a hundred megabytes are streamed from their file`() throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "big.eml")
        let head =
            "Subject: big\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b\n"
            + "Content-Type: application/zip\nContent-Transfer-Encoding: base64\n\n"
        _ = FileManager.default.createFile(atPath: file.path, contents: Data(head.utf8))
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        let line = Data((String(repeating: "QUJD", count: 19) + "\n").utf8)
        let block = Data((0..<10_000).flatMap { _ in line })
        for _ in 0..<140 { try handle.write(contentsOf: block) }
        try handle.close()
        let message = try GMimeMessageParser().parse(.file(file))
        #expect(message.subject == "big")
        #expect(message.body.best == "hello")
        #expect(message.size == head.utf8.count + 140 * 10_000 * 77)
        #expect(message.notices.contains(MailNotice(.messageTooLong, count: message.size - (100 << 20))))
        // Three bytes of four within the limit.
        let encoded = ((100 << 20) - head.utf8.count) / 77 * 57
        #expect(abs((message.parts.last?.size ?? 0) - encoded) < 60)
    }

    @Test func `text beyond its limit is cut and counted`() throws {
        var limits = MailLimits()
        limits.textBytes = 1_000
        let message = try parse("Subject: s\n\n" + String(repeating: "word ", count: 1_000), limits)
        #expect(message.body.best.utf8.count <= 1_000)
        #expect(message.notices.contains(MailNotice(.textTooLong, count: 4_000)))
    }

    @Test(arguments: [
        "", "\n", "\0", "no header at all", "From \n", "\u{FEFF}Subject: x\n\ny", ":\n\n", "\r\r\n",
    ])
    func `nearly nothing is a message too`(text: String) throws {
        let message = try parse(text)
        #expect(message.id.hasSuffix("@content.invalid"))
    }
}
