import Testing

@testable import BreezeHub

@Suite struct `Where a request comes from` {
    private let rule = OriginRule(hostNames: ["brain.home"], origins: ["https://notes.example"])

    @Test(
        arguments: [
            ("localhost", nil, true), ("localhost:11535", nil, true), ("127.0.0.1:1", nil, true),
            ("[::1]:11535", nil, true), ("LocalHost", nil, true), ("brain.home:80", nil, true),
            ("evil.test", nil, false), ("localhost.evil.test", nil, false),
            ("127.0.0.1.evil.test", nil, false),
            (nil, nil, false), ("localhost:1", "http://localhost:1", true),
            ("localhost:1", "http://localhost:2", false), ("localhost:1", "null", false),
            ("localhost:1", "https://notes.example.evil.test", false),
        ] as [(String?, String?, Bool)]
    )
    func `names and pages`(host: String?, origin: String?, isAllowed: Bool) {
        let verdict = rule.judge(host: host, origin: origin, fetchSite: nil, isSocket: false)
        #expect((verdict == .allowed) == isAllowed)
    }

    @Test func `a listed page is named in the answer`() {
        let verdict = rule.judge(
            host: "localhost",
            origin: "https://notes.example",
            fetchSite: "cross-site",
            isSocket: false
        )
        #expect(verdict == .allowedPage("https://notes.example"))
    }

    @Test(arguments: [("cross-site", false), ("same-site", false), ("same-origin", true), ("none", true)])
    func `a browser that sends no origin says where its page is`(site: String, isAllowed: Bool) {
        let verdict = rule.judge(host: "localhost", origin: nil, fetchSite: site, isSocket: false)
        #expect((verdict == .allowed) == isAllowed)
    }

    @Test func `a socket has no name that others could take`() {
        #expect(rule.judge(host: "x", origin: nil, fetchSite: nil, isSocket: true) == .allowed)
    }
}
