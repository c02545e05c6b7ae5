/// Finds the files that old programs write into plain text.
public enum UuencodedText {
    /// The text without them, and what they are. Text that has none comes back as it is.
    public static func split(_ text: String) -> (text: String, files: [EmbeddedFile]) {
        guard text.has("begin ") else { return (text, []) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var kept: [Substring] = []
        var files: [EmbeddedFile] = []
        var at = 0
        while at < lines.count {
            if let name = name(lines[at]), let found = data(lines, from: at + 1) {
                files.append(EmbeddedFile(name: name, size: found.size))
                at = found.end
            } else {
                kept.append(lines[at])
                at += 1
            }
        }
        return files.isEmpty ? (text, []) : (kept.joined(separator: "\n"), files)
    }

    /// `begin 644 name`.
    private static func name(_ line: Substring) -> String? {
        guard line.hasPrefix("begin ") else { return nil }
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3, (3...4).contains(words[1].utf8.count),
            words[1].utf8.allSatisfy({ (48...55).contains($0) })
        else { return nil }
        let name = words[2].trimmed
        return name.isEmpty ? nil : name
    }

    /// Lines whose first byte tells their length, up to `end`; a file that lacks its end, or holds a line that is
    /// none of these, is no file.
    private static func data(_ lines: [Substring], from start: Int) -> (size: Int, end: Int)? {
        var size = 0
        for at in start..<lines.count {
            let line = lines[at].utf8
            if lines[at].trimmed == "end" { return (size, at + 1) }
            guard let first = line.first, first >= 32, first <= 96 else {
                // A zero-length line is a space that a mail program may have cut away.
                if line.isEmpty { continue }
                return nil
            }
            let bytes = Int(first - 32) & 63
            // Trailing spaces may be cut, and some programs add a checksum.
            guard line.count - 1 <= (bytes + 2) / 3 * 4 + 2 else { return nil }
            size += bytes
        }
        return nil
    }
}
