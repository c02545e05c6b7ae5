import Testing

@testable import BreezeMailSigns

@Suite struct `Host names without a list` {
    /// RFC 3492, section 7.1, and two from German.
    @Test(arguments: [
        ("egbpdaj6bu4bxfgehfvwxn", "ليهمابتكلموشعربي؟"), ("ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"),
        ("Proprostnemluvesky-uyb24dma41a", "Pročprostěnemluvíčesky"),
        ("b1abfaaepdrnnbgefbadotcwatmq2g4l", "почемужеонинеговорятпорусски"),
        ("3B-ww4c5e180e575a65lsy2b", "3年B組金八先生"), ("mnchen-3ya", "münchen"), ("bcher-kva", "bücher"),
    ])
    func `punycode is decoded`(label: String, text: String) {
        // Case does not count in it, and the standard's examples write some.
        #expect(Punycode.decode(label[...])?.lowercased() == text.lowercased())
    }

    @Test(arguments: ["", "-", "é", "99999999", "abc-", "a!", String(repeating: "9", count: 255)])
    func `what is no punycode is none`(label: String) {
        #expect(Punycode.decode(label[...]) == nil)
        #expect(PlainDomains().unicodeHost("xn--\(label).com") == "xn--\(label).com")
    }

    @Test(arguments: [
        ("www.example.com", "example.com"), ("a.b.example.co.uk", "example.co.uk"),
        ("example.com", "example.com"),
        ("example.com.au", "example.com.au"), ("x.example.de", "example.de"), ("t.co", "t.co"),
    ])
    func `the registered part is found`(host: String, domain: String) {
        #expect(PlainDomains().registrableDomain(of: host) == domain)
    }

    @Test(arguments: ["localhost", "co.uk", "", ".", "a..com", ".com"])
    func `what nobody registered has none`(host: String) {
        #expect(PlainDomains().registrableDomain(of: host) == nil)
    }

    @Test(arguments: [
        "раураl", "РАУРАL", "ｐａｙｐａｌ", "𝗉𝖺𝗒𝗉𝖺𝗅", "payраl", "ραypαl", "PayPal", "paypa1", "pаy\u{200B}pal",
        "páypal",
    ])
    func `look-alikes fold to one word`(text: String) {
        #expect(LookAlike.folds(text, PlainDomains()).contains(LookAlike.fold("paypal")))
    }

    @Test(arguments: [
        ("rnicrosoft", "microsoft"), ("vvalmart", "walmart"), ("m1cr0s0ft", "microsoft"),
        ("n3tf1ix", "netflix"),
        ("faceb00k", "facebook"), ("arnazon", "amazon"), ("co5tco", "costco"),
    ])
    func `digits and pairs pass for letters`(text: String, word: String) {
        #expect(LookAlike.fold(text) == LookAlike.fold(word))
    }

    @Test(arguments: [
        ("paypal", "paypl", true), ("paypal", "paypall", true), ("paypal", "paypol", true),
        ("paypal", "pyapal", true),
        ("paypal", "apaypal", true), ("paypal", "paypal", false), ("paypal", "pypla", false),
        ("paypal", "papyla", false),
        ("", "a", true), ("", "", false), ("ab", "cd", false), ("ab", "ba", true),
    ])
    func `one edit is told from none and from two`(left: String, right: String, isOne: Bool) {
        #expect(LookAlike.isOneEdit(Array(left.utf8), Array(right.utf8)) == isOne)
        #expect(LookAlike.isOneEdit(Array(right.utf8), Array(left.utf8)) == isOne)
    }
}
