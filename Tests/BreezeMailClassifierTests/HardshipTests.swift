import BreezeMail
import BreezeMailSigns
import Foundation
import Testing

@testable import BreezeMailClassifier

/// What the heads that ship say of mail that is hard to judge, without an encoder: by words, headers and links alone.
@Suite struct `Mail that is hard to judge` {
    private let classifier: MailClassifier

    init() throws {
        classifier = MailClassifier(heads: try MailHeads.shipped)
    }

    /// A note between friends, said in each language by what they would write.
    private static let languages: [String: String] = [
        "ar": "هل نتغدى معًا يوم الجمعة؟", "bg": "Ще обядваме ли заедно в петък?",
        "bn": "শুক্রবার কি আমরা একসাথে দুপুরের খাবার খাব?", "ca": "Dinem junts divendres?",
        "cs": "Půjdeme v pátek na oběd?", "cy": "Gawn ni ginio dydd Gwener?",
        "da": "Skal vi spise frokost på fredag?", "de": "Essen wir am Freitag zusammen zu Mittag?",
        "el": "Τρώμε μαζί την Παρασκευή;", "en": "Shall we have lunch on Friday?",
        "es": "¿Comemos juntos el viernes?", "et": "Kas sööme reedel koos lõunat?",
        "eu": "Ostiralean bazkalduko dugu elkarrekin?", "fa": "جمعه ناهار با هم بخوریم؟",
        "fi": "Syödäänkö perjantaina lounasta?", "fr": "On déjeune ensemble vendredi ?",
        "ga": "An mbeidh lón againn Dé hAoine?", "gu": "શુક્રવારે સાથે જમીશું?",
        "he": "נאכל יחד צהריים ביום שישי?", "hi": "क्या शुक्रवार को साथ में खाना खाएँ?",
        "hr": "Hoćemo li na ručak u petak?", "hu": "Ebédeljünk együtt pénteken?",
        "id": "Makan siang bersama hari Jumat?", "is": "Eigum við að borða saman á föstudag?",
        "it": "Pranziamo insieme venerdì?", "ja": "金曜日に一緒にお昼を食べませんか。",
        "ka": "პარასკევს ერთად ვისადილოთ?", "ko": "금요일에 점심 같이 먹을까요?",
        "lt": "Ar papietausime penktadienį?", "lv": "Vai piektdien paēdīsim kopā pusdienas?",
        "nb": "Skal vi spise lunsj på fredag?", "nl": "Zullen we vrijdag samen lunchen?",
        "pl": "Zjemy razem obiad w piątek?", "pt": "Almoçamos juntos na sexta?",
        "ro": "Luăm prânzul împreună vineri?", "ru": "Пообедаем вместе в пятницу?",
        "sv": "Ska vi äta lunch på fredag?", "ta": "வெள்ளிக்கிழமை மதிய உணவு சாப்பிடலாமா?",
        "th": "วันศุกร์ไปกินข้าวเที่ยงด้วยกันไหม", "tr": "Cuma günü birlikte öğle yemeği yiyelim mi?",
        "uk": "Пообідаємо разом у п'ятницю?", "vi": "Thứ Sáu mình ăn trưa cùng nhau nhé?",
        "zh": "星期五一起吃午饭吗？",
    ]

    @Test(arguments: languages.keys.sorted())
    func `a friend's note is none of it, in whatever language`(_ language: String) throws {
        let verdict = classifier.verdict(
            Fixtures.facts(try #require(Self.languages[language])),
            vector: nil
        )
        #expect(!verdict.spam.flagged && !verdict.phishing.flagged, "\(verdict.spam.score)")
        #expect(verdict.category == .primary && verdict.missing == [.encoder])
    }

    @Test func `a program that is all there is of a message is told, and no text is no crash`() {
        let verdict = classifier.verdict(
            Fixtures.facts("") { message in
                message.subject = ""
                message.parts = [
                    MailPart(
                        index: 0,
                        parent: nil,
                        depth: 0,
                        type: "application/octet-stream",
                        size: 9,
                        fileName: "invoice.pdf.exe",
                        disposition: "attachment"
                    )
                ]
            },
            vector: nil
        )
        #expect(verdict.evidence.contains { $0.kind == "double_extension" && $0.about == .phishing })
        #expect(!verdict.evidence.contains { $0.kind == "text" })
    }

    @Test func `nothing that a stranger wrote turns the evidence around or hides in it`() {
        let trick = "\u{202E}moc.lapyap\u{202C} \u{200B}\u{2066}\u{7}\n"
        let verdict = classifier.verdict(
            Fixtures.facts("Confirm your password \(trick) now") { message in
                message.subject = "Invoice \(trick)"
                message.from = [MailAddress(name: "PayPal \(trick)", address: "x@evil.example")]
            },
            vector: nil
        )
        #expect(verdict.evidence.contains { $0.kind == "brand_in_name" })
        for evidence in verdict.evidence {
            let unseen = evidence.detail.unicodeScalars.filter {
                [.control, .format].contains($0.properties.generalCategory)
            }
            #expect(unseen.isEmpty, "\(evidence.kind)")
        }
    }

    @Test func `probabilities stay within 0 and 1, and add up, whatever there is to read`() {
        let texts = [
            "", " ", String(repeating: "a", count: 100_000), String(repeating: "💸 ", count: 20_000),
            String(repeating: "click here https://a.example ", count: 4_000), "\u{0}\u{FFFF}",
        ]
        for text in texts {
            let verdict = classifier.verdict(Fixtures.facts(text), vector: nil)
            for risk in [verdict.spam.score, verdict.phishing.score] { #expect((0...1).contains(risk)) }
            #expect(abs(verdict.categories.values.reduce(0, +) - 1) < 1e-9)
            #expect(verdict.confidence == verdict.categories[verdict.category])
        }
    }
}
