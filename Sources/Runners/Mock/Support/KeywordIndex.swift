/// Finds which of many keywords a text contains, in one pass over it: a text of megabytes is no trouble.
///
/// Case is ignored. A keyword that begins (ends) with an ASCII letter or digit must begin (end) at a word's
/// border, so `hi` is not found in `this`; the others, Chinese ones above all, are found anywhere.
struct KeywordIndex: Sendable {
    private let keywords: [[UInt8]]
    private let byFirstByte: [[Int]]

    init(_ keywords: [String]) {
        self.keywords = keywords.map { Array($0.lowercased().utf8) }
        var byFirstByte = [[Int]](repeating: [], count: 256)
        for (index, keyword) in self.keywords.enumerated() {
            if let first = keyword.first { byFirstByte[Int(first)].append(index) }
        }
        self.byFirstByte = byFirstByte
    }

    /// The places of the keywords that occur, each once however often it does.
    func hits(in text: String) -> Set<Int> {
        var hits: Set<Int> = []
        let bytes = Array(text.lowercased().utf8)
        for start in bytes.indices {
            for index in byFirstByte[Int(bytes[start])] where !hits.contains(index) {
                if matches(keywords[index], in: bytes, at: start) { hits.insert(index) }
            }
        }
        return hits
    }

    private func matches(_ keyword: [UInt8], in bytes: [UInt8], at start: Int) -> Bool {
        let end = start + keyword.count
        guard end <= bytes.count, bytes[start..<end].elementsEqual(keyword) else { return false }
        func joins(_ left: Int, _ right: Int) -> Bool {
            bytes.indices.contains(left) && bytes.indices.contains(right)
                && Self.isWordByte(bytes[left]) && Self.isWordByte(bytes[right])
        }
        return !joins(start - 1, start) && !joins(end - 1, end)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}
