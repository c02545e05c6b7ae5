import BreezeCore
import BreezeSchemeHandler
import BreezeSchemeStore
import BreezeService
import Foundation

/// Asks in the terminal that the command runs in.
struct TerminalQuestions: OwnerQuestions {
    func answer(to question: OwnerQuestion) async -> OwnerAnswer {
        let words = question.answers.map(\.word).joined(separator: " or ")
        for line in question.lines { Console.printError(line) }
        Console.writeError("\nType \(words) to allow it; anything else refuses: ")
        var lines = LineReader()
        let typed = try? lines.next()
        if typed == nil { Console.printError("") }
        let word = typed?.trimmingCharacters(in: .whitespaces).lowercased()
        return question.answers.first { $0.word == word }?.answer ?? .refuse
    }
}

/// Puts the question where the panel and `breeze apps` find it, and has the desktop say that it is there.
struct NotedQuestions: OwnerQuestions {
    private let board: BoardQuestions

    init(_ store: SchemeStore) {
        board = BoardQuestions(store)
    }

    func answer(to question: OwnerQuestion) async -> OwnerAnswer {
        // A stranger's words are none of the notification's.
        let text = "An app asks something. Answer in the control panel, or with: breeze apps"
        let notice = Task { try await SystemCommand.system.run("notify-send", ["Breeze", text]) }
        defer { notice.cancel() }
        return await board.answer(to: question)
    }
}
