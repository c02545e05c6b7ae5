import BreezeMail

@testable import BreezeMailSigns

/// Messages with just what a rule looks at.
enum SampleMessage {
    static func from(_ name: String?, _ address: String) -> MailMessage {
        var message = MailMessage()
        message.from = [MailAddress(name: name, address: address)]
        return message
    }

    static func text(_ text: String, from address: String = "ada@sender.example") -> MailMessage {
        var message = from(nil, address)
        message.body.texts = [BodyText(part: 0, text: text)]
        message.body.best = text
        return message
    }

    static func link(_ target: String, shown: String = "here", from address: String = "ada@sender.example")
        -> MailMessage
    {
        var message = from(nil, address)
        var html = HTMLFindings()
        html.links = [HTMLLink(text: shown, target: target)]
        message.body.texts = [BodyText(part: 0, text: shown, html: html)]
        return message
    }

    static func html(from address: String = "ada@sender.example", _ change: (inout HTMLFindings) -> Void)
        -> MailMessage
    {
        var message = from(nil, address)
        var html = HTMLFindings()
        change(&html)
        message.body.texts = [BodyText(part: 0, text: "", html: html)]
        return message
    }

    static func attachment(_ name: String) -> MailMessage {
        var message = from(nil, "ada@sender.example")
        message.parts = [
            MailPart(index: 0, parent: nil, depth: 0, type: "multipart/mixed"),
            MailPart(
                index: 1,
                parent: 0,
                depth: 1,
                type: "application/octet-stream",
                fileName: name,
                disposition: "attachment"
            ),
        ]
        return message
    }
}

extension MailMessage {
    func signs(_ settings: SignSettings = SignSettings()) -> MailSigns {
        SignReader(settings: settings).signs(of: self)
    }

    func sign(_ kind: MailSign.Kind) -> MailSign? { signs().sign(kind) }

    func strength(_ kind: MailSign.Kind) -> MailSign.Strength? { sign(kind)?.strength }
}
