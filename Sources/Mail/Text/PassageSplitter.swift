/// A part of a message's own text, as long as an encoder reads well.
package struct MailPassage: Hashable, Sendable {
    /// In bytes of UTF-8, within what ``PassageSplitter/ownText(_:)`` gives.
    package var start: Int
    package var length: Int

    package init(start: Int, length: Int) {
        self.start = start
        self.length = length
    }
}

/// Splits what a writer added into passages that overlap.
///
/// An encoder such as all-MiniLM-L6-v2 was trained on 128 word pieces and gives one vector for all that it reads: of a
/// long passage that speaks of several things it is near to none. English mail has four to five bytes a piece. Half as
/// long as the encoder could read found more than that did, and than a third.
package enum PassageSplitter {
    /// Changes with the rules: then all is split anew.
    package static let version = 2
    package static let length = 450
    static let overlap = 75
    /// Of longer messages the rest is found by words alone.
    static let mostPassages = 128
    private static let longestSubject = 120
    private static let longestName = 60

    /// Without quoted text, signatures and what a list puts under every message; all of it where nothing else is left.
    package static func ownText(_ body: String) -> String {
        let split = SplitText(splitting: body)
        let own = split.passages.lazy.filter { $0.kind == .new || $0.kind == .forwarded }.map(\.text)
            .joined(separator: "\n\n")
        return own.utf8.contains { $0 > 32 } ? own : body
    }

    /// Never empty: a message without a text has a passage without a length.
    package static func passages(_ own: String) -> [MailPassage] {
        let bytes = Array(own.utf8)
        var passages: [MailPassage] = []
        var start = first(bytes, from: 0)
        while start < bytes.count, passages.count < mostPassages {
            let end = end(bytes, from: start)
            passages.append(MailPassage(start: start, length: end - start))
            guard end < bytes.count else { break }
            let next = first(bytes, from: wordStart(bytes, from: max(start + 1, end - overlap), before: end))
            start = next
        }
        return passages.isEmpty ? [MailPassage(start: 0, length: 0)] : passages
    }

    /// What is embedded: who wrote it, and the subject, which tells what a short answer is about. `sender` is a name.
    package static func text(_ passage: MailPassage, of own: String, subject: String, sender: String)
        -> String
    {
        [String(sender.prefix(longestName)), String(subject.prefix(longestSubject)), text(passage, of: own)]
            .filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    package static func text(_ passage: MailPassage, of own: String) -> String {
        String(decoding: own.utf8.dropFirst(passage.start).prefix(passage.length), as: UTF8.self)
    }

    /// The end of a paragraph, else of a sentence, else of a word, that lies in the last third.
    private static func end(_ bytes: [UInt8], from start: Int) -> Int {
        let most = start + length
        guard most < bytes.count else { return bytes.count }
        let least = start + length * 2 / 3
        var (sentence, word): (Int?, Int?) = (nil, nil)
        for at in stride(from: most, to: least, by: -1) where bytes[at] <= 32 {
            if bytes[at] == 10, bytes[at - 1] == 10 { return at }
            if sentence == nil, [33, 46, 63].contains(bytes[at - 1]) { sentence = at }
            if word == nil { word = at }
        }
        return sentence ?? word ?? characterStart(bytes, before: most)
    }

    private static func characterStart(_ bytes: [UInt8], before end: Int) -> Int {
        var at = end
        while at > 0, bytes[at] & 0xC0 == 0x80 { at -= 1 }
        return at
    }

    private static func first(_ bytes: [UInt8], from start: Int) -> Int {
        var at = start
        while at < bytes.count, bytes[at] <= 32 || bytes[at] & 0xC0 == 0x80 { at += 1 }
        return at
    }

    private static func wordStart(_ bytes: [UInt8], from start: Int, before end: Int) -> Int {
        bytes[start..<end].firstIndex { $0 <= 32 } ?? start
    }
}
