import BreezeMail

extension SignReading {
    mutating func readAttachments() {
        var hasArchive = false
        for (part, name) in names() {
            guard let kind = AttachmentName(name).risk else { continue }
            hasArchive = hasArchive || kind == .archive
            if read.attachments.count < MailSigns.mostAttachments {
                read.attachments.append(
                    AttachmentRisk(kind, part: part, name: Evidence.clean(name, limit: 199))
                )
            }
            let shown = Evidence.quoted(name, limit: 100)
            switch kind {
            case .program: signs.add(.executableAttachment, .strong, "\(shown), a program that is attached")
            case .script: signs.add(.executableAttachment, .weak, "\(shown), a file that may run programs")
            case .disguised:
                signs.add(.doubleExtension, .strong, "\(shown), which is named like a document and is none")
            case .page: signs.add(.htmlAttachment, .weak, "\(shown), a page that is attached")
            case .archive: break
            }
        }
        if hasArchive, let words = PasswordHint.find(in: message.body.best) {
            signs.add(
                .passwordArchive,
                .weak,
                "an archive, and its password in the text: \(Evidence.quoted(words))"
            )
        }
    }

    /// Of the message's own attached files.
    func names() -> [(part: Int, name: String)] {
        var found: [(part: Int, name: String)] = []
        // Within an attached message somebody else wrote them.
        var isWithin = Array(repeating: false, count: message.parts.count)
        for (at, part) in message.parts.enumerated() {
            if let parent = part.parent, parent < at {
                isWithin[at] = isWithin[parent] || message.parts[parent].message != nil
            }
            if isWithin[at] || found.count >= 1_000 { continue }
            if part.message == nil, let name = part.fileName, !part.isMultipart {
                found.append((part.index, name))
            }
            for file in part.embedded.prefix(100) { found.append((part.index, file.name)) }
        }
        return found
    }
}

/// What a file's name gives away.
struct AttachmentName {
    let risk: AttachmentRisk.Kind?

    init(_ name: String) {
        let visible = LookAlike.plain(String(name.suffix(300))).lowercased()
        // Space is put between an ending that is seen and one that is out of sight.
        let pieces = visible.filter { !$0.isWhitespace }.split(separator: ".")
        guard pieces.count >= 2, let ending = pieces.last else {
            risk = nil
            return
        }
        let inner = pieces.count >= 3 ? pieces[pieces.count - 2] : ""
        let isProgram =
            FileEndings.programs.contains(ending)
            // A host's name ends like this too.
            && (ending != "com" || pieces.count == 2 && !visible.contains(" ")
                || FileEndings.documents.contains(inner))
        let isScript = FileEndings.scripts.contains(ending)
        let isPage = FileEndings.pages.contains(ending)
        switch true {
        case (isProgram || isScript) && FileEndings.documents.contains(inner), isPage && Self.isRead(inner):
            risk = .disguised
        case isProgram: risk = .program
        case isScript: risk = .script
        case isPage: risk = .page
        case FileEndings.archives.contains(ending): risk = .archive
        default: risk = nil
        }
    }

    /// Never the inner ending of a page that somebody saved.
    private static func isRead(_ inner: Substring) -> Bool {
        ["pdf", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "jpg", "jpeg", "png"].contains(inner)
    }
}

/// A password that a text gives.
enum PasswordHint {
    private static let words = [
        "password", "passcode", "passwort", "kennwort", "mot de passe", "contraseña", "wachtwoord", "senha",
    ]

    /// `Password: 1234`, `the password is 1234`.
    static func find(in text: String) -> String? {
        let head = String(text.prefix(8_000))
        let lower = head.lowercased()
        for word in words {
            var rest = lower[...]
            while let found = rest.firstRange(of: word) {
                let after = lower[found.upperBound...].prefix(40).split(separator: "\n").first ?? ""
                let pieces = after.split { $0 == " " || $0 == "\t" || $0 == "\"" || $0 == "“" }
                let isGiven =
                    after.drop { $0 == " " }.hasPrefix(":")
                    || ["is", "ist", "est", "es", "=", "é"].contains(pieces.first)
                if isGiven, after.contains(where: \.isNumber) || pieces.count == 2 { return word + after }
                rest = lower[found.upperBound...]
            }
        }
        return nil
    }
}
