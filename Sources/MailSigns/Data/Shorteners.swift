/// Hosts that hide where a link leads.
enum Shorteners {
    /// With whose senders may use it, by registrable domain: what a company shortens in its own mail hides nothing.
    static let owners: [String: [String]] = {
        var owners: [String: [String]] = [:]
        for host in open { owners[String(host)] = [] }
        return owners.merging(owned) { $1 }
    }()

    private static let open = """
        bit.ly bit.do bitly.com bitly.ws tinyurl.com ow.ly is.gd v.gd buff.ly rebrand.ly cutt.ly shorturl.at shorturl.asia \
        t.ly rb.gy tiny.cc tiny.one bl.ink s.id qr.ae adf.ly bc.vc shorte.st ouo.io j.mp dlvr.it ift.tt trib.al \
        snip.ly po.st soo.gd clck.ru vk.cc u.to x.co zpr.io tr.im su.pr cli.gs short.io short.gy shrtco.de \
        hyperurl.co urlz.fr kutt.it tny.im qrco.de me-qr.com t2m.io n9.cl acortar.link abre.ai did.li surl.li \
        tinu.be gg.gg shor.by smarturl.it encurtador.com.br rotf.lol l8r.it ur0.jp kurzelinks.de t1p.de \
        snipurl.com budurl.com lc.cx yourls.org plu.sh linkd.pl shorl.com makeashorterlink.com
        """.split(whereSeparator: \.isWhitespace)

    private static let owned = [
        "t.co": ["twitter.com", "x.com"],
        "goo.gl": ["google.com", "youtube.com"],
        "lnkd.in": ["linkedin.com"],
        "fb.me": ["facebook.com", "facebookmail.com", "instagram.com", "meta.com"],
        "amzn.to": ["amazon.com"],
        "ebay.us": ["ebay.com"],
        "mcaf.ee": ["mcafee.com"],
        "wp.me": ["wordpress.com", "automattic.com"],
    ]
}
