import BreezeMail
import BreezeMailIndex
import BreezeMailSearch
import Foundation

/// Mail for a terminal. All of it was written by strangers: nothing in it steers the terminal.
enum MailText {
    static func lines(_ results: SearchResults, from offset: Int) -> [String] {
        var lines: [String] = []
        for hit in results.hits {
            let others = hit.others > 0 ? "  (\(hit.threadCount) in the thread)" : ""
            lines.append(head(hit.message, hit.date, hit.from, hit.subject) + others)
            lines.append("        " + Style.output.dim(marked(hit.snippet)))
        }
        if results.hits.isEmpty { lines.append("Nothing was found.") }
        if results.isMore || results.found > offset + results.hits.count {
            lines.append("There are more: --offset \(offset + results.hits.count)")
        }
        return lines
    }

    static func lines(_ explanation: SearchExplanation) -> [String] {
        func milliseconds(_ seconds: Double) -> String { String(format: "%.1f ms", seconds * 1_000) }
        return [
            "understood as: \(explanation.understood)".printable,
            "by meaning: \(explanation.meaning.isEmpty ? "nothing" : explanation.meaning)".printable,
            "ranked: \(explanation.wordsRanked) by words, \(explanation.meaningRanked) by meaning",
            "vectors: \(explanation.vectors)\(explanation.encoder.map { " of \($0)" } ?? "")",
            "time: words \(milliseconds(explanation.wordSeconds)), query embedded in "
                + "\(milliseconds(explanation.embeddingSeconds)), vectors \(milliseconds(explanation.vectorSeconds)), "
                + "all \(milliseconds(explanation.totalSeconds))",
        ]
    }

    static func head(_ id: Int64, _ date: MailDate?, _ from: [MailAddress], _ subject: String) -> String {
        let name = from.first.map { $0.name ?? $0.address } ?? "nobody"
        let day = String((date?.iso ?? "no date").prefix(10))
        let number = String(repeating: " ", count: max(0, 6 - "\(id)".count)) + "\(id)"
        return "\(number)  \(padded(day, 10))  \(padded(oneLine(name), 22))  \(oneLine(subject))"
    }

    static func lines(_ message: IndexedMessage, text: String) -> [String] {
        func addresses(_ list: [MailAddress]) -> String { list.map(\.shown).joined(separator: ", ") }
        var fields = [
            ("Number", "\(message.id)"), ("Subject", message.subject), ("From", addresses(message.from)),
            ("To", addresses(message.to)), ("Copies", addresses(message.copies)),
            ("Date", message.date?.iso ?? ""),
            ("Message-ID", message.messageID), ("List", message.list ?? ""),
        ]
        for file in message.attachments {
            fields.append(
                (
                    "Attachment",
                    "\(file.name ?? "without a name") (\(file.type), \(Quantity.bytes(Int64(file.size))))"
                )
            )
        }
        for place in message.places {
            fields.append(("Lies in", place.path + (place.flags.isEmpty ? "" : " (\(place.flags))")))
        }
        for notice in message.notices {
            fields.append(("Notice", notice.kind.rawValue.replacing("_", with: " ")))
        }
        if message.textRead < message.textSize {
            fields.append(("Read", "\(message.textRead) of \(message.textSize) bytes of its text"))
        }
        let head = fields.filter { !$0.1.isEmpty }.map { "\(padded("\($0.0):", 12))\(oneLine($0.1))" }
        return head + ["", text.printable]
    }

    private static func marked(_ snippet: Snippet) -> String {
        let scalars = Array(snippet.text.unicodeScalars)
        var text = snippet.isCutBefore ? "…" : ""
        var place = 0
        for mark in snippet.marks {
            text += string(scalars[place..<mark.lowerBound])
            text += Style.output.bold(string(scalars[mark]))
            place = mark.upperBound
        }
        return text + string(scalars[place...]) + (snippet.isCutAfter ? "…" : "")
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        oneLine(String(String.UnicodeScalarView(scalars)))
    }

    private static func oneLine(_ text: String) -> String {
        text.printable.replacing("\n", with: " ").replacing("\t", with: " ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        let cut = text.count > width ? text.prefix(width - 1) + "…" : text[...]
        return cut + String(repeating: " ", count: width - cut.count)
    }
}
