import BreezeCore
import BreezeMail
import Foundation
import Testing

@testable import BreezeMailSigns

@Suite struct `A list of known phishing domains` {
    private func imported(_ text: String) throws -> (file: Data, count: Int, ignored: Int) {
        try KnownPhishing.imported(
            from: Data(text.utf8),
            source: "PhishTank",
            day: "2026-11-23",
            domains: PlainDomains()
        )
    }

    private func hosts(_ file: Data) -> [String] {
        String(decoding: file, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.map(
            String.init
        )
    }

    private func list(_ text: String) throws -> KnownPhishing {
        try KnownPhishing(try imported(text).file, name: "list")
    }

    @Test(arguments: [
        ("bad.example", "bad.example"), ("BAD.Example.", "bad.example"),
        ("https://user@bad.example:8443/x?y", "bad.example"),
        ("0.0.0.0 bad.example", "bad.example"), ("127.0.0.1\tbad.example # why", "bad.example"),
        ("::1 bad.example", "bad.example"), ("||bad.example^$third-party", "bad.example"),
        ("bad.example:8080", "bad.example"),
        ("123,http://bad.example/a,http://phishtank.example/1", "bad.example"),
        (#"7,"http://bad.example/a,b",x"#, "bad.example"),
        ("  bad.example  ", "bad.example"), ("http://münchen-bank.example/", "xn--mnchen-bank-thb.example"),
        ("bücher.example", "xn--bcher-kva.example"), ("203.0.113.9", "203.0.113.9"),
        ("http://0xCB007109/", "203.0.113.9"),
        ("http://[2001:db8::1]/", "2001:db8:0:0:0:0:0:1"), ("bad.example/login", "bad.example"),
    ])
    func `lists of many kinds are read`(line: String, host: String) throws {
        let found = try imported(line)
        #expect(hosts(found.file) == [host])
        #expect(found.count == 1)
        #expect(found.ignored == 0)
        let known = try KnownPhishing(found.file, name: "list")
        #expect(known.entry(for: host) == host)
    }

    @Test func `comments are passed over, and what is no host of its own is counted`() throws {
        let found = try imported(
            """
            \u{FEFF}# a comment\r
            ! another\r
            ; a third\r
            \r
            b.example\r
            a.example\r
            b.example\r
            phish_id,url,details\r
            co.uk\r
            com\r
            localhost\r
            12345\r
            192.168.1.1\r
            google.com\r
            docs.google.com\r
            https://gmail.com/x\r
            www.paypal.com\r
            https://bit.ly/abc\r
            @@||c.example^\r
            c.example##.banner\r
            -\r
            bad..example\r
            """
        )
        #expect(hosts(found.file) == ["a.example", "b.example"])
        #expect(found.count == 2)
        #expect(found.ignored == 15)
    }

    @Test func `an entry stands for the hosts below it`() throws {
        let known = try list("bad.example\nlogin.shop.example\nbücher.example\n203.0.113.9\n")
        #expect(known.imported == "2026-11-23")
        #expect(known.source == "PhishTank")
        #expect(known.count == 4)
        #expect(known.entry(for: "a.b.bad.example") == "bad.example")
        #expect(known.entry(for: "BAD.example.") == "bad.example")
        #expect(known.entry(for: "login.shop.example") == "login.shop.example")
        #expect(known.entry(for: "www.bücher.example") == "xn--bcher-kva.example")
        #expect(known.entry(for: "3405803785") == "203.0.113.9")
        for host in [
            "shop.example", "example", "notbad.example", "9", "", "bad.example.org", "1.203.0.113.9",
        ] {
            #expect(known.entry(for: host) == nil, "\(host)")
        }
    }

    @Test func `every host of a long list is found, and none beside it`() throws {
        let names = (0..<5_000).map { "host-\($0 * 7_919 % 100_003).example" }
        let known = try list(names.joined(separator: "\n"))
        #expect(known.count == 5_000)
        for name in names { #expect(known.entry(for: name) == name) }
        for name in names { #expect(known.entry(for: "x" + name) == nil) }
    }

    @Test func `a file is opened from disk`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try imported("bad.example").file.write(to: file)
        #expect(try KnownPhishing(contentsOf: file).entry(for: "bad.example") == "bad.example")
        let missing = #expect(throws: BreezeError.self) {
            try KnownPhishing(contentsOf: file.appendingPathExtension("x"))
        }
        #expect(missing?.code == .inputOutput)
    }

    @Test func `a damaged file is an error that says what to do`() throws {
        let good = try imported((0..<500).map { "host\($0).example" }.joined(separator: "\n")).file
        let text = String(decoding: good, as: UTF8.self)
        var broken = [
            Data(), Data("bad.example\n".utf8), good.dropLast(), good.dropLast(14),
            good + Data("zzz.example\n".utf8),
            Data(text.replacing("phishing 1", with: "phishing 2").utf8),
            Data(text.replacing("# count 500", with: "# count x").utf8),
            Data(text.replacing("2026-11-23", with: "2026-13-23").utf8),
        ]
        // The body in another order, and a body of bytes that no host has.
        let lines = text.split(separator: "\n").map(String.init)
        let header = lines.filter { $0.hasPrefix("#") }
        let hosts = lines.filter { !$0.hasPrefix("#") }
        broken.append(Data((header + hosts.reversed()).map { $0 + "\n" }.joined().utf8))
        broken.append(
            Data((header + hosts.map { $0.replacing("h", with: "\u{1}") }).map { $0 + "\n" }.joined().utf8)
        )
        for file in broken {
            let error = #expect(throws: BreezeError.self) { try KnownPhishing(Data(file), name: "list") }
            #expect(error?.code == .invalidFile)
            #expect(error?.remedy == "Import the list again.")
        }
    }

    @Test func `lists that are too long or empty are refused`() throws {
        var reader = KnownPhishingImport(domains: PlainDomains())
        let long = #expect(throws: BreezeError.self) {
            try reader.read(Data("a.example\r\n\n\n".utf8), mostLines: 2)
        }
        #expect(long?.code == .invalidFile)
        try reader.read(Data("a.example\r\n\r\n".utf8), mostLines: 2)
        #expect(throws: BreezeError.self) { try imported("# nothing\ncom\n") }
        // A program holds strings that look like hosts.
        #expect(throws: BreezeError.self) { try imported("libc.example\n\0\0") }
        #expect(throws: BreezeError.self) {
            try KnownPhishing.imported(
                from: Data("a.example".utf8),
                source: "x",
                day: "today",
                domains: PlainDomains()
            )
        }
    }

    @Test func `hosts of links, of senders and of answers are told`() throws {
        let reader = SignReader(known: try list("bad.example"))
        let detail = "“bad.example” is on your list of known phishing domains (PhishTank, 2026-11-23)"
        var answers = SampleMessage.from(nil, "ada@sender.example")
        answers.replyTo = [MailAddress(address: "eve@bad.example")]
        for message in [
            SampleMessage.link("https://login.bad.example/x"), SampleMessage.from(nil, "eve@mx.bad.example"),
            answers,
            SampleMessage.link("https://redirect.example/?to=https://bad.example/"),
        ] {
            #expect(
                reader.signs(of: message).sign(.knownPhishing) == MailSign(.knownPhishing, .strong, detail)
            )
        }
        let twice = SampleMessage.link("https://bad.example/x", from: "eve@mx.bad.example")
        #expect(reader.signs(of: twice).sign(.knownPhishing)?.detail == detail)
        #expect(!reader.signs(of: SampleMessage.link("https://good.example/")).has(.knownPhishing))
        #expect(!SampleMessage.link("https://bad.example/").signs().has(.knownPhishing))
    }

    /// RFC 3492, 7.1 (B), (C), (G), (L), and the usual example of a host.
    @Test(arguments: [
        ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"), ("他們爲什麽不說中文", "ihqwctvzc91f659drss3x8bo0yb"),
        ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"), ("bücher", "bcher-kva"),
        ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
    ])
    func `labels are encoded as punycode`(label: String, code: String) {
        #expect(Punycode.encode(label) == code)
        #expect(Punycode.decode(code[...]) == label)
    }
}
