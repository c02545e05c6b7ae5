import BreezeMail
import BreezeMailSigns
import Testing

@testable import BreezeMailParser

@Suite(.enabled(if: SystemDomains.isAvailable, "there is no libpsl or ICU in this build"))
struct `Host names as the system knows them` {
    private let domains = SystemDomains()

    /// The public suffix list's own tests (publicsuffix.org, test_psl.txt), and an ending of a company.
    @Test(arguments: [
        ("example.com", "example.com"), ("a.b.example.com", "example.com"), ("b.test.ac.jp", "test.ac.jp"),
        ("a.b.c.kobe.jp", "b.c.kobe.jp"), ("www.city.kobe.jp", "city.kobe.jp"), ("b.c.ck", "b.c.ck"),
        ("www.www.ck", "www.ck"), ("www.test.k12.ak.us", "test.k12.ak.us"), ("食狮.com.cn", "食狮.com.cn"),
        ("www.食狮.公司.cn", "食狮.公司.cn"), ("shishi.xn--55qx5d.cn", "shishi.xn--55qx5d.cn"),
        ("www.example.co.uk", "example.co.uk"), ("me.github.io", "me.github.io"),
        ("a.me.github.io", "me.github.io"),
        ("a.b.unlisted", "b.unlisted"),
    ])
    func `the registered part is the list's`(host: String, domain: String) {
        #expect(domains.registrableDomain(of: host) == domain)
    }

    @Test(arguments: ["com", "co.uk", "github.io", "localhost", "", ".", "ac.jp"])
    func `an ending that is shared has none`(host: String) {
        #expect(domains.registrableDomain(of: host) == nil)
    }

    @Test func `punycode is shown as what it stands for`() {
        #expect(domains.unicodeHost("www.xn--80ak6aa92e.com") == "www.аррӏе.com")
        #expect(domains.unicodeHost("xn--strae-oqa.example") == "straße.example")
        #expect(domains.unicodeHost("a_b.example") == "a_b.example")
        #expect(domains.unicodeHost("xn--zzzzzzzz99999.xn--mnchen-3ya.de") == "xn--zzzzzzzz99999.münchen.de")
    }

    /// Unicode's confusables.txt: these are the same to look at, and the last two are not.
    @Test func `look-alikes have one skeleton`() {
        for text in ["раураl", "ｐａｙｐａｌ", "𝗉𝖺𝗒𝗉𝖺𝗅", "рауpal"] {
            #expect(domains.skeleton(of: text) == domains.skeleton(of: "paypal"), "\(text)")
        }
        #expect(domains.skeleton(of: "rn") == domains.skeleton(of: "m"))
        #expect(domains.skeleton(of: "paypol") != domains.skeleton(of: "paypal"))
        #expect(domains.skeleton(of: "") == "")
    }

    @Test func `a brand in other letters is found with either knowledge`() {
        for name in ["РауРаl Support", "Nеtflix", "Ｃｏｉｎｂａｓｅ", "Аррlе"] {
            for domains in [SystemDomains() as any DomainKnowledge, PlainDomains()] {
                var message = MailMessage()
                message.from = [MailAddress(name: name, address: "a@b.example")]
                let signs = SignReader(domains: domains).signs(of: message)
                #expect(signs.sign(.brandInName)?.strength == .strong, "\(name)")
            }
        }
    }

    @Test func `long and broken texts are answered`() {
        for piece in ["a", "a.", "xn--", "\u{0301}", "é.", "\u{FFFD}", "😀", "\u{202E}", "\0"] {
            let text = String(repeating: piece, count: 50_000)
            _ = domains.registrableDomain(of: text)
            #expect(!domains.unicodeHost(text).isEmpty)
            _ = domains.skeleton(of: text)
            let short = String(repeating: piece, count: 60)
            _ = domains.registrableDomain(of: short)
            #expect(!domains.unicodeHost(short).isEmpty)
            _ = domains.skeleton(of: short)
        }
    }

    @Test func `many threads may ask at once`() async {
        let alone = (0..<200).map { domains.registrableDomain(of: "www.h\($0).example.co.uk") }
        await withTaskGroup(of: [String?].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<200).map { SystemDomains().registrableDomain(of: "www.h\($0).example.co.uk") }
                }
            }
            for await together in group { #expect(together == alone) }
        }
    }
}
