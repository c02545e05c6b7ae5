import BreezeMail
import BreezeMailSigns
import BreezeTestSupport

@testable import BreezeMailClassifier

/// Heads trained on a few words, and messages to judge by them.
enum Fixtures {
    static let dimension = 8

    static func mail(
        _ text: String,
        _ direction: Int,
        unwanted: Bool,
        phishing: Bool = false,
        _ category: MailCategory?
    )
        -> LabelledMail
    {
        var vector = [Float](repeating: 0, count: dimension)
        vector[direction] = 1
        return LabelledMail(
            words: MailWords(subject: "", text: text),
            vector: vector,
            corpus: "a",
            isUnwanted: unwanted,
            isPhishing: phishing,
            category: category
        )
    }

    /// Each text often enough that its words are kept.
    static let corpus: [LabelledMail] = (0..<20).flatMap { _ in
        [
            mail("cheap pills for everybody", 0, unwanted: true, nil),
            mail("confirm your password at once", 1, unwanted: true, phishing: true, nil),
            mail("dinner at eight on friday", 2, unwanted: false, .primary),
            mail("half price on all our boots", 3, unwanted: false, .promotions),
            mail("your parcel leaves the house", 4, unwanted: false, .updates),
            mail("she follows your pictures now", 5, unwanted: false, .social),
            mail("the patch does not apply here", 6, unwanted: false, .forums),
        ]
    }

    static let heads = HeadTrainer(version: "test", encoder: "e", provenance: ["here"]).heads(corpus)

    static func vector(_ direction: Int) -> [Float] { corpus[direction].vector }

    static func facts(_ text: String, _ change: (inout MailMessage) -> Void = { _ in }) -> MailFacts {
        var message = MailMessage(id: "1@x.example", contentID: "1@content.invalid")
        message.from = [MailAddress(name: "Ada", address: "ada@mail.example")]
        message.body = MailBody(best: text)
        change(&message)
        let domains = PlainDomains()
        return MailFacts(message, reader: SignReader(domains: domains), domains: domains)
    }
}
