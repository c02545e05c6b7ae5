import BreezeMail
import Testing

@testable import BreezeMailSigns

@Suite struct `What kind of sender it is` {
    private func kinds(
        _ address: String = "ada@home.example",
        _ change: (inout ListHeaders) -> Void = { _ in }
    )
        -> [BulkSigns.Kind]
    {
        var message = SampleMessage.from(nil, address)
        change(&message.list)
        return BulkSigns(message, domains: PlainDomains()).findings.map(\.kind)
    }

    @Test func `a person is none`() {
        #expect(kinds().isEmpty)
        #expect(kinds("robert@home.example").isEmpty)
        #expect(kinds("ordway@news-agency.example").isEmpty)
        #expect(kinds("ada@mail.home.example").isEmpty)
        #expect(BulkSigns(MailMessage(), domains: PlainDomains()).findings.isEmpty)
    }

    @Test func `lists are known by their headers`() {
        #expect(kinds { $0.id = "Boats <boats.example.org>" } == [.list])
        #expect(kinds { $0.post = "<mailto:boats@example.org>" } == [.list])
        #expect(kinds { $0.precedence = "List" } == [.list])
        #expect(kinds { $0.marks = ["x-mailing-list"] } == [.list])
    }

    @Test func `a list to which nobody can write is no place where people talk`() {
        func kinds(_ from: String = "a@b.example", post: String?, marks: [String] = []) -> [BulkSigns.Kind] {
            self.kinds(from) { list in
                (list.id, list.post, list.marks) = ("<a.example>", post, marks)
            }
        }
        #expect(kinds(post: "NO (posting is not allowed)") == [.bulk])
        #expect(kinds(post: nil, marks: ["x-mc-user"]) == [.bulk])
        #expect(kinds("shop@news.store.example", post: nil) == [.bulk])
        #expect(kinds(post: "<mailto:a@lists.example>", marks: ["list-unsubscribe-post"]) == [.list, .bulk])
        #expect(kinds(post: nil, marks: ["x-mailman-version", "feedback-id"]) == [.list, .bulk])
    }

    @Test func `what goes to many is known by its headers or its host`() {
        #expect(kinds { $0.unsubscribe = "<https://x.example>" } == [.bulk])
        #expect(kinds { $0.precedence = "bulk" } == [.bulk])
        #expect(kinds { $0.marks = ["feedback-id"] } == [.bulk])
        #expect(kinds("shop@news.store.example") == [.bulk])
        #expect(kinds("shop@em1234.store.example") == [.bulk])
        #expect(kinds("shop@e.store.example") == [.bulk])
        #expect(kinds("shop@news.example").isEmpty)
    }

    @Test func `networks are known by their domain`() {
        #expect(kinds("invitations@linkedin.com") == [.social])
        #expect(kinds("notification@facebookmail.com") == [.social, .automatic])
        #expect(kinds { $0.marks = ["x-facebook-"] } == [.social])
        #expect(kinds("a@linkedin.com.example").isEmpty)
    }

    @Test func `programs are known by their headers or their address`() {
        #expect(kinds { $0.autoSubmitted = "auto-generated" } == [.automatic])
        #expect(kinds { $0.autoSubmitted = "no" }.isEmpty)
        #expect(kinds { $0.marks = ["x-github-"] } == [.automatic])
        for local in [
            "no-reply", "noreply", "no_reply", "do.not.reply", "MAILER-DAEMON", "alerts", "billing",
            "order-update", "receipts",
            "notifications+x", "shipment-tracking", "store-noreply",
        ] {
            #expect(kinds("\(local)@shop.example") == [.automatic], "\(local)")
        }
        #expect(kinds("bordersmith@shop.example").isEmpty)
    }

    @Test func `several may hold, with the evidence of each`() {
        var message = SampleMessage.from(nil, "no-reply@news.store.example")
        message.list.id = "<a.example>"
        message.list.post = "<mailto:a@a.example>"
        message.list.unsubscribe = "<x>"
        message.list.marks = ["x-twitter-"]
        let findings = BulkSigns(message, domains: PlainDomains()).findings
        #expect(
            findings == [
                BulkSigns.Finding(.list, "List-Id a.example"), BulkSigns.Finding(.bulk, "List-Unsubscribe"),
                BulkSigns.Finding(.social, "the header x-twitter-"),
                BulkSigns.Finding(.automatic, "sent by no-reply"),
            ]
        )
    }

    @Test(
        arguments: [
            ("x-github-reason", "x-github-"), ("feedback-id", "feedback-id"), ("x-facebook", "x-facebook"),
            ("x-facebook-notify", "x-facebook-"), ("x-mailer", nil), ("x-", nil), ("x--", nil),
            ("subject", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `headers that tell are told from others`(name: String, mark: String?) {
        #expect(TellingHeaders.mark(of: name) == mark)
    }
}
