import BreezeMail
import Testing

@testable import BreezeMailSigns

@Suite struct `What a sender's name and address give away` {
    private func brand(_ name: String, _ address: String) -> MailSign? {
        SampleMessage.from(name, address).sign(.brandInName)
    }

    @Test(arguments: [
        "PayPal", "PayPal Customer Service", "Your PayPal Account", "service@ PayPal.com", "PАYPАL Security",
        "PaypaI", "Ｃｏｉｎｂａｓｅ", "𝐏𝐚𝐲𝐏𝐚𝐥", "ⓅⓐⓨⓅⓐⓛ", "PayPal™",
        "РауРаl", "Ｐａｙｐａｌ", "Pay\u{200B}Pal Support", "Pay Pal", "PayPa1 Team", "PÀYPAL",
        "Notification from PayPal",
        "Jane Roe via PayPal", "Microsoft 365 Security Team", "Micr0soft Account", "Office 365",
        "OneDrive Support",
        "Netflix Billing", "NETFLIX", "DHL Express Delivery", "Bank of America Alerts", "Wells Fargo Online",
        "American Express", "AmericanExpress", "U.S. Bank", "T-Mobile", "AT&T Support", "Chase Bank",
        "Chase Fraud Alert",
        "Apple", "Apple Support", "Apple ID", "Amazon", "Amazon.com", "Amazon Customer Service",
        "Amazon Prime Team",
        "Target Gift Card", "Outlook Web Access", "UPS Tracking", "IRS Refund", "Norton Renewal",
        "McAfee 2026",
        "Geek Squad", "MetaMask Wallet Support", "Ledger Security", "Crédit Agricole", "Royal Mail", "USPS®",
        "ING Bank",
        "Sparkasse Kundenservice", "Société Générale", "Deutsche Post Sendung", "DHL Paket Zustellung",
    ])
    func `a brand's name from elsewhere is a strong sign`(name: String) {
        #expect(brand(name, "a@mail.example.net")?.strength == .strong, "\(name)")
    }

    @Test(arguments: [
        "Chase Miller", "Chase", "Miller, Chase", "Apple Martin", "The Big Apple Newsletter",
        "Target Practice Club",
        "Amazon Basin Trust", "Amazonas Tours", "Amazon Rainforest News", "Norton Adams", "General Ledger",
        "The Ledger",
        "Market Outlook", "Zoom Lens Repair", "Steam Railway Society", "Santander Tourist Office",
        "Corner Deli", "Visa Run Kiosk",
        "Uber Cool Things", "Fidelity Chamber Choir", "Wise Old Owl", "Schwab Family",
        "Discord and Harmony Choir", "Meet Ups",
        "John Appleseed", "Purchase Office", "Pineapple Support", "Ada Lovelace", "Grandma", "Cloud Team",
        "Finance Team",
        "Doorstep Delivery", "Visage", "ингвар", "Ing. Rossi", "Ups and Downs", "Telegram and Argus", "",
    ])
    func `a person, a place or a word is no brand`(name: String) {
        #expect(brand(name, "someone@mail.example.net") == nil, "\(name)")
    }

    @Test(arguments: [
        "LinkedIn Local Hamburg", "Google Developer Group Berlin", "Netflix Party Planning",
        "PayPal Watch Weekly",
    ])
    func `a brand among other words is a weak sign`(name: String) {
        #expect(brand(name, "someone@mail.example.net")?.strength == .weak, "\(name)")
    }

    @Test(arguments: [
        ("PayPal", "service@paypal.com"), ("PayPal", "service@intl.paypal.com"),
        ("PayPal", "service@paypal.de"),
        ("PayPal", "x@paypal-communication.com"), ("Amazon.co.uk", "order@amazon.co.uk"),
        ("Amazon", "order@marketplace.amazon.com.br"),
        ("Apple", "no_reply@email.apple.com"),
        ("Microsoft account team", "a@accountprotection.microsoft.com"),
        ("Google Calendar", "x@google.com"), ("Chase Bank", "no.reply@alerts.chase.com"),
        ("Netflix", "info@mailer.netflix.com"),
        ("Microsoft via LinkedIn", "jobs@linkedin.com"), ("YouTube", "noreply@google.com"),
        ("Instagram", "a@facebookmail.com"),
        ("Jane Roe via DocuSign", "dse@docusign.net"), ("Bob (Google Docs)", "d@docs.google.com"),
        ("Microsoft Outlook", "postmaster@microsoft.com"),
    ])
    func `a brand's own mail is none`(name: String, address: String) {
        #expect(brand(name, address) == nil)
    }

    @Test func `an address at a brand's mail service is not the brand`() {
        #expect(brand("Microsoft Security", "mssecurity77@outlook.com")?.strength == .strong)
        #expect(brand("Google Support", "helpdesk@gmail.com")?.strength == .strong)
        #expect(brand("Apple", "apple.id@icloud.com")?.strength == .strong)
        #expect(brand("Ada", "ada@gmail.com") == nil)
    }

    @Test func `a brand that writes in another's name is known, and the sign weak`() {
        #expect(brand("PayPal Billing", "dse@docusign.net")?.strength == .weak)
    }

    @Test func `mail about a brand is none`() {
        var message = SampleMessage.text(
            "PayPal raised its fees. See https://news.example/paypal/fees for Apple and Amazon."
        )
        message.subject = "PayPal, Netflix and your bank"
        #expect(message.signs().signs.isEmpty)
    }

    @Test func `the evidence names both`() {
        #expect(
            brand("PayPal", "a@mail.example.net")?.detail
                == "“PayPal” in the sender's name, sent from mail.example.net"
        )
        #expect(
            brand("РауРаl", "a@mail.example.net")?.detail
                == "“PayPal” in the sender's name “РауРаl”, sent from mail.example.net"
        )
    }

    @Test func `a user's own bank is watched too`() {
        let settings = SignSettings(brands: [Brand("Fernhill Savings", ["fernhill.example"])])
        let signs = SampleMessage.from("Fernhill Savings Security", "a@mail.example.net").signs(settings)
        #expect(signs.sign(.brandInName)?.strength == .strong)
        #expect(SampleMessage.from("Fernhill Savings", "a@fernhill.example").signs(settings).signs.isEmpty)
        #expect(SampleMessage.link("https://fernhill-club.example/").signs(settings).signs.isEmpty)
        #expect(SampleMessage.link("https://fernhillsavlngs.test/").signs(settings).has(.homograph))
    }

    @Test func `a name that shows another address is a sign`() {
        func sign(_ name: String, _ address: String) -> MailSign? {
            SampleMessage.from(name, address).sign(.displayNameIsAddress)
        }
        #expect(sign("service@paypal.com", "x@evil.example")?.strength == .strong)
        #expect(sign("Support <help@bank.example>", "x@evil.example")?.strength == .strong)
        #expect(sign("ada@home.example via list", "list@lists.example")?.strength == .weak)
        #expect(sign("ada@home.example", "ada@home.example") == nil)
        #expect(sign("ada@mail.home.example", "ada@home.example") == nil)
        #expect(sign("Ada @ Home", "ada@home.example") == nil)
        #expect(sign("@ada", "ada@home.example") == nil)
        #expect(sign("ada@home", "ada@elsewhere.example") == nil)
    }

    @Test func `answers that go elsewhere are told, and weigh more at a free mailbox`() {
        func sign(_ reply: String, list: Bool = false) -> MailSign? {
            var message = SampleMessage.from("Ada", "ada@office.example")
            message.replyTo = [MailAddress(address: reply)]
            if list { message.list.id = "<l.example>" }
            return message.sign(.replyToElsewhere)
        }
        #expect(sign("ada@other.example")?.strength == .context)
        #expect(sign("ada.office@gmail.com")?.strength == .weak)
        #expect(sign("ada.office@gmail.com", list: true)?.strength == .context)
        #expect(sign("team@mail.office.example") == nil)
        #expect(sign("") == nil)
        #expect(
            sign("ada.office@gmail.com")?.detail
                == "sent from office.example, and answers go to a free mailbox at gmail.com"
        )
    }

    @Test func `mail from oneself counts where nothing proves it`() {
        var message = SampleMessage.from("Ada", "ada@office.example")
        message.to = [MailAddress(address: "Ada@Office.example")]
        #expect(message.strength(.fromSelf) == .context)
        message.authentication.results = ["mx; spf=fail"]
        #expect(message.strength(.fromSelf) == .weak)
        message.authentication.results = ["mx; spf=pass; dmarc=pass"]
        #expect(message.sign(.fromSelf) == nil)
        message.to = [MailAddress(address: "bob@office.example")]
        message.authentication.results = []
        #expect(message.sign(.fromSelf) == nil)
    }

    @Test func `several senders of several owners are a sign`() {
        var message = SampleMessage.from("Ada", "ada@office.example")
        message.from.append(MailAddress(address: "bob@mail.office.example"))
        #expect(message.sign(.manyFrom) == nil)
        message.from.append(MailAddress(address: "eve@evil.example"))
        #expect(message.strength(.manyFrom) == .weak)
    }

    @Test func `what is known of the sender is told`() {
        var message = SampleMessage.from("Ada", "ada@Mail.Office.co.uk")
        message.replyTo = [MailAddress(address: "ada@[192.0.2.1]")]
        let signs = message.signs()
        #expect(signs.fromDomain == "office.co.uk")
        #expect(signs.replyToDomain == "192.0.2.1")
        #expect(MailMessage().signs() == MailSigns())
    }

    @Test(arguments: [
        "", "ada", "@", "ada@", "ada@.", "ada@..", "ada@\u{202E}", "ada@[::1]", "ada@xn--", "a@b@c",
    ])
    func `a broken address is read without harm`(address: String) {
        var message = SampleMessage.from("PayPal <x@y.z> Support", address)
        message.replyTo = message.from
        message.to = message.from
        #expect(message.signs().signs.allSatisfy { $0.detail.count <= MailSign.longestDetail })
    }
}

@Suite struct `Tricks with characters` {
    private func strength(subject: String = "", name: String? = nil) -> MailSign.Strength? {
        var message = SampleMessage.from(name, "ada@sender.example")
        message.subject = subject
        return message.strength(.bidiTrick)
    }

    @Test func `text turned around is strong`() {
        #expect(strength(subject: "Invoice \u{202E}fdp.exe") == .strong)
        #expect(strength(name: "\u{202D}Ada") == .strong)
        #expect(SampleMessage.attachment("photo\u{202E}gnp.scr").strength(.bidiTrick) == .strong)
        #expect(SampleMessage.attachment("photo\u{2067}gnp.txt").strength(.bidiTrick) == .strong)
        #expect(SampleMessage.attachment("photo\u{202E}gnp.scr").strength(.executableAttachment) == .strong)
    }

    @Test func `invisible characters within a word are weak`() {
        #expect(strength(subject: "Pay\u{200B}Pal") == .weak)
        #expect(strength(name: "A\u{00AD}da") == .weak)
        #expect(strength(name: "A\u{2060}\u{200D}da") == .weak)
        #expect(strength(subject: "\u{2066}Hello") == .weak)
    }

    @Test(arguments: [
        "Family 👨‍👩‍👧 photos", "می‌خواهم", "क्‍ष", "\u{FEFF}Hello", "Hello\u{200B} there", "שלום \u{2067}abc\u{2069}",
        "\u{200F}مرحبا",
        "Füße", "Hello",
    ])
    func `what languages and pictures need is none`(text: String) {
        #expect(strength(subject: text, name: text) == nil)
    }
}
