/// Joins the lines of `format=flowed` text (RFC 3676).
public enum FlowedText {
    /// `deletesSpace` is DelSp=yes: the space at the end of a flowed line belongs to the line break alone.
    public static func join(_ text: String, deletesSpace: Bool) -> String {
        var paragraphs: [String] = []
        var open: (depth: Int, text: String)?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let depth = line.utf8.prefix { $0 == UInt8(ascii: ">") }.count
            var content = line.dropFirst(depth)
            if content.first == " " { content = content.dropFirst() }
            let isSignature = content == "-- "
            if let current = open, current.depth != depth || isSignature {
                paragraphs.append(quoted(current))
                open = nil
            }
            let flows = content.hasSuffix(" ") && !isSignature
            if flows, deletesSpace { content = content.dropLast() }
            let joined = (open?.text ?? "") + content
            if flows {
                open = (depth, joined)
            } else {
                paragraphs.append(quoted((depth, joined)))
                open = nil
            }
        }
        if let open { paragraphs.append(quoted(open)) }
        return paragraphs.joined(separator: "\n")
    }

    private static func quoted(_ paragraph: (depth: Int, text: String)) -> String {
        guard paragraph.depth > 0 else { return paragraph.text }
        return String(repeating: ">", count: paragraph.depth) + " " + paragraph.text
    }
}
