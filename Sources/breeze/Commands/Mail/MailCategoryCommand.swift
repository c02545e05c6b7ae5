import ArgumentParser
import BreezeCore
import BreezeMail
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailJudgement
import Foundation

struct MailCategoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "category",
        abstract: "What kinds of mail there are, what is of one kind, or why a message is of its kind.",
        discussion: """
            Primary, social, promotions, updates and forums. A conversation belongs where its newest message does.

            Examples:
              breeze mail category                       how much there is of each
              breeze mail category promotions --limit 10
              breeze mail category 412                   one message's, with the reasons
              breeze mail category 412 --json | jq .category
              breeze mail category 412 --ask-model       what a language model of this device says of it, too
            """
    )
    @OptionGroup var options: EngineOptions
    @Flag(help: "Ask a language model of this device, too, for two seconds at most.") var askModel = false
    @Option(help: "Conversations at most.") var limit = 30
    @Option(help: "Conversations that are passed over.") var offset = 0
    @Argument(help: "A category, or a message: its number in the index, or its Message-ID.")
    var what: String?

    func validate() throws {
        guard (0...100_000).contains(limit), offset >= 0 else {
            throw ValidationError("--limit takes 0 to 100000, and --offset 0 or more.")
        }
    }

    func run() async throws {
        let index = try MailPlace.open()
        guard let what else { return try await count(index) }
        if let category = MailCategory(rawValue: what.lowercased()) { return try await list(category, index) }
        let message = try await MailPlace.find(what, in: index)
        let composition = try await Composition(options)
        let judge = try MailPlace.judge(index, composition)
        let judged = try await judge.decide(message.id, limit: JudgeLimits().category)
        let opinion = askModel ? try await ask(CategoryQuestion(composition.engine), message, index) : nil
        if options.json { return try JSONText.print(MailJudgementReport(message, judged, opinion)) }
        for line in MailText.category(message, judged, opinion) { try Console.print(line) }
    }

    /// What the heads and the rules say stands, whatever becomes of the question.
    private func ask(_ question: CategoryQuestion, _ message: IndexedMessage, _ index: MailIndex) async throws
        -> CategoryQuestion.Answer?
    {
        do {
            return try await question.ask(
                subject: message.subject,
                sender: message.from.map(\.shown).joined(separator: ", "),
                text: try await index.text(of: message.id) ?? ""
            )
        } catch let error as BreezeError {
            Console.printError("note: No language model was heard: \(error.message)".printable)
            return nil
        }
    }

    private func count(_ index: MailIndex) async throws {
        let counts = try await index.categories()
        if options.json { return try JSONText.print(counts) }
        for category in MailCategory.allCases {
            let count = counts.first { $0.category == category.rawValue }
            let unread = count.map { $0.unread > 0 ? ", \($0.unread) unread" : "" } ?? ""
            let name = category.rawValue.padding(toLength: 12, withPad: " ", startingAt: 0)
            try Console.print("\(name)\(Quantity.count(count?.messages ?? 0, "conversation"))\(unread)")
        }
        if counts.isEmpty { Console.printError("note: Nothing was judged yet: breeze mail index") }
    }

    private func list(_ category: MailCategory, _ index: MailIndex) async throws {
        let filter = ListingFilter(category: category.rawValue)
        let list = try await index.listing(filter, isByThread: true, limit: limit, offset: offset)
        if options.json { return try JSONText.print(list.entries) }
        for entry in list.entries {
            try Console.print(MailText.head(entry.id, entry.date, entry.from, entry.subject))
        }
        if list.entries.isEmpty { try Console.print("No messages.") }
        if list.isMore { try Console.print("There are more: --offset \(offset + list.entries.count)") }
    }
}
