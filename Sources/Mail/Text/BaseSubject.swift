/// A subject without the marks that replies and forwards put before it, as threading compares it.
public struct BaseSubject: Codable, Hashable, Sendable {
    /// On one line; keeps its case.
    public var text: String
    /// Whether a mark was there: a subject alone joins two threads only where one of them is a reply.
    public var isReply: Bool

    /// Reply and forward marks of mail programs in many languages, without their colon.
    private static let marks: Set<String> = [
        // reply
        "re", "aw", "antw", "antwort", "sv", "vs", "rv", "ref", "rif", "r", "odp", "ynt", "bls", "vá", "atb",
        "res",
        "ответ", "отв", "回复", "答复", "回覆", "答覆", "返信", "답장", "الرد", "השב", "απ", "σχετ", "ad", "回", "yn",
        // forward
        "fw", "fwd", "wg", "weitergeleitet", "tr", "vb", "doorst", "enc", "i", "rv", "vl", "pd", "továbbítás",
        "ilt",
        "trs", "пер", "пересл", "转发", "轉寄", "轉發", "転送", "전달", "הועבר", "إعادة توجيه", "προωθ", "πρθ",
        "videresendt",
    ]
    /// Marks are short, so that a sentence with a colon stays whole.
    private static let longestMark = 14

    public init(_ subject: String) {
        let words = subject.split(whereSeparator: \.isWhitespace)
        var rest = Substring(words.joined(separator: " "))
        isReply = false
        while true {
            if let next = Self.withoutMark(rest) {
                rest = next
                isReply = true
            } else if let next = Self.withoutTrailer(rest) {
                rest = next
                isReply = true
            } else if let next = Self.withoutBlob(rest) {
                rest = next
            } else {
                break
            }
        }
        text = String(rest)
    }

    /// `Re: `, `Re[2]: `, `Re^2: `, `AW（2）：`.
    private static func withoutMark(_ text: Substring) -> Substring? {
        guard let colon = text.prefix(longestMark + 6).firstIndex(where: { $0 == ":" || $0 == "：" }) else {
            return nil
        }
        var mark = text[..<colon].lowercased()
        if let open = mark.firstIndex(where: { "[(^（*".contains($0) }) {
            let count = mark[open...].dropFirst().filter { !"])）".contains($0) }
            guard count.allSatisfy(\.isNumber) else { return nil }
            mark = String(mark[..<open])
        }
        guard marks.contains(mark.trimmed) else { return nil }
        return text[text.index(after: colon)...].drop(while: \.isWhitespace)
    }

    /// `(fwd)` at the end (RFC 5256).
    private static func withoutTrailer(_ text: Substring) -> Substring? {
        guard text.lowercased().hasSuffix("(fwd)"), text.count > 5 else { return nil }
        return Substring(String(text.dropLast(5)).trimmed)
    }

    /// `[list]` at the beginning, where something follows (RFC 5256).
    private static func withoutBlob(_ text: Substring) -> Substring? {
        guard text.first == "[", let close = text.firstIndex(of: "]") else { return nil }
        let rest = text[text.index(after: close)...].drop(while: \.isWhitespace)
        let blob = text[..<close].dropFirst()
        return rest.isEmpty || blob.contains("[") ? nil : rest
    }
}

extension StringProtocol {
    /// Without space at either end.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
