/// Chooses what a person reads of a message: of `multipart/alternative` one form, of everything else all texts.
public enum BestText {
    /// A plain form so short beside its HTML only says that the mail is in HTML.
    private static let stubCharacters = 200
    private static let stubShare = 4

    public static func choose(_ texts: [BodyText], in parts: [MailPart]) -> String {
        let own = texts.filter { !$0.isAttached }
        var chosen: [Int: Bool] = [:]
        var kept: [String] = []
        for text in own {
            if let group = alternative(of: text.part, in: parts) {
                let wantsHTML =
                    chosen[group]
                    ?? self.wantsHTML(own.filter { alternative(of: $0.part, in: parts) == group })
                chosen[group] = wantsHTML
                if wantsHTML != (text.html != nil) { continue }
            }
            let words = text.text.trimmed
            if !words.isEmpty { kept.append(words) }
        }
        return kept.joined(separator: "\n\n")
    }

    private static func wantsHTML(_ texts: [BodyText]) -> Bool {
        func size(_ isHTML: Bool) -> Int {
            texts.lazy.filter { ($0.html != nil) == isHTML }.map { weight($0.text) }.reduce(0, +)
        }
        let plain = size(false)
        let html = size(true)
        return plain == 0 ? html > 0 : plain < stubCharacters && html > plain * stubShare
    }

    /// Bytes that are no space.
    private static func weight(_ text: String) -> Int {
        text.utf8.count { $0 > 32 }
    }

    /// The outermost `multipart/alternative` that holds the part.
    private static func alternative(of index: Int, in parts: [MailPart]) -> Int? {
        var found: Int?
        var at: Int? = index
        while let current = at, parts.indices.contains(current) {
            if parts[current].type == "multipart/alternative" { found = current }
            at = parts[current].parent
        }
        return found
    }
}
