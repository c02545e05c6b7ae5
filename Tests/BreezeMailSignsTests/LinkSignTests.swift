import BreezeMail
import Testing

@testable import BreezeMailSigns

@Suite struct `What links give away` {
    private func strength(_ kind: MailSign.Kind, _ target: String, from: String = "ada@sender.example")
        -> MailSign.Strength?
    {
        SampleMessage.link(target, from: from).strength(kind)
    }

    @Test func `shorteners hide where a link leads`() {
        #expect(strength(.shortener, "https://bit.ly/3x") == .strong)
        #expect(strength(.shortener, "http://www.tinyurl.com/x") == .strong)
        #expect(strength(.shortener, "https://t.co/x") == .strong)
        // What a company shortens in its own mail hides nothing.
        #expect(strength(.shortener, "https://t.co/x", from: "notify@twitter.com") == nil)
        #expect(strength(.shortener, "https://lnkd.in/x", from: "messages@e.linkedin.com") == nil)
        #expect(strength(.shortener, "https://bit.ly/x", from: "team@bit.ly") == nil)
        #expect(strength(.shortener, "https://bit.ly.example.com/x") == nil)
        #expect(strength(.shortener, "https://habit.ly/x") == nil)
    }

    @Test func `much abused endings are strong, also of the sender`() {
        #expect(strength(.abusedEnding, "https://shop.parcel.top/x") == .strong)
        #expect(strength(.abusedEnding, "https://top.example.com/x.top") == nil)
        #expect(strength(.abusedEnding, "https://live.com/") == nil)
        // Of a known company.
        #expect(strength(.abusedEnding, "https://www.block.xyz/") == nil)
        #expect(SampleMessage.from("Ada", "ada@parcel.icu").strength(.abusedEnding) == .strong)
        #expect(
            SampleMessage.from("Ada", "ada@parcel.icu").sign(.abusedEnding)?.detail.contains(
                "sent from parcel.icu"
            ) == true
        )
    }

    @Test func `addresses instead of names are strong, but those of one's own network`() {
        #expect(strength(.numericHost, "http://203.0.113.9/login") == .strong)
        #expect(strength(.numericHost, "http://0xcb007109/") == .strong)
        #expect(strength(.numericHost, "http://3405803785/") == .strong)
        #expect(strength(.numericHost, "http://[2001:db8::7]:8080/") == .strong)
        #expect(strength(.numericHost, "http://192.168.1.1/") == nil)
        #expect(strength(.numericHost, "http://127.0.0.1:8080/") == nil)
        #expect(strength(.numericHost, "https://1.2.3.4.example.com/") == nil)
    }

    @Test func `a name before the host is strong`() {
        #expect(strength(.userInURL, "https://www.paypal.com@evil.example/") == .strong)
        #expect(strength(.userInURL, "https://user:password@evil.example/") == .strong)
        #expect(strength(.userInURL, "https://@evil.example/") == nil)
        #expect(strength(.userInURL, "ftp://anonymous@files.example/") == nil)
        #expect(strength(.userInURL, "https://social.example/@ada") == nil)
        #expect(strength(.userInURL, "https://x.example/?mail=ada@home.example") == nil)
        #expect(strength(.userInURL, "mailto:ada@home.example") == nil)
    }

    @Test(arguments: [
        "https://paypa1.com/", "https://www.rnicrosoft.com/", "https://arnazon.co.uk/",
        "https://faceb00k.com/",
        "https://xn--80ak6aa92e.com/", "https://раураl.com/", "https://netfIix.com/", "https://paypall.com/",
        "https://gooogle.net/",
        "https://linkedln.com/", "https://mircosoft.com/", "https://amazom.com/",
        "https://paypa1-secure.com/",
        "https://login.micr0soft.example/", "https://app1e.com/", "https://coinbasse.com/",
        "https://we1lsfargo.com/",
        "https://welsfargo.com/", "https://dhł.test/",
    ])
    func `a domain that looks like a brand's is strong`(target: String) {
        #expect(strength(.homograph, target) == .strong, "\(target)")
    }

    @Test(arguments: [
        "https://paypal.com/", "https://paypal.de/", "https://www.apple.com/", "https://appie.nl/",
        "https://finance.com/",
        "https://cosco.com/", "https://amazone.de/", "https://cloud.com/", "https://pineapple.org/",
        "https://maps.example/",
        "https://mobile.de/", "https://isbank.com.tr/", "https://booking.com/", "https://cooking.com/",
        "https://dell.com/",
        "https://papaya.com/", "https://google.com.sa/", "https://facebook.net/",
    ])
    func `a brand's own domain, and a word, are none`(target: String) {
        #expect(strength(.homograph, target) == nil, "\(target)")
        #expect(strength(.brandInHost, target) == nil, "\(target)")
    }

    @Test(arguments: [
        ("https://paypal.evil.example/", MailSign.Strength.weak), ("https://paypal-support.example/", .weak),
        ("https://secure-login.netflix.example.net/", .weak), ("https://mypaypal.example/", .weak),
        ("https://paypalsecure.example/", .weak), ("https://apple-id-verify.example/", .weak),
        ("https://chase-online.example/", .weak), ("https://www.paypal.com.evil.example/", .strong),
        ("https://login.microsoftonline.com.auth.example/", .strong),
        ("https://wellsfargo-alerts.example/", .weak),
    ])
    func `a brand within another's host is told`(target: String, strength: MailSign.Strength) {
        #expect(self.strength(.brandInHost, target) == strength, "\(target)")
    }

    @Test(arguments: [
        "https://apple-orchard.example/", "https://target.example/", "https://chase.family.example/",
        "https://revolution.example/",
        "https://purchase.example/", "https://pineapple-pay.example/", "https://dinghy.example/",
        "https://groups.example/",
        "https://example.com/paypal.com/login", "https://amazon-forest.example/",
        "https://the-ledger.example/",
    ])
    func `words of a language within a host are none`(target: String) {
        #expect(strength(.brandInHost, target) == nil, "\(target)")
    }

    @Test func `what a sender calls its own hosts is none`() {
        #expect(strength(.brandInHost, "https://facebook.letters.example/", from: "a@letters.example") == nil)
        #expect(
            strength(.brandInHost, "https://x.paypal-news.example/", from: "a@paypal-news.example") == .weak
        )
        #expect(SampleMessage.from("Ada", "a@paypal-news.example").strength(.brandInHost) == .weak)
    }

    @Test func `long hosts, many labels and foreign letters are weak`() {
        let long = "https://a-very-long-name-for-a-host-indeed-yes.example/"
        #expect(strength(.longHost, long) == .weak)
        #expect(strength(.longHost, "https://short.example/\(long)") == nil)
        #expect(strength(.manyLabels, "https://a.b.c.d.example/") == .weak)
        #expect(strength(.manyLabels, "https://a.b.c.example/") == nil)
        #expect(strength(.punycode, "https://xn--mnchen-3ya.example/") == .weak)
        #expect(strength(.punycode, "https://münchen.example/") == .weak)
        #expect(strength(.punycode, "https://muenchen.example/ü") == nil)
        #expect(
            SampleMessage.link("https://xn--mnchen-3ya.example/").sign(.punycode)?.detail
                == "a link to xn--mnchen-3ya.example (münchen.example), with letters beyond ASCII"
        )
    }

    @Test func `what newsletters do as well is context alone`() {
        let shown = SampleMessage.link(
            "https://click.tracker.example/x",
            shown: "https://www.bank.example/login"
        )
        #expect(shown.strength(.linkTextElsewhere) == .context)
        #expect(
            SampleMessage.link("https://click.tracker.example/x", shown: "bank.com").strength(
                .linkTextElsewhere
            ) == .context
        )
        #expect(strength(.urlInURL, "https://t.example/?u=https://other.example/") == .context)
        #expect(strength(.urlInURL, "https://t.example/?u=https://www.t.example/") == nil)
        #expect(SampleMessage.html { $0.forms = 2 }.sign(.form)?.detail == "2 forms to fill in")
        #expect(SampleMessage.html { $0.forms = 2 }.strength(.form) == .context)
    }

    @Test(arguments: [
        "www.t.example", "https://t.example/a", "here", "read more.", "Node.js", "report.pdf", "v1.2",
        "ada@bank.com",
    ])
    func `a text that shows the same host or none is no sign`(shown: String) {
        #expect(SampleMessage.link("https://t.example/x", shown: shown).sign(.linkTextElsewhere) == nil)
    }

    @Test func `links that are pages or programs are told`() {
        #expect(strength(.dataOrJavaScriptLink, "data:text/html;base64,PGI+") == .strong)
        #expect(strength(.dataOrJavaScriptLink, "java\tscript:steal()") == .strong)
        #expect(strength(.dataOrJavaScriptLink, "vbscript:x()") == .strong)
        #expect(strength(.dataOrJavaScriptLink, "javascript:void(0);") == .context)
        #expect(strength(.dataOrJavaScriptLink, "data:image/png;base64,AA") == .weak)
        #expect(strength(.dataOrJavaScriptLink, "tel:+123") == nil)
        #expect(strength(.dataOrJavaScriptLink, "cid:part1") == nil)
    }

    @Test func `links are counted, and where they lead is listed once`() {
        var message = SampleMessage.from(nil, "ada@sender.example")
        var html = HTMLFindings()
        html.links = (0..<120).map { HTMLLink(text: "x", target: "https://www.h\($0 % 60).example/\($0)") }
        html.links.append(HTMLLink(text: "x", target: "http://[2001:db8::1]/"))
        message.body.texts = [
            BodyText(part: 0, text: "https://plain.example/"), BodyText(part: 1, text: "", html: html),
            BodyText(part: 2, text: "https://inner.example/ https://bit.ly/x", isAttached: true),
        ]
        let signs = message.signs()
        #expect(signs.counts.links == 121)
        #expect(signs.linkDomains.count == 50)
        #expect(signs.linkDomains.first == "plain.example")
        #expect(Set(signs.linkDomains).count == 50)
        #expect(signs.sign(.shortener) == nil)
        #expect(SampleMessage.text("http://a.example and http://b.example").signs().counts.links == 2)
    }

    @Test func `of many only so many are looked at`() {
        var message = SampleMessage.from(nil, "ada@sender.example")
        var html = HTMLFindings()
        html.links = (0..<30).map { HTMLLink(text: "x", target: "https://h\($0).example/") }
        html.links.append(HTMLLink(text: "x", target: "https://bit.ly/x"))
        message.body.texts = [BodyText(part: 0, text: "", html: html)]
        #expect(message.signs(SignSettings(mostLinks: 20)).sign(.shortener) == nil)
        #expect(message.signs(SignSettings(mostLinks: 20)).counts.links == 31)
        #expect(message.signs(SignSettings(mostLinks: 31)).has(.shortener))
    }

    @Test func `one sign stands for many of its kind`() {
        let message = SampleMessage.text("http://bit.ly/a http://bit.ly/b http://tinyurl.com/c")
        #expect(message.signs().signs.count == 1)
        #expect(
            message.sign(.shortener)?.detail
                == "a link that bit.ly shortens, which hides where it leads, and 2 more"
        )
    }

    @Test func `details are short and show no trick`() {
        let host = String(repeating: "very-long-label-", count: 12) + "x.evil\u{202E}.top"
        let message = SampleMessage.link(
            "https://\u{202E}user\u{200B}name\(String(repeating: "x", count: 300))@\(host)/"
        )
        for sign in message.signs().signs {
            #expect(sign.detail.count <= MailSign.longestDetail)
            #expect(!sign.detail.unicodeScalars.contains { $0.properties.generalCategory == .format })
        }
        #expect(message.signs().signs.count >= 3)
    }
}
