import ArgumentParser
import BreezeCore
import Foundation

struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Ask a question, or hold a conversation.",
        discussion: """
            With a prompt it answers once; with none, on a terminal, it holds a conversation: Ctrl-C stops \
            an answer, Ctrl-D or /exit ends. The prompt may also come from standard input.

            Examples:
              breeze chat --mock "hello"
              breeze chat --param temperature=0.2 --system "Answer in one sentence." "What is a tide?"
              breeze chat --json --mock "hello"           the whole result as JSON
              git diff | breeze chat "Explain this:" -    standard input after the prompt
            """
    )

    @OptionGroup var options: EngineOptions
    @OptionGroup(title: "Request options") var request: RequestOptions

    @Option(help: "What the assistant is told before the conversation.")
    var system: String?

    @Argument(help: "The prompt; - stands for standard input.")
    var prompt: [String] = []

    func run() async throws {
        guard let prompt = try readPrompt() else {
            let chat = ChatSession(try await Composition(options), request, system: system)
            try await chat.checkAbility()
            return try await Conversation(chat: chat).run()
        }
        let chat = ChatSession(try await Composition(options), request, system: system)
        if options.json {
            return try JSONText.print(try await chat.result(of: [ChatMessage(.user, prompt)]))
        }
        _ = try await chat.print([ChatMessage(.user, prompt)])
    }

    /// `nil` for a conversation on the terminal.
    private func readPrompt() throws -> String? {
        if !prompt.isEmpty {
            let words = try prompt.map { $0 == "-" ? "\n" + (try Self.inputText()) : $0 }
            return words.joined(separator: " ")
        }
        guard Console.isInputTerminal else { return try Self.inputText() }
        guard !options.json else { throw ValidationError("--json needs a prompt.") }
        return nil
    }

    private static func inputText() throws -> String {
        let data = try StandardInput.read(limit: TextFile.maximumInput)
        let text = try TextFile.text(data, from: "Standard input")
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}
