import BreezeTestSupport
import Testing

@testable import BreezeMailSigns

@Suite struct `Where a link leads` {
    private func link(_ text: String) -> MailLink? { MailLink(text, domains: PlainDomains()) }

    /// Hosts as the URL standard's parser gives them (browsers' `new URL(…).hostname`).
    @Test(arguments: [
        ("https://www.example.com/a?b#c", "www.example.com"),
        ("HTTPS://WWW.Example.COM", "www.example.com"),
        (" \u{1}https://example.com/ ", "example.com"),
        ("https://exa\tmple.c\nom/", "example.com"),
        ("https:example.com/x", "example.com"),
        ("https:/\\/example.com\\x", "example.com"),
        ("https://////example.com//", "example.com"),
        ("//example.com/x", "example.com"),
        ("www.example.com/x", "www.example.com"),
        ("https://example.com.:443/", "example.com"),
        ("https://ex%61mple.com/", "example.com"),
        ("https://example。com/", "example.com"),
        ("https://ｅｘａｍｐｌｅ．ｃｏｍ/", "example.com"),
        ("https://exam\u{00AD}ple.com/", "example.com"),
        ("https://exam\u{200B}ple.com/", "example.com"),
        ("https://paypal.com@example.com/", "example.com"),
        ("https://paypal.com:x@y@example.com:8080/", "example.com"),
        ("https://example.com?@paypal.com/", "example.com"),
        ("https://example.com#@paypal.com/", "example.com"),
        ("https://example.com\\@paypal.com/", "example.com"),
        ("ftp://files.example.com/x", "files.example.com"),
        ("\u{FEFF}https://example.com/", "example.com"),
    ])
    func `the host is the one that a browser asks`(text: String, host: String) {
        #expect(link(text)?.host?.name == host)
    }

    @Test(arguments: ["", "   ", "#top", "/a/b", "page.html", "?x=1", "https", "example.com/x"])
    func `what leads nowhere by itself is none`(text: String) {
        #expect(link(text) == nil)
    }

    @Test(arguments: [
        "https://", "https:///", "https://a b.com/", "https://<x>/", "https://%00/", "http://[::g]x{}/",
    ])
    func `a host that no name can be is none`(text: String) {
        #expect(link(text)?.host == nil)
        #expect(link(text) != nil)
    }

    /// WHATWG URL, IPv4 parser; every line is 192.0.2.235 or the address beside it.
    @Test(arguments: [
        ("192.0.2.235", "192.0.2.235"), ("0300.0.02.0353", "192.0.2.235"),
        ("0xc0.0x0.0x02.0xeb", "192.0.2.235"),
        ("3221226219", "192.0.2.235"), ("0xC00002EB", "192.0.2.235"), ("030000001353", "192.0.2.235"),
        ("192.0x2eb", "192.0.2.235"), ("192.0.747", "192.0.2.235"), ("127.1", "127.0.0.1"), ("0", "0.0.0.0"),
        ("0x", "0.0.0.0"), ("%31%32%37.1", "127.0.0.1"), ("192.0.2.235.", "192.0.2.235"),
        ("[2001:db8::1]", "2001:db8:0:0:0:0:0:1"), ("[::ffff:192.0.2.1]", "0:0:0:0:0:ffff:c000:201"),
        ("[::]", "0:0:0:0:0:0:0:0"), ("[1:2:3:4:5:6:7:8]", "1:2:3:4:5:6:7:8"),
    ])
    func `an address is one in all its notations`(host: String, address: String) {
        let found = link("http://\(host)/x")?.host
        #expect(found?.numeric?.address == address)
        #expect(found?.labels == 0)
        #expect(found?.registrableDomain == nil)
        #expect(found?.owner == address)
    }

    @Test(arguments: [
        "256.1.1.1", "1.2.3.4.5", "1.2.3.256", "4294967296", "09.1.1.1", "0xg.1", "1..2",
        "1.2.3.4.example.com",
        "[1:2]", "[1:2:3:4:5:6:7:8:9]", "[::1::2]", "[12345::]", "[::1",
    ])
    func `what is no address is none`(host: String) {
        #expect(link("http://\(host)/x")?.host?.numeric == nil)
    }

    @Test(arguments: [
        ("10.1.2.3", true), ("127.0.0.1", true), ("192.168.1.1", true), ("172.16.0.1", true),
        ("172.32.0.1", false),
        ("8.8.8.8", false), ("[::1]", true), ("[fe80::1%25eth0]", true), ("[fd00::1]", true),
        ("[2001:db8::1]", false),
    ])
    func `addresses of one's own network are told from others`(host: String, isLocal: Bool) {
        #expect(NumericHost(host)?.isLocal == isLocal)
    }

    @Test func `its parts are read`() {
        let found = link("http://user:secret@a.b.example.co.uk:8080/r?u=https%3A%2F%2Fother.example%2Fx")
        #expect(found?.scheme == "http")
        #expect(found?.userInfo == "user:secret")
        #expect(found?.port == 8_080)
        #expect(found?.host?.labels == 5)
        #expect(found?.hostLength == "a.b.example.co.uk".utf8.count)
        #expect(found?.host?.registrableDomain == "example.co.uk")
        #expect(found?.host?.label == "example")
        #expect(found?.nestedHost == "other.example")
        #expect(link("https://example.com:99999/")?.port == nil)
        #expect(link("mailto:ada@example.com")?.host == nil)
        #expect(link("JavaScript:alert(1)")?.scheme == "javascript")
        #expect(link("java\nscript:alert(1)")?.opaque == "alert(1)")
    }

    @Test(arguments: [
        ("https://t.example/?u=http://other.example/x", "other.example"),
        ("https://t.example/http://ada@other.example:80/x", "other.example"),
        ("https://t.example/?u=https%3a%2f%2fother.example%2fx", "other.example"),
        ("https://t.example/?u=https%253A%252F%252Fother.example%252Fx", "other.example"),
        ("https://t.example/v2/url?u=https-3A__other.example_x&d=1", "other.example"),
        ("https://t.example/#http://other.example", "other.example"),
        ("https://t.example/http/x", nil), ("https://t.example/?u=https://", nil),
        ("https://http.example/x", nil),
    ])
    func `a URL within a URL is found`(text: String, host: String?) {
        #expect(link(text)?.nestedHost == host)
    }

    @Test func `letters of other alphabets are shown and told`() {
        let puny = link("https://www.xn--80ak6aa92e.com/")?.host
        #expect(puny?.unicode == "www.аррӏе.com")
        #expect(puny?.isInternational == true)
        #expect(puny?.label == "аррӏе")
        let written = link("https://МОСКВА.example/")?.host
        #expect(written?.name == "москва.example")
        #expect(written?.isInternational == true)
        #expect(link("https://example.com")?.host?.isInternational == false)
    }

    @Test func `links in plain text end where a reader sees their end`() {
        let text = """
            See https://a.example/x, http://b.example/(y) and (www.c.example/z). <HTTPS://D.example/>
            Not me@www.e.example, nothttp://f.example, a.www.g.example or www. alone. "http://h.example/?a=1&b=2"!
            """
        #expect(
            MailLink.links(in: text) == [
                "https://a.example/x", "http://b.example/(y)", "www.c.example/z", "HTTPS://D.example/",
                "http://h.example/?a=1&b=2",
            ]
        )
        #expect(MailLink.links(in: text, limit: 2).count == 2)
    }
}

@Suite struct `Hostile links` {
    private func link(_ text: String) -> MailLink? { MailLink(text, domains: PlainDomains()) }

    @Test func `a hundred thousand bytes of anything are read`() {
        let long = String(repeating: "a", count: 100_000)
        #expect(link("https://\(long).example.com/")?.hostLength == 100_012)
        #expect(link("https://\(long).example.com/")?.host?.registrableDomain == "example.com")
        #expect(link("https://\(long)@example.com/")?.userInfo?.utf8.count == 200)
        #expect(link("https://example.com/\(long)")?.host?.name == "example.com")
        #expect(link(long) == nil)
        #expect(link("\(long)://example.com") == nil)
        #expect(link("data:\(long)")?.opaque.utf8.count == 120)
        let dots = String(repeating: "a.", count: 50_000)
        #expect((link("https://\(dots)example.com")?.host?.name.utf8.count ?? 0) <= 253)
        #expect(
            link("https://\(String(repeating: "@", count: 100_000))example.com")?.host?.name == "example.com"
        )
        #expect(
            link("https:" + String(repeating: "/", count: 100_000) + "example.com")?.host?.name
                == "example.com"
        )
        #expect(link("https://example.com/" + String(repeating: "http", count: 25_000))?.nestedHost == nil)
        #expect(link("https://example.com/" + String(repeating: "http://", count: 15_000))?.nestedHost == nil)
        #expect(link("https://" + String(repeating: "%", count: 100_000))?.host == nil)
        #expect(link("https://" + String(repeating: "0", count: 100_000))?.host?.numeric == nil)
        #expect(MailLink.links(in: String(repeating: "www.", count: 25_000)).count <= 1)
        #expect(MailLink.links(in: String(repeating: "http://", count: 15_000)).count == 1)
        let puny = link("https://xn--\(long.prefix(200)).com/")?.host
        #expect(puny?.unicode == puny?.name)
    }

    @Test func `no bytes trap, and what is read of a host is read again the same`() {
        let pieces = [
            "https://", "http:", "//", "\\", "@", ":", "[", "]", "::", "%2f", "%", "www.", "example.com",
            "paypal.com",
            "xn--", "xn--80ak6aa92e", ".", "..", "0x7f", "127", "?", "#", "http%3A%2F%2F", "\u{202E}",
            "\u{200B}", "。",
            "ä", "Ⅷ", "\t", "\n", "\0", " ", "data:", "javascript:", "-", "_", "😀", "a", "Z", "\u{0301}",
            "&u=",
        ]
        var random = SeededGenerator(seed: 20_261_203)
        for _ in 0..<Soak.count(400_000) {
            var text = Bool.random(using: &random) ? "https://" : ""
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                text += pieces.randomElement(using: &random) ?? ""
            }
            guard let host = link(text)?.host else { continue }
            #expect(!host.name.isEmpty && host.name.utf8.count <= 253, "\(text.debugDescription)")
            #expect(!host.name.contains { $0 == "/" || $0 == "@" || $0 == " " }, "\(text.debugDescription)")
            #expect(host.name == host.name.lowercased(), "\(text.debugDescription)")
            #expect(link("https://\(host.name)/")?.host == host, "\(text.debugDescription)")
        }
    }
}
