/// A service's own words, for an error's message: without what must not stand there.
enum ServerWords {
    private static let limit = 200
    private static let window = 16

    /// `nil` where nothing is left to show: where they repeat the key, or a part of what was asked.
    static func shown(_ message: String?, hiding key: String?, _ texts: [String]) -> String? {
        guard let message, !message.isEmpty else { return nil }
        let line = message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let shown = String(line.prefix(limit))
        // OpenAI shows a refused key's ends.
        if let key, shown.contains(key) || shown.contains(key.prefix(6)) { return nil }
        let characters = Array(shown)
        for text in texts where !text.isEmpty {
            let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if text.count <= window {
                if text.count > 3, shown.contains(text) { return nil }
                continue
            }
            guard characters.count >= window else { continue }
            for start in 0...(characters.count - window)
            where text.contains(String(characters[start..<start + window])) { return nil }
        }
        return shown
    }
}
