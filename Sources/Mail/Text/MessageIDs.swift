/// Reads message ids from Message-ID, In-Reply-To and References.
public enum MessageIDs {
    /// Without brackets, each once, in order, at most `limit`; of many the first and the newest are kept, since a
    /// thread hangs on these. In-Reply-To of old programs holds prose: words without brackets count only where the
    /// header has no brackets and they hold an `@`.
    public static func parse(_ header: String, limit: Int = 1_000) -> [String] {
        var found = bracketed(header)
        if found.isEmpty, !header.contains("<") {
            found = header.split { $0.isWhitespace || $0 == "," || $0 == ";" }.filter { $0.contains("@") }
                .map(String.init)
        }
        var seen: Set<String> = []
        let unique = found.filter { seen.insert($0).inserted }
        return unique.count <= limit ? unique : unique.prefix(1) + unique.suffix(limit - 1)
    }

    private static func bracketed(_ header: String) -> [String] {
        var found: [String] = []
        var open: [UInt8]?
        for byte in header.utf8 {
            switch byte {
            case UInt8(ascii: "<"): open = []
            case UInt8(ascii: ">"):
                if let id = open, !id.isEmpty, id.count <= 998 {
                    found.append(String(decoding: id, as: UTF8.self))
                }
                open = nil
            // Folding may split an id.
            case 9, 10, 13, 32: break
            default: open?.append(byte)
            }
        }
        return found
    }
}
