import BreezeCore
import BreezeMailIndex
import BreezeMailSearch
import Foundation

/// The tour for people.
struct TourPrinter {
    /// Prints nothing: the report comes as JSON.
    let isQuiet: Bool
    private let style = Style.output

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
    }

    private func print(_ line: String = "") throws {
        if !isQuiet { try Console.print(line) }
    }

    func welcome() throws {
        try print(style.bold("Breeze, one private AI brain for this device"))
        try print(style.dim("Everything below is worked out here and now; nothing leaves the device."))
    }

    func heading(_ number: Int, _ title: String) throws {
        try print()
        try print(style.bold("\(number)  \(title)"))
    }

    func show(_ lookup: TourLookup) throws {
        try print(
            style.dim(
                "   \(lookup.notes) short notes became vectors of \(lookup.dimensions) numbers "
                    + "(\(lookup.runtime.map { "\(lookup.runner), \($0)" } ?? lookup.runner)). The nearest two to a query:"
            )
        )
        for answer in lookup.answers {
            try print("   \(style.accent("\u{201C}\(answer.query)\u{201D}"))")
            for text in answer.nearest {
                try print("      \(String(format: "%5.2f", text.score))  \(text.text)")
            }
        }
        try print(style.dim("   Yours: breeze similar --in notes.txt \"what you look for\""))
    }

    func show(_ sorted: [TourSorted]) throws {
        let labels = sorted.compactMap(\.scores.first)
        let width = labels.map(\.label.count).max() ?? 0
        for (text, score) in zip(sorted, labels) {
            let label = score.label + String(repeating: " ", count: width - score.label.count)
            let share = String(format: "%3.0f %%", score.score * 100)
            try print("   \(style.accent(label))  \(style.dim(share))  \(text.text.firstLine(limit: 80))")
        }
        try print(style.dim("   Yours: breeze classify --examples FILE \"a text\""))
    }

    func show(_ error: BreezeError) throws {
        try print("   \(style.warning("Not on this device yet:")) \(error.message.printable)")
        for line in (error.remedy ?? "").split(separator: "\n") { try print("   \(line)") }
    }

    func show(_ chat: TourChat) throws {
        for line in DecisionText.lines(chat.decision, style: style) { try print("   \(line)") }
        if chat.isMock {
            try print()
            for line in Remedies.chatModel.split(separator: "\n") { try print("   \(line)") }
            try print()
            try print("   \(style.warning("A made-up answer, by \(chat.runner); no model was asked:"))")
        }
        try print("   \(style.accent("\u{201C}\(chat.question)\u{201D}"))")
        for line in chat.answer.split(separator: "\n") { try print("   \(String(line).printable)") }
    }

    func show(_ mail: TourMail) throws {
        let count = Quantity.count(mail.messages, "message")
        let meaning = mail.passages > 0 ? "" : "; without an encoder, words alone find them"
        try print(
            style.dim("   \(count) in \(Quantity.count(mail.threads, "thread")) were indexed here\(meaning).")
        )
        let kinds = mail.categories.sorted { $0.messages > $1.messages }.map {
            "\($0.messages) \($0.category)"
        }
        try print("   \(kinds.joined(separator: ", "))")
        for warning in mail.warnings {
            let score = "\(warning.kind) \(Int((warning.score * 100).rounded())) %"
            try print("   \(style.warning(score)) \(warning.from.printable): \(warning.subject.printable)")
            for detail in warning.evidence { try print(style.dim("      \(detail.printable)")) }
        }
        let more = mail.warned.phishing - mail.warnings.count
        if more > 0 || mail.warned.spam > 0 {
            try print(
                style.dim(
                    "   and \(max(0, more)) more of phishing, \(mail.warned.spam) of spam: breeze mail spam"
                )
            )
        }
        for answer in mail.answers {
            try print(
                "   \(style.accent("\u{201C}\(answer.query.printable)\u{201D}")) by \(answer.mode.rawValue)"
            )
            for hit in answer.hits { try print("      \(hit.from.printable): \(hit.subject.printable)") }
        }
        try print(
            style.dim("   Yours: breeze mail index ~/Mail, then breeze mail search \"what you look for\"")
        )
    }

    func show(_ timings: [TourTiming]) throws {
        try print()
        try print(style.bold("How long it took"))
        let width = timings.map(\.step.count).max() ?? 0
        for timing in timings {
            let step = timing.step + String(repeating: " ", count: width - timing.step.count)
            try print("   \(step)  \(Quantity.seconds(timing.seconds))")
        }
        try print()
        try print("Next: \(style.bold("breeze doctor")), \(style.bold("breeze --help"))")
    }
}
