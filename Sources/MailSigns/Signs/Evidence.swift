/// Strangers' words, made fit to be shown in a sentence of ours.
enum Evidence {
    /// On one line, without control characters and what cannot be seen, and no longer than `limit`.
    static func clean(_ text: some StringProtocol, limit: Int) -> String {
        var kept = String.UnicodeScalarView()
        var count = 0
        var isPending = false
        // Combining marks without end are one character: scalars are counted.
        for scalar in text.unicodeScalars {
            if count >= limit { return String(kept) + "…" }
            if scalar.properties.isWhitespace {
                isPending = !kept.isEmpty
                continue
            }
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                continue
            default: break
            }
            if isPending { kept.append(" ") }
            isPending = false
            kept.append(scalar)
            count += 1
        }
        return String(kept)
    }

    static func quoted(_ text: some StringProtocol, limit: Int = 60) -> String {
        "“\(clean(text, limit: limit))”"
    }

    /// Of a long host the end, which says whose it is.
    static func host(_ host: LinkHost) -> String {
        let written = host.name.count > 70 ? "…" + host.name.suffix(69) : host.name
        let shown = clean(written, limit: 80)
        guard host.isInternational, host.unicode != host.name else { return shown }
        return "\(shown) (\(clean(host.unicode.suffix(60), limit: 60)))"
    }
}
