import BreezeMail
import Foundation
import Testing

@testable import BreezeMailSigns

@Suite struct `What content gives away` {
    @Test func `much hidden text is weak, and a preview line is not`() {
        func strength(_ count: Int) -> MailSign.Strength? {
            SampleMessage.html { $0.hidden = [.display: count] }.strength(.hiddenText)
        }
        #expect(strength(0) == nil)
        #expect(strength(40) == nil)
        #expect(strength(150) == .context)
        #expect(strength(200) == .weak)
        let message = SampleMessage.html {
            $0.hidden = [.zeroFont: 700]
            $0.hiddenSample = "once upon\na time"
        }
        #expect(
            message.sign(.hiddenText)?.detail
                == "700 characters that nobody can see, beginning “once upon a time”"
        )
        #expect(message.signs().counts.hiddenCharacters == 700)
    }

    @Test func `counts are of all parts of the message itself`() {
        var message = SampleMessage.html {
            $0.forms = 1
            $0.scripts = 2
            $0.trackingPixels = 3
            $0.remoteImages = 4
        }
        message.body.texts.append(message.body.texts[0])
        message.body.texts.append(message.body.texts[0])
        message.body.texts[2].isAttached = true
        let counts = message.signs().counts
        #expect(counts.forms == 2)
        #expect(counts.scripts == 4)
        #expect(counts.trackingPixels == 6)
        #expect(counts.remoteImages == 8)
    }

    @Test(arguments: [
        ("setup.exe", AttachmentRisk.Kind.program), ("photo.SCR", .program), ("invoice.hta", .program),
        ("x.lnk", .program),
        ("command.com", .program), ("build.bat", .script), ("tool.jar", .script), ("sheet.xlsm", .script),
        ("disk.iso", .script), ("invoice.pdf.exe", .disguised), ("invoice.pdf          .exe", .disguised),
        ("photo.jpg.js", .disguised), ("statement.pdf.html", .disguised), ("page.html", .page),
        ("logo.svg", .page),
        ("files.zip", .archive), ("src.tar.gz", .archive), ("invoice.pdf\u{200B}.exe", .disguised),
    ])
    func `a file's name says what it may do`(name: String, kind: AttachmentRisk.Kind) {
        let signs = SampleMessage.attachment(name).signs()
        #expect(signs.attachments.map(\.kind) == [kind])
        let sign: MailSign.Kind? =
            switch kind {
            case .program, .script: .executableAttachment
            case .disguised: .doubleExtension
            case .page: .htmlAttachment
            case .archive: nil
            }
        #expect(signs.signs.map(\.kind) == [sign].compactMap { $0 })
        let isStrong = kind == .program || kind == .disguised
        #expect(signs.signs.allSatisfy { $0.strength == (isStrong ? .strong : .weak) })
    }

    @Test(arguments: [
        "report.pdf", "notes.txt", "photo.jpeg", "www.example.com", "mail from example.com", "jquery.min.css",
        "a.b.c.docx",
        "exe", "", ".", "..", "Makefile", "index.html.txt", "data.csv.gpg",
    ])
    func `a harmless name is none`(name: String) {
        #expect(SampleMessage.attachment(name).signs().attachments.isEmpty)
    }

    @Test func `files inside of others count, and those of attached messages do not`() {
        var message = SampleMessage.attachment("winmail.dat")
        message.parts[1].embedded = [EmbeddedFile(name: "invoice.exe", size: 3)]
        message.parts.append(
            MailPart(
                index: 2,
                parent: 0,
                depth: 1,
                type: "message/rfc822",
                message: AttachedMessage(subject: "run.exe", from: [], date: nil, messageID: nil)
            )
        )
        message.parts.append(
            MailPart(index: 3, parent: 2, depth: 2, type: "application/x", fileName: "inner.exe")
        )
        #expect(message.signs().attachments.map(\.name) == ["invoice.exe"])
    }

    @Test(arguments: [
        ("The password is 4711.", true), ("Password: open sesame 1", true), ("Passwort: 12ab", true),
        ("Das Kennwort ist 4711", true),
        ("le mot de passe : 77", true), ("Never send your password.", false),
        ("Reset your password is easy to say", false),
    ])
    func `an archive whose password is in the text is told`(text: String, isTold: Bool) {
        var message = SampleMessage.attachment("documents.zip")
        message.body.best = text
        #expect(message.signs().has(.passwordArchive) == isTold)
        message.parts[1].fileName = "documents.pdf"
        #expect(!message.signs().has(.passwordArchive))
    }

    @Test func `signs are coded and decoded`() throws {
        var message = SampleMessage.link("https://paypa1.com/", from: "x@evil.top")
        message.from[0].name = "PayPal"
        message.authentication.results = ["mx; spf=fail; dmarc=fail"]
        let signs = message.signs()
        #expect(signs.count(.strong) >= 4)
        #expect(try JSONDecoder().decode(MailSigns.self, from: JSONEncoder().encode(signs)) == signs)
    }
}

@Suite struct `The lists` {
    @Test func `brands are named once, by phrases and domains as they are compared`() {
        let brands = Brand.watched
        #expect(brands.count > 100)
        #expect(Set(brands.map(\.name)).count == brands.count)
        for brand in brands {
            #expect(!brand.domains.isEmpty && !brand.phrases.isEmpty, "\(brand.name)")
            for phrase in brand.phrases {
                #expect(phrase == phrase.lowercased() && !phrase.contains("  "), "\(phrase)")
            }
            for domain in brand.domains {
                #expect(
                    domain == domain.lowercased() && domain.contains(".") && !domain.contains(" "),
                    "\(domain)"
                )
            }
        }
    }

    @Test func `no brand looks like another, and none's domain like a brand's`() {
        for brand in Brand.watched {
            for domain in brand.domains {
                let signs = SampleMessage.link("https://www.\(domain)/").signs()
                #expect(!signs.has(.homograph) && !signs.has(.brandInHost), "\(domain): \(signs.signs)")
            }
        }
    }

    @Test func `there are as many shorteners as there should be`() {
        #expect(Shorteners.owners.count >= 60)
        #expect(Shorteners.owners.keys.allSatisfy { $0 == $0.lowercased() && $0.contains(".") })
    }
}
