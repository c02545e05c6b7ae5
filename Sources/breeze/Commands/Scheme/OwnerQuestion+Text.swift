import BreezeCore
import BreezeScheme
import BreezeSchemeStore

/// What the owner is asked, for a terminal.
extension OwnerQuestion {
    /// All of it; what a stranger wrote is set off, and steers no terminal.
    var lines: [String] {
        switch self {
        case .run(let question): Self.lines(question)
        case .pair(let question): Self.lines(question)
        }
    }

    /// What may be answered, and the word for it; no answer is a refusal.
    var answers: [(word: String, answer: OwnerAnswer)] {
        switch self {
        case .run: [("once", .allowOnce), ("pair", .allowAndPair)]
        case .pair: [("pair", .pair)]
        }
    }

    private static func lines(_ question: RunQuestion) -> [String] {
        var more: [String] = []
        if question.hiddenCharacters > 0 { more.append("\(question.hiddenCharacters) more characters") }
        more += question.attachments.map { "an attachment of \(Quantity.bytes(Int64($0)))" }
        return [
            RunQuestion.warning,
            "\(question.callback):// asks for \(question.capability.rawValue), on this device, this once:",
            "",
        ]
            + question.prompt.split(separator: "\n", omittingEmptySubsequences: false).map {
                "  > \($0)".printable
            }
            + (more.isEmpty ? [] : ["  and \(more.joined(separator: ", "))"])
    }

    private static func lines(_ question: PairQuestion) -> [String] {
        [
            "An app that calls itself \"\(question.name)\" asks to be paired.".printable,
            "Its answers go to \(question.callback)://. It asks for: \(SchemeApp.words(question.asked)).",
        ] + question.replaced.map { "It takes the place of \"\($0)\".".printable }
            + ["", "  \(question.code)", "", "Pair it only where the app shows the same code."]
    }
}

extension SchemeApp {
    /// `chat, embedding (network too)`
    static func words(_ reaches: [String: SchemeReach]) -> String {
        let names = reaches.sorted { $0.key < $1.key }.map { name, reach in
            name + (reach == .networkAllowed ? " (network too)" : "")
        }
        return names.isEmpty ? "nothing" : names.joined(separator: ", ").printable
    }
}
