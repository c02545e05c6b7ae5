import BreezeMail

extension SignReading {
    /// A newsletter's preview line is shorter.
    private static let muchHidden = 200
    private static let someHidden = 60

    mutating func readContent() {
        var hidden = 0
        var sample = ""
        for text in message.body.texts where !text.isAttached {
            guard let html = text.html else { continue }
            read.counts.forms += html.forms
            read.counts.scripts += html.scripts
            read.counts.trackingPixels += html.trackingPixels
            read.counts.remoteImages += html.remoteImages
            hidden += html.hiddenCharacters
            if sample.isEmpty { sample = html.hiddenSample }
        }
        read.counts.hiddenCharacters = hidden
        if hidden >= Self.someHidden {
            let strength: MailSign.Strength = hidden >= Self.muchHidden ? .weak : .context
            signs.add(
                .hiddenText,
                strength,
                "\(hidden) characters that nobody can see, beginning \(Evidence.quoted(sample, limit: 100))"
            )
        }
        if read.counts.forms > 0 {
            let count = read.counts.forms
            signs.add(.form, .context, count == 1 ? "a form to fill in" : "\(count) forms to fill in")
        }
    }

    /// Characters that make text look other than it is, where a person decides by what it looks like.
    mutating func readTricks() {
        let file = "name of a file"
        let places =
            [("subject", message.subject), ("sender's name", from?.name ?? "")]
            + names().map { (file, $0.name) }
        for (place, text) in places {
            guard !text.isASCII, let trick = HiddenCharacters.trick(in: text) else { continue }
            let isStrong = trick == .override || (trick == .embedding && place == file)
            signs.add(
                .bidiTrick,
                isStrong ? .strong : .weak,
                "\(trick.rawValue) in the \(place), which shows as \(Evidence.quoted(text, limit: 80))"
            )
        }
    }
}
