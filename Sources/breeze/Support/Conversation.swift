import BreezeCore

/// A conversation on a terminal.
struct Conversation {
    let chat: ChatSession

    private static let help = """
        /reset    forget what was said
        /exit     end (so does Ctrl-D)
        /help     this text
        Ctrl-C    stops an answer
        """
    private static let question = "\u{203A} "

    func run() async throws {
        var messages: [ChatMessage] = []
        var lines = LineReader()
        try Console.print(Style.output.dim("Ctrl-C stops an answer, Ctrl-D ends, /help says more."))
        defer { Signals.shared.onInterrupt(nil) }
        while true {
            Signals.shared.onInterrupt { Console.writeError("\n(Ctrl-D or /exit ends)\n\(Self.question)") }
            try Console.write(Self.question)
            guard let line = try lines.next() else { return try Console.print("") }
            switch line.trimmingSpaces {
            case "": continue
            case "/exit", "/quit": return
            case "/help": try Console.print(Self.help)
            case "/reset":
                messages = []
                try Console.print("Forgotten.")
            case let command where command.hasPrefix("/"):
                try Console.print("There is no \(command.printable).\n\(Self.help)")
            default: try await turn(line, &messages)
            }
        }
    }

    /// A turn that fails or is stopped leaves the conversation as it was.
    private func turn(_ line: String, _ messages: inout [ChatMessage]) async throws {
        let asked = messages + [ChatMessage(.user, line)]
        let chat = chat
        let answer = Task { try await chat.print(asked) }
        Signals.shared.onInterrupt { answer.cancel() }
        do {
            let result = try await withTaskCancellationHandler {
                try await answer.value
            } onCancel: {
                answer.cancel()
            }
            guard let text = result?.output.text else { return }
            messages = asked + [ChatMessage(.assistant, text)]
        } catch {
            try Task.checkCancellation()
            switch error {
            case is CancellationError: try Console.print("\n(stopped)")
            case let error as BreezeError where error.code == .cancelled: try Console.print("\n(stopped)")
            case let error as BreezeError: Console.printError(FailureText.plain(error))
            default: throw error
            }
        }
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
