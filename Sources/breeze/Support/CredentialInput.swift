import BreezeCore
import BreezeSecrets
import Foundation

/// The values of a credential, as a person types them or a script pipes them in.
enum CredentialInput {
    /// More is no credential.
    private static let limit = 1 << 16

    /// Asks where somebody can answer; `nil` where nobody can.
    static var prompt: CredentialPrompt? {
        guard Console.isInputTerminal, Console.isErrorTerminal else { return nil }
        return { service in try ask(service) }
    }

    /// From the terminal where standard input is one, else a line for each part.
    static func read(_ service: CredentialService) throws -> [String] {
        if Console.isInputTerminal {
            if let texts = try ask(service) { return texts }
            throw BreezeError(
                .cancelled,
                "Nothing was entered, and nothing was changed.",
                remedy: "Try again."
            )
        }
        let text = try TextFile.text(try StandardInput.read(limit: limit), from: "Standard input")
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// `nil` where the input ends before the last value.
    private static func ask(_ service: CredentialService) throws -> [String]? {
        if let page = service.page { Console.printError("Get one at \(page)") }
        var reader = LineReader()
        var texts: [String] = []
        for part in service.parts {
            let line =
                part.isPublic
                ? try visible("\(service.title) \(part.name): ", &reader)
                : try hidden("\(service.title) \(part.name) (not shown): ", &reader)
            guard let line, !line.allSatisfy(\.isWhitespace) else { return nil }
            texts.append(line)
        }
        return texts
    }

    private static func visible(_ question: String, _ reader: inout LineReader) throws -> String? {
        Console.writeError(question)
        return try reader.next()
    }

    private static func hidden(_ question: String, _ reader: inout LineReader) throws -> String? {
        guard let input = HiddenInput() else {
            throw BreezeError(
                .inputOutput,
                "The terminal cannot be kept from showing what is typed.",
                remedy: "Pipe the key in: breeze secrets set NAME < FILE"
            )
        }
        Signals.shared.beforeExit { input.restore() }
        defer {
            input.restore()
            Signals.shared.beforeExit(nil)
            Console.writeError("\n")
        }
        Console.writeError(question)
        return try reader.next()
    }
}
