/// The words by which mail programs introduce quoted text, in the languages that they speak. All in lower case.
enum QuoteMarks {
    enum Label { case from, sent, to, cc, subject }

    private static let labels: [String: Label] = [
        "from": .from, "von": .from, "de": .from, "da": .from, "van": .from, "från": .from, "fra": .from,
        "lähettäjä": .from, "od": .from, "kimden": .from, "от": .from, "від": .from, "από": .from,
        "feladó": .from,
        "发件人": .from, "寄件者": .from, "差出人": .from, "보낸 사람": .from, "expéditeur": .from, "remitente": .from,
        "mittente": .from, "gönderen": .from, "de la": .from,
        "sent": .sent, "date": .sent, "gesendet": .sent, "datum": .sent, "envoyé": .sent, "enviado": .sent,
        "enviado el": .sent, "enviada em": .sent, "data": .sent, "fecha": .sent, "inviato": .sent,
        "verzonden": .sent, "skickat": .sent, "sendt": .sent, "dato": .sent, "lähetetty": .sent,
        "wysłano": .sent,
        "odesláno": .sent, "gönderildi": .sent, "tarih": .sent, "отправлено": .sent, "дата": .sent,
        "надіслано": .sent, "στάλθηκε": .sent, "elküldve": .sent, "发送时间": .sent, "寄件日期": .sent, "日時": .sent,
        "送信日時": .sent, "보낸 날짜": .sent, "日期": .sent,
        "to": .to, "an": .to, "à": .to, "a": .to, "para": .to, "aan": .to, "till": .to, "til": .to,
        "vastaanottaja": .to, "do": .to, "komu": .to, "kime": .to, "кому": .to, "προς": .to, "címzett": .to,
        "收件人": .to, "收件者": .to, "宛先": .to, "받는 사람": .to, "destinataire": .to, "destinatario": .to,
        "cc": .cc, "kopie": .cc, "copie": .cc, "kopia": .cc, "kopi": .cc, "копия": .cc, "抄送": .cc, "참조": .cc,
        "subject": .subject, "betreff": .subject, "objet": .subject, "asunto": .subject, "assunto": .subject,
        "oggetto": .subject, "onderwerp": .subject, "ämne": .subject, "emne": .subject, "aihe": .subject,
        "temat": .subject, "předmět": .subject, "konu": .subject, "тема": .subject, "θέμα": .subject,
        "tárgy": .subject, "主题": .subject, "主旨": .subject, "件名": .subject, "제목": .subject,
        "subiect": .subject,
        "re": .subject, "sujet": .subject,
    ]

    private static let originals = [
        "original message", "ursprüngliche nachricht", "originalnachricht", "ursprungliche nachricht",
        "message d'origine", "message d’origine", "message original", "mensaje original",
        "messaggio originale",
        "oorspronkelijk bericht", "mensagem original", "ursprungligt meddelande", "originalmeddelande",
        "oprindelig meddelelse", "opprinnelig melding", "alkuperäinen viesti", "oryginalna wiadomość",
        "wiadomość oryginalna", "původní zpráva", "orijinal mesaj", "özgün ileti", "исходное сообщение",
        "original-nachricht", "원본 메시지", "元のメッセージ", "原始邮件", "原始郵件", "αρχικό μήνυμα", "eredeti üzenet",
        "оригинальное сообщение", "mesaj original", "original appointment",
    ]
    private static let forwards = [
        "forwarded message", "forwarded by", "weitergeleitete nachricht", "message transféré",
        "message transmis", "mensaje reenviado", "mensaje enviado", "messaggio inoltrato", "inoltrato da",
        "doorgestuurd bericht", "mensagem encaminhada", "mensagem reencaminhada",
        "vidarebefordrat meddelande",
        "videresendt meddelelse", "videresendt melding", "välitetty viesti", "wiadomość przekazana",
        "przekazana wiadomość", "přeposlaná zpráva", "iletilen mesaj", "iletilmiş mesaj",
        "пересылаемое сообщение",
        "переадресованное сообщение", "転送メッセージ", "전달된 메시지", "转发的邮件", "轉寄的郵件", "begin forwarded message",
        "anfang der weitergeleiteten nachricht", "début du message réexpédié",
        "início da mensagem reencaminhada",
        "inicio del mensaje reenviado", "inizio messaggio inoltrato", "begin doorgestuurd bericht",
        "προωθημένο μήνυμα", "továbbított üzenet", "mesaj redirecționat", "start of forwarded message",
    ]
    /// Each as a word of its own; languages without spaces have theirs in `unspaced`.
    private static let verbs: Set<String> = [
        "wrote", "writes", "said", "says", "schrieb", "schreibt", "geschrieben", "écrit", "ecrit", "écrivait",
        "escribió", "escribio", "escribe", "escreveu", "escreve", "scritto", "scrive", "schreef", "schrijft",
        "geschreven", "skrev", "skriver", "skrifaði", "kirjoitti", "napisał", "napisała", "napisał(a)",
        "napisali",
        "pisze", "napsal", "napsala", "napsal(a)", "napísal", "napísal(a)", "yazdı", "yazmış", "писал",
        "писала",
        "написал", "написала", "написал(а)", "написав", "пише", "пишет", "έγραψε", "írta", "scris", "scria",
        "napisao", "napisala", "написа", "rašė", "rakstīja", "kirjutas", "menulis", "viết", "reageerde",
        "quoting", "zitat", "citando", "zitiere", "schreven",
    ]
    private static let unspaced = ["写道", "寫道", "書きました", "のメール", "님이 작성", "작성:", "כתב", "كتب", "เขียนว่า", "于"]

    private static let devices = [
        "sent from my", "sent via", "sent from mail", "sent from outlook", "sent from yahoo",
        "get outlook for",
        "von meinem", "gesendet mit", "gesendet von mein", "envoyé de mon", "envoyé depuis", "enviado desde",
        "enviado do meu", "inviato da", "verstuurd vanaf", "verzonden vanaf", "skickat från", "sendt fra",
        "lähetetty", "wysłane z", "odesláno z", "iphone'umdan", "отправлено с", "iphone から", "iphoneから",
        "从我的", "發自我的", "发自我的", "나의 iphone",
    ]
    private static let footers = [
        "mailing list", "mailinglist", "listinfo", "unsubscribe", "mailing-list", "lista de",
        "liste de diffusion",
        "abmelden", "/mailman", "to leave this list", "sponsored by", "sf.net email",
    ]

    static func label(_ folded: String) -> Label? {
        let bare = folded.drop { $0 == "*" || $0 == " " }
        guard let colon = bare.prefix(24).firstIndex(where: { $0 == ":" || $0 == "：" }) else { return nil }
        return labels[bare[..<colon].trimmed.replacing("*", with: "")]
    }

    /// What follows a line like `-----Original Message-----`; `nil` for any other line.
    static func wholeMessage(_ folded: String) -> SplitText.Kind? {
        guard folded.utf8.count < 120 else { return nil }
        let isFramed = folded.hasPrefix("--") || folded.hasPrefix("==") || folded.hasPrefix("__")
        let isIntroduced = folded.hasSuffix(":") || folded.hasSuffix("：")
        guard isFramed || isIntroduced else { return nil }
        let words = folded.drop { "-=_ *".contains($0) }
        if forwards.contains(where: { words.hasPrefix($0) }) { return .forwarded }
        return isFramed && originals.contains { words.hasPrefix($0) } ? .quote : nil
    }

    /// Whether a line may be an attribution's last.
    static func ends(_ folded: String) -> Bool {
        guard let last = folded.last else { return false }
        return last == ":" || last == "：" || folded.hasSuffix("...") || folded.hasSuffix(":*") || last == "…"
    }

    /// A cheap look before lines are joined.
    static func mayBegin(_ folded: String) -> Bool {
        !folded.isEmpty && folded.utf8.count < 400 && !folded.hasPrefix("-")
    }

    /// Whether a line says when, or from which address.
    static func maySay(_ folded: String) -> Bool {
        folded.contains("@") || folded.count(where: \.isNumber) >= 4
    }

    /// Whether `folded` says that somebody wrote what follows.
    static func isAttribution(_ folded: String) -> Bool {
        guard folded.utf8.count < 500 else { return false }
        if folded.utf8.contains(where: { $0 >= 0x80 }), unspaced.contains(where: { folded.has($0) }) {
            return true
        }
        return folded.split {
            $0.isWhitespace || $0 == ":" || $0 == "," || $0 == "*" || $0 == ">" || $0 == "…"
        }
        .contains { verbs.contains(String($0)) }
    }

    /// Whether it also says when or from which address, so that no sentence of a person is taken for it.
    static func isCertain(_ folded: String) -> Bool {
        folded.hasSuffix(":") && folded.count(where: \.isNumber) >= 3
            && (folded.contains("@") || folded.contains(":") && folded.count(where: { $0 == ":" }) >= 2)
    }

    static func isDeviceLine(_ folded: String) -> Bool {
        folded.utf8.count < 120 && devices.contains { folded.hasPrefix($0) }
    }

    static func isListFooter(_ folded: String) -> Bool { footers.contains { folded.has($0) } }
}
