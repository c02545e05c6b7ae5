import BreezeCore
import BreezeMail
import Foundation
import Testing

@testable import BreezeMailParser

@Suite(.enabled(if: GMimeMessageParser.isAvailable, "the trait Mail is off"))
struct `A stranger's page` {
    private static let dot =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    private func page(_ html: String, limits: PageLimits = PageLimits()) throws -> SafeHTML {
        try #require(try mail("Content-Type: text/html; charset=utf-8\n\n\(html)", limits: limits).html)
    }

    private func mail(_ text: String, limits: PageLimits = PageLimits()) throws -> MailPage {
        try GMimeMessageParser().page(of: .bytes(Array(text.utf8)), limits: limits)
    }

    // MARK: - Attacks

    @Test(arguments: PageAttack.all)
    func `that attacks is written anew without its attack`(attack: PageAttack) throws {
        let html = try page(attack.html).html
        #expect(HTMLOutput(html).faults == [], "\(html)")
    }

    @Test func `with every attack at once is no worse`() throws {
        #expect(PageAttack.all.count >= 60)
        for list in [PageAttack.all, PageAttack.all.reversed()] {
            let html = try page(list.map(\.html).joined(separator: "\n")).html
            #expect(HTMLOutput(html).faults == [])
        }
    }

    /// Each attack within what might change how it is read.
    @Test(arguments: [
        "<table><tr><td>", "<b><a href=http://x.example>", "<p title=\"", "<div style='", "<svg>",
        "<math><mtext>",
        "<select>", "<!--", "<textarea>", "<pre>", "<x:y>", "<style>", "<ul><li>",
    ])
    func `is as harmless within other things`(before: String) throws {
        for attack in PageAttack.all {
            let output = HTMLOutput(try page(before + attack.html).html)
            #expect(output.faults == [], "\(before) \(attack.name)")
        }
    }

    /// What a parser puts in of itself stands there after the second pass; nothing in it is read in two ways.
    @Test(arguments: PageAttack.all)
    func `reads the same when it is read again`(attack: PageAttack) throws {
        let twice = try page(try page(attack.html).html).html
        let thrice = try page(twice).html
        #expect(thrice == twice)
    }

    // MARK: - What stays

    @Test func `keeps its look, its tables and its words`() throws {
        let html = try page(
            """
            <body bgcolor="#EEEEEE"><table width="600" cellpadding=0 align=center><tr><td style="padding: 8px; COLOR: #333;
            font-family: 'Helvetica Neue', Arial; background: #fff url(http://x.example/a.png)" colspan=2><h1>Maps &amp; more</h1>
            <font color=navy size="+1" face="Arial">Dear Nora</font></td></tr></table>
            """
        ).html
        #expect(html.contains(#"<div style="background-color: #eeeeee">"#))
        #expect(html.contains(#"<table width="600" cellpadding="0" align="center">"#))
        #expect(
            html.contains(
                #"<td style="padding: 8px; color: #333; font-family: helvetica neue, arial; background-color: #fff" colspan="2">"#
            )
        )
        #expect(html.contains("<h1>Maps &amp; more</h1>"))
        #expect(html.contains(#"<font color="navy" size="+1" face="Arial">Dear Nora</font>"#))
    }

    @Test(arguments: [
        ("https://maps.example/a?b=1&amp;c=2", "https://maps.example/a?b=1&amp;c=2"),
        ("HTTP://maps.example/", "HTTP://maps.example/"),
        ("mailto:ada@example.org", "mailto:ada@example.org"),
        (" https://maps.example/a b", "https://maps.example/a%20b"),
        ("ht\ntps://maps.example/", "https://maps.example/"),
    ])
    func `keeps links to pages and letters`(target: String, kept: String) throws {
        let html = try page("<a href=\"\(target)\" target=_self rel=opener onclick=x()>go</a>").html
        #expect(
            html.contains(
                "<a href=\"\(kept)\" target=\"_blank\" rel=\"noopener noreferrer nofollow\">go</a>"
            )
        )
    }

    @Test(arguments: [
        "javascript:x", "data:text/html,x", "/here", "#there", "ftp://x.example", "tel:1", "http:x",
    ])
    func `keeps of other links the words`(target: String) throws {
        let html = try page("<a href=\"\(target)\">go</a>").html
        #expect(html.contains("<a>go</a>"))
    }

    // MARK: - Pictures

    private func letter(_ html: String, _ parts: (id: String, type: String, base64: String)...) -> String {
        var text = "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n\(html)\n"
        for part in parts {
            text +=
                "--b\nContent-Type: \(part.type)\nContent-ID: <\(part.id)>\nContent-Transfer-Encoding: base64\n\n"
                + part.base64 + "\n"
        }
        return text + "--b--\n"
    }

    @Test func `shows the message's own pictures by what they are`() throws {
        let text = letter(
            "<img src=\"cid:dot@x\" alt=dot><img src=\"CID:dot%40x\"><img src=\"cid:svg@x\"><img src=\"cid:no@x\">",
            ("dot@x", "image/tiff", Self.dot),
            ("svg@x", "image/png", Data("<svg onload='alert(1)'/>".utf8).base64EncodedString())
        )
        let page = try #require(try mail(text).html)
        #expect(page.pictures == 2 && page.picturesDropped == 2 && page.remote == 0)
        #expect(page.html.contains("<img alt=\"dot\" src=\"data:image/png;base64,\(Self.dot)\">"))
        #expect(HTMLOutput(page.html).faults == [])
    }

    @Test func `shows no picture that is too large, and none for ever`() throws {
        var limits = PageLimits()
        limits.pictureBytes = 100
        limits.allPictureBytes = 250
        let bytes = try #require(Data(base64Encoded: Self.dot))
        let large = (bytes + Data(count: 100)).base64EncodedString()
        let images = String(repeating: "<img src='cid:dot@x'>", count: 50)
        let text = letter(
            images + "<img src='cid:large@x'><img src='data:image/png;base64,\(large)'>",
            ("dot@x", "image/png", Self.dot),
            ("large@x", "image/png", large)
        )
        let page = try #require(try mail(text, limits: limits).html)
        #expect(page.pictures == 250 / bytes.count)
        #expect(page.picturesDropped == 52 - page.pictures)
    }

    // MARK: - What is told

    @Test func `says how much would have been asked of the network`() throws {
        let page = try page(
            """
            <link rel=stylesheet href=http://t.example/a.css><style>@import 'x'; p{background:url(http://t.example/b)}</style>
            <body background=http://t.example/c><img src=http://t.example/d><img srcset="http://t.example/e 1x">
            <p style="background:url('http://t.example/f')">x</p><video poster=http://t.example/g></video>
            <meta http-equiv=refresh content="1;url=http://t.example/h"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
            """
        )
        #expect(page.remote == 9)
        #expect(page.pictures == 1)
    }

    @Test func `leaves out what nobody would see, and counts it`() throws {
        let page = try page(
            """
            <p>seen</p><div style="display:none">four <img src=http://t.example/x></div><p hidden>abc</p>
            <span style="font-size:0">xy<span style="font-size:16px">back</span></span>
            <p style="color:#fff;background:#fff">white</p><p aria-hidden=true>decoration</p>
            """
        )
        #expect(page.hidden == [.display: 4, .attribute: 3, .zeroFont: 2, .sameColour: 5])
        #expect(page.hiddenCharacters == 14 && page.remote == 1)
        for word in ["seen", "back", "decoration"] { #expect(page.html.contains(word)) }
        for word in ["four", "abc", "xy", "white"] { #expect(!page.html.contains(word), "\(word)") }
    }

    @Test func `counts scripts and fields`() throws {
        let page = try page(
            "<script>1</script><form><input><select><option>a</select><button>Send</button></form>"
        )
        #expect(page.scripts == 1 && page.controls == 3)
        #expect(page.html.contains("Send") && !page.html.contains("<button"))
    }

    // MARK: - Limits

    @Test func `a hundred thousand levels are flattened`() throws {
        let deep = String(repeating: "<div><b>", count: 100_000) + "bottom"
        let message = try mail("Content-Type: text/html\n\n<p>top</p>\(deep)")
        let html = try #require(message.html).html
        let output = HTMLOutput(html)
        #expect(output.faults == [] && output.depth <= PageLimits().shownDepth)
        #expect(html.contains("top") && html.contains("bottom"))
        #expect(message.notices.map(\.kind) == [.htmlTooDeep])
    }

    @Test func `ten megabytes end at the limit, and say so`() throws {
        let long = String(repeating: "<p>A line &amp; another</p>\n", count: 400_000)
        let message = try mail("Content-Type: text/html\n\n\(long)")
        let html = try #require(message.html).html
        #expect(HTMLOutput(html).faults == [] && html.utf8.count <= PageLimits().shownBytes + 1_000)
        #expect(message.notices.map(\.kind) == [.htmlTooLong])
    }

    @Test func `what grows by being escaped ends at the limit`() throws {
        var limits = PageLimits()
        limits.shownBytes = 10_000
        let page = try page(String(repeating: "&lt;<b>&quot;</b>", count: 5_000), limits: limits)
        #expect(page.isCut && page.html.utf8.count < 20_000 && HTMLOutput(page.html).faults == [])
    }

    @Test func `a message without HTML has no page, and its text`() throws {
        let message = try mail("Subject: s\n\nonly words")
        #expect(message.html == nil && message.text == "only words")
    }

    @Test func `attached pages and messages are not the message's own`() throws {
        let message = try mail(
            """
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: text/plain

            words
            --b
            Content-Type: text/html
            Content-Disposition: attachment; filename=x.html

            <p>attached</p>
            --b--
            """
        )
        #expect(message.html == nil)
    }

    @Test func `it is known by its content`() throws {
        let text = "Subject: s\nFrom: a@x\nContent-Type: text/html\n\n<p>x</p>"
        let parsed = try GMimeMessageParser().parse(.bytes(Array(text.utf8)))
        #expect(try mail(text).contentID == parsed.contentID)
        #expect(try mail(text + "y").contentID != parsed.contentID)
    }
}
