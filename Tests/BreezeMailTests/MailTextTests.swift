import BreezeMail
import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Values of mail headers` {
    /// Seconds are from `date -u -d … +%s`.
    @Test(arguments: [
        ("Fri, 21 Nov 1997 09:55:06 -0600", 880_127_706), ("21 Nov 97 09:55 GMT", 880_106_100),
        ("Sat Nov 20 14:22:01 2021", 1_637_418_121), ("2002-08-22T12:36:23Z", 1_030_019_783),
        ("Thu,\t13 Feb 1969 23:32 -0330 (Newfoundland Time)", 0), ("1 Jan 0000 00:00:00 +0000", 0),
        ("31 Dec 9999 23:59:59 +0000", 253_402_300_799), ("1 Jan 99999 00:00 +0000", 253_402_300_799),
        ("Mon, 12-Aug-2002 10:00:00 +0000", 1_029_146_400), ("22 Aug 102 12:36:23 +0000", 1_030_019_783),
    ])
    func `a date is read in every usual form`(header: String, seconds: Int64) {
        #expect(MailDate(header: header)?.unixSeconds == seconds)
    }

    @Test func `a date outside of the calendar is moved and says so`() {
        #expect(MailDate(header: "1 Jan 0000 00:00 +0000")?.isClamped == true)
        #expect(MailDate(header: "1 Jan 2020 00:00 +0000")?.isClamped == false)
        #expect(MailDate(header: "21 Nov 1997 09:55:06 -0600")?.zone == -360)
    }

    @Test(arguments: ["", "yesterday", "32 Foo 2020", "12:00", "45 Jan 2020 10:00", "1 Jan 2020 25:61"])
    func `what is no date is none`(header: String) {
        #expect(MailDate(header: header) == nil)
    }

    @Test(arguments: [
        ("Re: Boat", "Boat", true), ("RE[2]: AW: Boat", "Boat", true), ("[boats] Re: Boat", "Boat", true),
        ("Fwd: Boat (fwd)", "Boat", true), ("回复：船", "船", true), ("Boat", "Boat", false),
        ("Note: the boat", "Note: the boat", false), ("[boats]", "[boats]", false),
        ("SV:  Re:\tBoat", "Boat", true),
        ("Ответ: Лодка", "Лодка", true), ("Re(3): Boat", "Boat", true), ("Re", "Re", false),
    ])
    func `a base subject has no marks`(subject: String, base: String, isReply: Bool) {
        #expect(BaseSubject(subject).text == base)
        #expect(BaseSubject(subject).isReply == isReply)
    }

    @Test func `message ids are found in what programs write`() {
        #expect(MessageIDs.parse("<a@b> <c@d>\r\n <a@b>") == ["a@b", "c@d"])
        #expect(MessageIDs.parse("Your message of Monday <a@b.c>") == ["a@b.c"])
        #expect(MessageIDs.parse("<long\r\n id@b>") == ["longid@b"])
        #expect(MessageIDs.parse("a@b, c@d") == ["a@b", "c@d"])
        #expect(MessageIDs.parse("<<>> < none") == [])
        let many = (0..<5_000).map { "<\($0)@x>" }.joined()
        #expect(MessageIDs.parse(many, limit: 3) == ["0@x", "4998@x", "4999@x"])
    }
}

@Suite struct `Old forms of text` {
    /// RFC 3676, section 4.2 and 4.5.
    @Test func `flowed lines are joined within their quote`() {
        #expect(
            FlowedText.join("one \ntwo\n> three \n> four\n", deletesSpace: false) == "one two\n> three four\n"
        )
        #expect(FlowedText.join("日本 \n語\n", deletesSpace: true) == "日本語\n")
        #expect(FlowedText.join(" >stuffed\nx \n-- \nBob", deletesSpace: false) == ">stuffed\nx \n-- \nBob")
    }

    @Test func `uuencoded files are taken out of a text`() {
        // `printf 'Cat' | uuencode cat.txt`
        let (text, files) = UuencodedText.split("Hello\nbegin 644 cat.txt\n#0V%T\n`\nend\nBye")
        #expect(text == "Hello\nBye")
        #expect(files == [EmbeddedFile(name: "cat.txt", size: 3)])
        let prose = "We\nbegin 100 times and\nnever\nend"
        #expect(UuencodedText.split(prose).text == prose)
    }

    @Test func `a guard drops what would become a million objects`() {
        var limits = MailLimits()
        limits.headers = 3
        limits.parts = 3
        let text =
            "A: 1\nB: 2\nContent-Type: multipart/mixed; boundary=xx\nD: 4\n E\nF: 6\n\n--xx\n\na\n--xx\n\nb\n--xx\n\nc\n"
        var guarding = MessageGuard(limits: limits)
        // In pieces of seven bytes, as a file may be read.
        for start in stride(from: 0, to: text.utf8.count, by: 7) {
            Array(text.utf8.dropFirst(start).prefix(7)).withUnsafeBytes { guarding.feed($0) }
        }
        guarding.finish()
        #expect(guarding.droppedHeaders == 2)
        #expect(guarding.endedAtPart == 4)
        let bytes = Array(text.utf8)
        let kept = guarding.kept.flatMap { bytes[Int($0.lowerBound)..<Int($0.upperBound)] }
        let wanted = "A: 1\nB: 2\nContent-Type: multipart/mixed; boundary=xx\n\n--xx\n\na\n--xx\n\nb\n"
        #expect(String(decoding: kept, as: UTF8.self) == wanted)
    }
}

@Suite struct `Mailboxes in one file` {
    private func read(_ text: String, quoting: MboxQuoting? = nil) throws -> [(MboxEntry, String)] {
        let folder = try ScratchFolder()
        let file = try folder.write("mbox", text)
        var reader = try MboxReader(file, quoting: quoting)
        var found: [(MboxEntry, String)] = []
        while let entry = try reader.next() {
            found.append((entry, String(decoding: try entry.read(from: file), as: UTF8.self)))
            var again = try MboxReader(file, from: entry.offset, quoting: quoting)
            #expect(try again.next() == entry)
        }
        return found
    }

    private static let separator = "From ada@example.org Thu Nov 19 08:00:00 2026\n"

    @Test func `messages are split where a separator follows an empty line`() throws {
        let one = "Subject: 1\n\nFrom here on\n>From there\n>>From afar\n\nFrom now on\n"
        let two = "Subject: 2\n\nx\nFrom b Thu Nov 19 08:00:00 2026\n"
        let found = try read(Self.separator + one + "\n" + Self.separator + two)
        #expect(found.map(\.1) == [one.replacing(">From", with: "From"), two])
        #expect(found.map(\.0.offset) == [0, Int64(Self.separator.utf8.count + one.utf8.count + 1)])
    }

    @Test func `mboxo loses one mark from From alone`() throws {
        let found = try read(Self.separator + "S: 1\n\n>From a\n>>From b\n", quoting: .once)
        #expect(found.map(\.1) == ["S: 1\n\nFrom a\n>>From b\n"])
    }

    @Test func `a length that holds is believed, and one that lies is not`() throws {
        let body = "a\n\n\(Self.separator)b\n"
        let good =
            Self.separator + "Content-Length: \(body.utf8.count)\n\n" + body + "\n" + Self.separator
            + "S: 2\n\nc\n"
        #expect(try read(good).map(\.1) == ["Content-Length: \(body.utf8.count)\n\n\(body)", "S: 2\n\nc\n"])
        let bad = Self.separator + "Content-Length: 7\n\na\n\n" + Self.separator + "S: 2\n\nc\n"
        #expect(try read(bad).map(\.1) == ["Content-Length: 7\n\na\n", "S: 2\n\nc\n"])
    }

    @Test func `a file that is no mailbox has no messages, and a missing one is an error`() throws {
        #expect(try read("Subject: x\n\nhello\n").isEmpty)
        #expect(try read("").isEmpty)
        #expect(throws: (any Error).self) { try MboxReader(URL(filePath: "/nonexistent/mbox")) }
    }
}
