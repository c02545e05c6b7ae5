import BreezeCore
import BreezeMail
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeMailParser

@Suite(.enabled(if: GMimeMessageParser.isAvailable, "the trait Mail is off"))
struct `One message read` {
    private func parse(_ text: String, _ limits: MailLimits = MailLimits()) throws -> MailMessage {
        try GMimeMessageParser().parse(.bytes(Array(text.utf8)), limits: limits)
    }

    private func html(_ page: String) throws -> BodyText {
        let message = try parse("Content-Type: text/html; charset=utf-8\n\n" + page)
        return try #require(message.body.texts.first)
    }

    @Test func `headers become values`() throws {
        let message = try parse(
            """
            From: =?utf-8?q?Tom=C3=A1s?= Rey <tomas@Example.ORG>
            To: Friends: Ada <ada@example.org>, bob@example.org;
            Subject: =?utf-8?b?4pi6?= Art
             and=?x?= more
            In-Reply-To: <p@x>
            References: <r@x>
             <p@x>
            Message-ID: <m@x>
            Date: Fri, 21 Nov 1997 09:55:06 -0600
            List-Id: Boats <Boats.example.org>
            Auto-Submitted: auto-generated
            Authentication-Results: mx.example; spf=pass
              (a; b) smtp.mailfrom=x
            Received-SPF: pass

            Hello
            """
        )
        #expect(message.from == [MailAddress(name: "Tomás Rey", address: "tomas@Example.ORG")])
        #expect(message.from.first?.domain == "example.org")
        #expect(message.to.map(\.group) == ["Friends", "Friends"])
        #expect(message.subject == "☺ Art and=?x?= more")
        #expect(message.inReplyTo == ["p@x"])
        #expect(message.references == ["r@x", "p@x"])
        #expect(message.id == "m@x")
        #expect(message.date?.unixSeconds == 880_127_706)
        #expect(message.list.identifier == "boats.example.org")
        #expect(message.list.autoSubmitted == "auto-generated")
        #expect(message.authentication.results == ["mx.example; spf=pass (a; b) smtp.mailfrom=x"])
        #expect(message.authentication.receivedSPF == ["pass"])
        #expect(message.body.best == "Hello")
        #expect(message.notices.isEmpty)
    }

    @Test func `a message without an id has one made of its content`() throws {
        let text = "From: a@x\nDate: 1 Jan 2020 10:00 +0000\nSubject: s\n\nHello"
        let message = try parse(text)
        #expect(message.id == message.contentID)
        #expect(message.notices == [MailNotice(.messageIDMade)])
        #expect(try parse(text.replacing("\n", with: "\r\n")).contentID == message.contentID)
        #expect(try parse(text + "!").contentID != message.contentID)
        #expect(try parse("Message-ID: <a@x>\nMessage-ID: <b@x>\n" + text).id == message.contentID)
        #expect(try parse("Message-ID: <a@x>\nMessage-ID: <a@x>\n" + text).id == "a@x")
    }

    @Test(arguments: [
        ("<p style='display:none'>secret</p>", HiddenText.display),
        ("<div style='visibility: hidden'>secret</div>", .visibility),
        ("<span style='FONT-SIZE: 0px !important'>secret</span>", .zeroFont),
        ("<span style='font-size:1px'>secret</span>", .tinyFont),
        ("<body bgcolor='#fff'><font color='white'>secret</font></body>", .sameColour),
        (
            "<td style='background:#1e1e5a url()'><b style='color:#1e1e5a;background:#1e1e5b'>secret</b></td>",
            .sameColour
        ),
        ("<div style='position:absolute;left:-9999px'>secret</div>", .offScreen),
        ("<div style='max-height:0;overflow:hidden'><b>secret</b></div>", .offScreen),
        ("<div aria-hidden='true'>secret</div>", .ariaHidden), ("<div hidden>secret</div>", .attribute),
    ])
    func `hidden text is dropped and counted`(page: String, way: HiddenText) throws {
        let text = try html("<p>Seen</p>" + page + "<p>also</p>")
        #expect(text.text == "Seen\n\nalso")
        #expect(text.html?.hidden == [way: 6])
        #expect(text.html?.hiddenSample == "secret")
    }

    @Test func `what can be seen is not hidden`() throws {
        let page = """
            <table style="font-size:0"><tr><td style="font-size:14px">Shown</td></tr></table>
            <div style="background:url(x.png);color:#fff">On an image</div>
            <div style="background:#000"><font color="#ffffff">White on black</font></div>
            """
        let text = try html(page)
        #expect(text.text == "Shown\n\nOn an image\nWhite on black")
        #expect(text.html?.hidden == [:])
    }

    @Test func `links, pixels, forms and scripts are counted`() throws {
        let text = try html(
            """
            <a href="https://a.example/?x=1&amp;y=2">Go <b>there</b></a><img src="https://t.example/p" width=1 height=1>
            <img src="https://t.example/big.png" width="600" height="200" alt="A boat"><form action="/x"><input></form>
            <script>alert("<p>no</p>")</script><style>p{}</style><blockquote type="cite">old<br>words</blockquote>new
            """
        )
        #expect(text.html?.links == [HTMLLink(text: "Go there", target: "https://a.example/?x=1&y=2")])
        #expect(text.html?.trackingPixels == 1)
        #expect(text.html?.remoteImages == 2)
        #expect(text.html?.forms == 1)
        #expect(text.html?.scripts == 1)
        #expect(text.text == "Go there A boat\n\n> old\n> words\n\nnew")
    }

    @Test func `of alternatives the plain one is read, unless it says nothing`() throws {
        func message(_ plain: String) throws -> String {
            try parse(
                "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n\(plain)\n--b\nContent-Type: text/html\n\n"
                    + "<p>The boat leaves at nine from the old harbour, bring a coat and something to eat.\n--b--\n"
            ).body.best
        }
        #expect(
            try message("The boat leaves at nine.\nBring a coat.").hasPrefix("The boat leaves at nine.\n")
        )
        #expect(try message("See HTML").hasPrefix("The boat leaves at nine from"))
    }

    @Test func `attachments have names, sizes and digests, and no bytes`() throws {
        let text = """
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: application/pdf
            Content-Transfer-Encoding: base64
            Content-Disposition: attachment; filename*0*=utf-8''Pl%C3%A4; filename*1=ne.pdf

            Y2F0
            --b--
            """
        let message = try parse(text)
        #expect(
            message.attachments == [
                MailAttachment(part: 1, name: "Pläne.pdf", type: "application/pdf", size: 3)
            ]
        )
        // printf cat | sha256sum
        let digest = "77af778b51abd4a3c51c5ddd97204a9c3ae614ebccb75a606c3b6865aed6744e"
        #expect(try GMimeMessageParser().digest(of: 1, in: .bytes(Array(text.utf8))) == digest)
        #expect(try GMimeMessageParser().content(of: 1, in: .bytes(Array(text.utf8)), limit: 2) == [99, 97])
        #expect(try GMimeMessageParser().digest(of: 7, in: .bytes(Array(text.utf8))) == nil)
    }

    @Test func `an unreadable file is an error that says which`() {
        let error = #expect(throws: BreezeError.self) {
            try GMimeMessageParser().parse(.file(URL(filePath: "/nonexistent/mail.eml")))
        }
        #expect(error?.code == .inputOutput)
        #expect(error?.message.contains("/nonexistent/mail.eml") == true)
    }
}

@Suite(.enabled(if: !GMimeMessageParser.isAvailable, "this build reads mail"))
struct `A build without the trait Mail` {
    @Test func `says so, and what to do`() {
        let error = #expect(throws: BreezeError.self) { try GMimeMessageParser().parse(.bytes([])) }
        #expect(error?.code == .unavailable)
        #expect(error?.remedy?.contains("libgmime-3.0-dev") == true)
    }
}
