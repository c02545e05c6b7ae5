import BreezeMail
import BreezeTestSupport
import Testing

@testable import BreezeMailSigns

@Suite struct `What receivers say of a sender` {
    private let outlook = """
        spf=fail (sender IP is 203.0.113.9) smtp.mailfrom=bank.example; dkim=none (message not signed) \
        header.d=none;dmarc=none action=none header.from=bank.example;compauth=fail reason=001
        """
    private let gmail = """
        mx.google.com; dkim=pass header.i=@list.example header.s=s1 header.b="ab/=="; dkim=pass \
        header.i=@bank.example header.s=k1 header.b=Zx+/=; spf=pass (google.com: domain of a@bank.example; designates \
        2001:db8::1 as permitted sender) smtp.mailfrom=a@bank.example; dmarc=pass (p=NONE sp=NONE dis=NONE) \
        header.from=bank.example
        """

    private func read(
        _ headers: [String],
        trusted: [String] = [],
        spf: [String] = [],
        from: String? = "bank.example"
    ) -> SenderAuthentication {
        var written = AuthenticationHeaders()
        written.results = headers
        written.receivedSPF = spf
        return SenderAuthentication(written, trusted: trusted, from: from, domains: PlainDomains())
    }

    @Test func `Outlook's header has no name and is read`() {
        let header = AuthenticationResults(outlook)
        #expect(header.server == nil)
        #expect(header.results.map(\.method) == ["spf", "dkim", "dmarc", "compauth"])
        #expect(header.results.map(\.value) == ["fail", "none", "none", "fail"])
        #expect(header.results[0].properties == ["smtp.mailfrom": "bank.example"])
        #expect(header.results[3].properties == ["reason": "001"])
        #expect(read([outlook]) == SenderAuthentication(spf: .fail, dkim: .none, dmarc: .none))
    }

    @Test func `Gmail's header has several signatures and separators in comments`() {
        let header = AuthenticationResults(gmail)
        #expect(header.server == "mx.google.com")
        #expect(header.results.map(\.method) == ["dkim", "dkim", "spf", "dmarc"])
        #expect(header.results[0].properties["header.b"] == "ab/==")
        #expect(header.results[1].properties["header.b"] == "Zx+/=")
        #expect(header.results[2].properties == ["smtp.mailfrom": "a@bank.example"])
        #expect(read([gmail]) == SenderAuthentication(spf: .pass, dkim: .pass, dmarc: .pass))
    }

    /// RFC 8601, appendix B, and RFC 7001's forms of the same.
    @Test(
        arguments: [
            ("example.org 1; none", "example.org", []),
            ("example.com; spf=pass smtp.mailfrom=example.net", "example.com", ["spf=pass"]),
            (
                "example.com; auth=pass (cram-md5) smtp.auth=sender@example.net; spf=pass smtp.mailfrom=example.net",
                "example.com", ["auth=pass", "spf=pass"]
            ),
            (
                "foo.example.net (foobar) 1 (baz); dkim (Because I like it) / 1 (One yay) = (wait for it) fail "
                    + "policy (A dot can go here) . (like that) expired (this surprised me) = (as I wasn't expecting it) "
                    + "1362471462",
                "foo.example.net", ["dkim=fail"]
            ),
            ("mx.example 1 ; dkim/1=Pass header.d=Example.COM;", "mx.example", ["dkim=pass"]),
            ("\"mx;1\" ; spf = softfail", "mx;1", ["spf=softfail"]),
            (
                "mx.example; spf=fail (a (nested; spf=pass) \\) still; dmarc=pass) smtp.mailfrom=x",
                "mx.example", ["spf=fail"]
            ),
            (
                "mx.example; spf=fail reason=\"no; dkim=pass\" smtp.mailfrom=x; dmarc=fail", "mx.example",
                ["spf=fail", "dmarc=fail"]
            ),
            ("mx.example; spf=fail (never closed; dmarc=pass", "mx.example", ["spf=fail"]),
            ("", nil, []), (";;;", nil, []), ("=", nil, []), ("(x", nil, []), ("\"", nil, []),
            ("a=", nil, []),
        ] as [(String, String?, [String])]
    )
    func `the standard's forms are read`(text: String, server: String?, results: [String]) {
        let header = AuthenticationResults(text)
        #expect(header.server ?? "" == server ?? "")
        #expect(
            header.results.map { "\($0.method)=\($0.value)" } == results
        )
    }

    @Test(arguments: [
        ("pass", SenderAuthentication.Verdict.pass), ("fail", .fail), ("hardfail", .fail),
        ("softfail", .softFail),
        ("none", .none), ("neutral", .none), ("bestguesspass", .none), ("timeout", .unknown),
        ("test", .unknown),
        ("ignore", .unknown), ("temperror", .unknown), ("permerror", .unknown), ("PASS", .pass),
        ("passed", .unknown),
    ])
    func `every word has its meaning`(word: String, verdict: SenderAuthentication.Verdict) {
        #expect(read(["mx.example; spf=\(word) smtp.mailfrom=bank.example"]).spf == verdict)
        #expect(read(["mx.example; dmarc=\(word) header.from=bank.example"]).dmarc == verdict)
    }

    @Test func `nothing is known without a header, and nothing is a sign then`() {
        #expect(read([]) == SenderAuthentication())
        #expect(SampleMessage.from("Ada", "ada@bank.example").signs().signs.isEmpty)
    }

    @Test func `only the topmost header counts where nobody is trusted by name`() {
        let forged = "mx.mine.example; spf=pass; dkim=pass header.d=bank.example; dmarc=pass"
        let headers = [outlook] + Array(repeating: forged, count: 7)
        #expect(headers.count == 8)
        #expect(read(headers) == SenderAuthentication(spf: .fail, dkim: .none, dmarc: .none))
    }

    @Test func `only the trusted count where some are named`() {
        let genuine = "mx.mine.example; spf=softfail smtp.mailfrom=bank.example"
        let milter = "mx.mine.example; dmarc=fail header.from=bank.example"
        let forged = "mx.mine.example; spf=pass; dmarc=pass"
        let other = "relay.example; spf=pass; dkim=pass header.d=bank.example; dmarc=pass"
        let found = read(
            [other, genuine, milter, other, outlook, forged, other, other],
            trusted: ["MX.mine.example"]
        )
        #expect(found == SenderAuthentication(spf: .softFail, dkim: .unknown, dmarc: .fail))
        #expect(read([other, outlook], trusted: ["mx.mine.example"]) == SenderAuthentication())
        // Outlook writes no name.
        #expect(read([outlook], trusted: ["", "mx.mine.example"]).spf == .fail)
    }

    @Test(arguments: [
        (["dkim=pass header.d=bank.example"], SenderAuthentication.Verdict.pass),
        (["dkim=pass header.i=@mail.bank.example"], .pass), (["dkim=pass header.d=other.example"], .none),
        (["dkim=fail header.d=bank.example", "dkim=pass header.d=bank.example"], .pass),
        // A list signed what it changed.
        (["dkim=fail header.d=bank.example", "dkim=pass header.d=list.example"], .none),
        (["dkim=fail header.d=bank.example", "dkim=fail header.d=list.example"], .fail),
        (["dkim=none header.d=none"], .none), (["dkim=timeout"], .unknown), (["dkim=fail"], .fail),
    ])
    func `a signature counts for whom it is of`(results: [String], verdict: SenderAuthentication.Verdict) {
        #expect(read(["mx.example; " + results.joined(separator: "; ")]).dkim == verdict)
    }

    @Test func `of two results for one method the worse is believed`() {
        #expect(read(["mx.example; dmarc=fail header.from=x; dmarc=pass header.from=y"]).dmarc == .fail)
        #expect(read(["mx.example; spf=pass smtp.mailfrom=x; spf=fail smtp.helo=y"]).spf == .pass)
        #expect(read(["mx.example; spf=fail smtp.helo=y"]).spf == .fail)
    }

    @Test func `Received-SPF stands in for what is not told`() {
        let spf =
            "Fail (mx.mine.example: domain of a@bank.example does not designate 203.0.113.9) client-ip=203.0.113.9;"
        #expect(ReceivedSPF(spf)?.receiver == "mx.mine.example")
        #expect(
            ReceivedSPF("pass (x; y) client-ip=::1; receiver=MX.example; identity=mailfrom")?.receiver
                == "mx.example"
        )
        #expect(ReceivedSPF(" ") == nil)
        #expect(read([], spf: [spf, "pass"]).spf == .fail)
        #expect(read(["mx.example; dmarc=pass"], spf: [spf]).spf == .fail)
        #expect(read([gmail], spf: [spf]).spf == .pass)
        #expect(read([], trusted: ["mx.mine.example"], spf: ["pass", spf]).spf == .fail)
        #expect(read([], trusted: ["mx.else.example"], spf: ["pass", spf]).spf == .unknown)
    }

    @Test func `failures are strong signs, and a pass is none`() {
        var message = SampleMessage.from("Ada", "ada@bank.example")
        message.authentication.results = [
            "mx.example; spf=softfail; dkim=fail header.d=bank.example; dmarc=fail"
        ]
        let kinds: [MailSign.Kind] = [.dmarcFail, .spfFail, .dkimFail]
        #expect(message.signs().signs.map(\.kind) == kinds)
        #expect(message.signs().signs.allSatisfy { $0.strength == .strong })
        message.authentication.results = [gmail]
        #expect(message.signs().signs.isEmpty)
        #expect(message.signs().authentication.dmarc == .pass)
    }
}

@Suite struct `Hostile headers` {
    @Test func `a hundred thousand bytes of anything are read`() {
        for piece in [
            "(", ")", ";", "=", "\"", "\\", "a=b;", "spf=fail;", " ", "(((\\", "\"(;=", "a b c ", "é",
        ] {
            let header = AuthenticationResults(String(repeating: piece, count: 100_000 / piece.utf8.count))
            #expect(header.results.count <= 50)
            for result in header.results {
                #expect(result.properties.count <= 20)
                #expect(result.value.count <= 500)
            }
        }
    }

    @Test func `no text traps, and what stands in a comment is not there`() {
        let pieces = [
            "mx.example", ";", "=", "(", ")", "\"", "\\", " ", "spf", "dkim", "dmarc=pass", "header.d=",
            "a@b", "/1", ".",
            "none", "\t", "é", "\u{202E}", "reason=\"x;y\"", "1",
        ]
        var random = SeededGenerator(seed: 20_261_204)
        for _ in 0..<Soak.count(200_000) {
            var text = ""
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                text += pieces.randomElement(using: &random) ?? ""
            }
            let header = AuthenticationResults(text)
            #expect(header.results.allSatisfy { !$0.method.isEmpty && !$0.value.isEmpty }, "\(text)")
            let quiet = text.filter { !"()\\".contains($0) }
            #expect(
                AuthenticationResults("mx.example (\(quiet)); spf=fail").results.map(\.value) == ["fail"],
                "\(quiet)"
            )
            _ = ReceivedSPF(text)
        }
    }
}
