import ArgumentParser
import BreezeCore
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailJudgement
import Foundation

struct MailCorrectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "correct",
        abstract: "Say what a message is; Breeze learns from it, here and nowhere else.",
        discussion: """
            What you say of a message counts at once, and for mail that is like it. Of a sender or a list it counts for \
            all their mail, but for what only claims to be theirs. Mail itself is not changed.

            Examples:
              breeze mail correct 412 --category updates
              breeze mail correct 412 --not-spam --scope sender
              breeze mail correct 415 --phishing
              breeze mail correct --show                 what you said so far
              breeze mail correct --undo                 takes the latest back
              breeze mail correct 412 --undo
              breeze mail correct --contact ada@example.org
            """
    )

    @OptionGroup var options: EngineOptions
    @Option(
        help: "primary, social, promotions, updates or forums.",
        transform: { text in
            guard let category = MailCategory(rawValue: text.lowercased()) else {
                let names = MailCategory.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--category takes \(names), not \"\(text)\".")
            }
            return category
        }
    )
    var category: MailCategory?
    @Flag(help: "It is unwanted.") var spam = false
    @Flag(help: "It is fraud.") var phishing = false
    @Flag(help: "It is neither spam nor phishing.") var notSpam = false
    @Option(
        help: "What it is said of: this message, all of its sender, or all of its list.",
        transform: { text in
            guard let scope = PersonalJudgement.Scope(rawValue: text) else {
                throw ValidationError("--scope takes message, sender or list, not \"\(text)\".")
            }
            return scope
        }
    )
    var scope = PersonalJudgement.Scope.message
    @Flag(help: "Take back the latest, or what was said of the message.") var undo = false
    @Flag(help: "List what you said.") var show = false
    @Option(help: ArgumentHelp("Mail of this address is never spam.", valueName: "address")) var contact:
        String?
    @Option(help: ArgumentHelp("This address is no contact.", valueName: "address")) var noContact: String?
    @Argument(help: "The message: its number in the index, or its Message-ID.") var message: String?

    private var words: [OwnersWord] {
        (category.map { [.category($0)] } ?? []) + (spam ? [.spam] : []) + (phishing ? [.phishing] : [])
            + (notSpam ? [.wanted] : [])
    }

    func validate() throws {
        let others = [undo, show, contact != nil, noContact != nil].count { $0 }
        if words.isEmpty, others == 0 {
            throw ValidationError("Say what it is: --category NAME, --spam, --phishing or --not-spam.")
        }
        guard words.count + others == 1 else { throw ValidationError("One thing at a time.") }
        guard words.isEmpty || message != nil else {
            throw ValidationError("Name a message: breeze mail list")
        }
        for address in [contact, noContact].compactMap(\.self) where !address.contains("@") {
            throw ValidationError("\"\(address)\" is no address.")
        }
    }

    func run() async throws {
        let index = try MailPlace.open()
        let judge = try MailPlace.judge(index, try await Composition(options))
        if show { return try await list(judge) }
        if let address = contact ?? noContact {
            try await judge.setContact(address, contact != nil)
            return try tell(kind: "contact", key: address.lowercased(), changed: nil)
        }
        if undo { return try await takeBack(index, judge) }
        guard let message, let word = words.first else { return }
        let found = try await MailPlace.find(message, in: index)
        let outcome = try await judge.correct(found.id, word, scope: scope)
        let changed = outcome.changed + (try await relearn(judge))
        try tell(kind: outcome.kind, key: outcome.key, changed: changed)
    }

    private func takeBack(_ index: MailIndex, _ judge: MailJudge) async throws {
        var said = try await judge.corrections()
        if let message {
            let id = try await MailPlace.find(message, in: index).messageID
            said = said.filter { $0.rule.scope == .message && $0.rule.key == id }
        }
        guard let latest = said.first else {
            throw BreezeError(
                .notFound,
                "There is nothing to take back\(message == nil ? "" : " of this message").",
                remedy: "What you said stands in: breeze mail correct --show"
            )
        }
        let changed = try await judge.undo(kind: latest.kind, key: latest.rule.key)
        try tell(
            kind: latest.kind,
            key: latest.rule.key,
            changed: changed + (try await relearn(judge)),
            isUndone: true
        )
    }

    private func relearn(_ judge: MailJudge) async throws -> Int {
        let line = ProgressLine(json: options.json)
        defer { line.clear() }
        line.show("looking at mail that is like it", detail: "", completed: 0, total: 0)
        return try await judge.relearn()
    }

    private func list(_ judge: MailJudge) async throws {
        let said = try await judge.corrections()
        if options.json { return try JSONText.print(said) }
        for each in said {
            let day = Date(timeIntervalSince1970: Double(each.rule.made)).formatted(
                .iso8601.year().month().day()
            )
            let subject = each.subject.map { "  \($0)" } ?? ""
            try Console.print(
                "\(day)  \(each.rule.word.value)  \(each.rule.scope.rawValue) \(each.rule.key)\(subject)"
                    .printable
            )
        }
        if said.isEmpty { try Console.print("You have said nothing yet.") }
    }

    private func tell(kind: String, key: String, changed: Int?, isUndone: Bool = false) throws {
        struct Report: Encodable {
            let kind: String
            let key: String
            let changed: Int?
            let undone: Bool
        }
        if options.json {
            return try JSONText.print(Report(kind: kind, key: key, changed: changed, undone: isUndone))
        }
        let what = isUndone ? "Taken back." : "Noted."
        let messages = changed.map { " \(Quantity.count($0, "message")) changed." } ?? ""
        try Console.print(what + messages)
    }
}
