extension `Messages compared with what stalwart's parser says` {
    struct Difference {
        var file: String
        var aspects: Set<Aspect>
    }

    /// Every file that is read differently here, by the reason.
    static let differences: [Difference] =
        mislabelled.map { Difference(file: "legacy/\($0)", aspects: [.to]) }
        + structure.map { Difference(file: "malformed/\($0)", aspects: [.structure]) } + [
            // As above, and the text is uuencoded in a way of its own: GMime decodes it, stalwart shows it as it is.
            Difference(file: "legacy/026", aspects: [.to, .texts]),
            // Uuencoded images: decoded here.
            Difference(file: "legacy/017", aspects: [.attachments]),
            Difference(file: "legacy/048", aspects: [.attachments]),
            // CR CR LF in base64, and LF CR at the end: each CR without LF is a line end here.
            Difference(file: "legacy/045", aspects: [.texts]),
            Difference(file: "legacy/049", aspects: [.texts]),
            // A multipart without parts: its text is a preamble to GMime, and shown as text of the message.
            Difference(file: "malformed/002", aspects: [.texts]),
            // Words that are no base64 in a part that claims it: decoded here, shown as they are there.
            Difference(file: "rfc/000", aspects: [.texts]),
            // An attached message in base64: forbidden (RFC 2046, 5.2.1), and not looked into by GMime.
            Difference(file: "rfc/008", aspects: [.structure]),
            // Control characters: a bare CR becomes a line end and zero bytes are dropped here.
            Difference(file: "thirdparty/000", aspects: [.texts]),
            // Bytes behind the end of base64 text, and an odd byte at the end of UTF-16.
            Difference(file: "thirdparty/002", aspects: [.texts]),
            // A closing boundary that stands in the middle of a line.
            Difference(file: "thirdparty/005", aspects: [.texts]),
            // A message within a message within a message, each with the same boundary.
            Difference(file: "thirdparty/015", aspects: [.structure]),
        ]

    /// Encoded words in `To` that say ISO 8859-1 and hold UTF-8, since somebody converted the whole file: GMime
    /// believes the word, stalwart the bytes.
    private static let mislabelled = ["009", "015", "016", "018", "023", "024", "025", "050", "051"]

    /// Boundaries that are missing, cut short, prefixes of each other, or repeated inside: each parser makes its own
    /// tree of these, with a part more or less, or one multipart taken for its content.
    private static let structure = [
        "000", "001", "004", "007", "009", "011", "012", "016", "017", "020", "021", "022",
    ]
}
