import BreezeMail
import Testing

@Suite struct `New text told from quoted text` {
    /// One attribution of a mail program in each language, and what it is of.
    @Test(arguments: [
        "On Fri, 18 Sep 2026 at 09:40, Ada <ada@example.org> wrote:",
        "On Fri, 18 Sep 2026 at 09:40, Ada Byron\n<ada@example.org> wrote:",
        "Am 18.09.26 um 09:40 schrieb Ada Byron:",
        "Le ven. 18 sept. 2026 à 09:40, Ada <ada@example.org> a\nécrit :",
        "El vie, 18 sept 2026 a las 9:40, Ada (<ada@example.org>)\nescribió:",
        "Il giorno ven 18 set 2026 alle ore 09:40 Ada <ada@example.org> ha\nscritto:",
        "Op vr 18 sep 2026 om 09:40 schreef Ada <ada@example.org>:",
        "Em sex., 18 de set. de 2026 às 09:40, Ada <ada@example.org> escreveu:",
        "Den fre 18 sep. 2026 kl 09:40 skrev Ada <ada@example.org>:",
        "pt., 18 wrz 2026 o 09:40 Ada <ada@example.org> napisał(a):",
        "пт, 18 сент. 2026 г. в 09:40, Ada <ada@example.org> писал(а): Ada написал:",
        "18 Eyl 2026 Cum, 09:40 tarihinde Ada <ada@example.org> şunu yazdı:",
        "2026年9月18日(金) 9:40 Ada <ada@example.org>のメール:",
        "Ada <ada@example.org> 于2026年9月18日周五 09:40写道：",
        "pe 18.9.2026 klo 9.40 Ada (ada@example.org) kirjoitti:",
        "* Ada Byron <ada@example.org> [2026-09-18 09:40] wrote:",
    ])
    func `an attribution above marked lines belongs to neither`(attribution: String) {
        let split = SplitText(splitting: "Yes, gladly.\n\n\(attribution)\n> Shall we meet?\n> Ada\n")
        #expect(split.new == "Yes, gladly.")
        #expect(split.quoted == "> Shall we meet?\n> Ada")
        #expect(split.passages.map(\.kind) == [.new, .attribution, .quote])
    }

    @Test func `an answer between quoted lines is inline`() {
        let split = SplitText(splitting: "Ada wrote:\n> One?\nYes.\n\n> Two?\n>> Older\nNo.\n\n-- \nBob\n")
        #expect(split.new == "Yes.\n\nNo.")
        #expect(split.quoted == "> One?\n\n> Two?\n>> Older")
        #expect(split.signature == "-- \nBob")
        #expect(split.isInline)
    }

    @Test(arguments: [
        "From: Ada <ada@example.org>\nSent: Friday, 18 September 2026 09:40\nTo: Bob\nSubject: Boat",
        "Von: Ada <ada@example.org>\nGesendet: Freitag, 18. September 2026 09:40\nAn: Bob\nBetreff: Boot",
        "De : Ada <ada@example.org>\nEnvoyé : vendredi 18 septembre 2026\nÀ : Bob\nObjet : Bateau",
        "________________________________\nDe: Ada\nEnviado: viernes\nPara: Bob\nAsunto: Barco",
        "-----Original Message-----\nFrom: Ada\nTo: Bob",
        "-----Ursprüngliche Nachricht-----\nVon: Ada",
        "*From:* Ada\n*Sent:* Friday\n*To:* Bob\n*Subject:* Boat",
    ])
    func `all below Outlook's header block is quoted`(block: String) {
        let split = SplitText(splitting: "Fine with me.\n\n\(block)\n\nShall we take the boat?\nAda\n")
        #expect(split.new == "Fine with me.")
        #expect(split.quoted == "Shall we take the boat?\nAda")
    }

    @Test(arguments: [
        "---------- Forwarded message ---------\nFrom: Ada\nDate: Fri\nSubject: Boat\nTo: Bob",
        "Begin forwarded message:\n\nFrom: Ada\nSubject: Boat",
        "-------- Weitergeleitete Nachricht --------\nBetreff: Boot\nVon: Ada",
    ])
    func `a forwarded message is neither new nor quoted`(mark: String) {
        let split = SplitText(splitting: "Look at this.\n\n\(mark)\n\nThe boat leaves at nine.\n")
        #expect(split.new == "Look at this.")
        #expect(split.forwarded == "The boat leaves at nine.")
        #expect(split.quoted.isEmpty)
    }

    @Test func `a top-posted quote without marks is found by its attribution`() {
        let text = "Good.\n\nOn Fri, 18 Sep 2026 at 09:40, Ada <ada@example.org> wrote:\n\nShall we meet?\n"
        #expect(SplitText(splitting: text).new == "Good.")
        #expect(SplitText(splitting: text).quoted == "Shall we meet?")
    }

    @Test(arguments: [
        "Dear Bob,\nas my aunt wrote:\nnever trust a boat.\n",
        "From: the beginning it was clear.\nTo me at least.\n",
        "Agenda:\n1. boats\n-- not a signature\n",
        "Date: Friday\nPlace: the harbour\n",
    ])
    func `prose that looks like a mark stays new`(text: String) {
        #expect(SplitText(splitting: text).new == text.dropLast())
    }

    @Test func `a list's footer and a device's line are no new text`() {
        let list =
            "Hello.\n_______________________________________________\nBoats mailing list\nBoats@example.org\n"
        #expect(SplitText(splitting: list).new == "Hello.")
        #expect(SplitText(splitting: list).passages.map(\.kind) == [.new, .footer])
        #expect(SplitText(splitting: "Hello.\n\nSent from my iPhone\n").new == "Hello.")
        #expect(
            SplitText(splitting: "Hallo.\n\nVon meinem iPhone gesendet\n").signature
                == "Von meinem iPhone gesendet"
        )
    }

    @Test func `a text made to be slow is split in linear time`() {
        let hostile = String(
            repeating: "On 1 Jan 2020 at 10:00 a@b.c wrote:\n__________\n\n-- \n> x\n",
            count: 20_000
        )
        let split = SplitText(splitting: hostile)
        #expect(split.passages.count { $0.kind == .quote } == 20_000)
    }
}
