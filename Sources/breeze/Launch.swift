import ArgumentParser
import BreezeCore
import Foundation

/// One call of the program, from its arguments to its exit code.
struct Launch {
    let arguments: [String]

    /// What a shell reports of a program that a closed pipe ended.
    private static let brokenPipe: Int32 = 128 + SIGPIPE

    func run() async -> Int32 {
        let code: Int32
        do {
            try Self.checkArguments()
            var command = try await BreezeCommand.asyncParseAsRoot(arguments)
            let work = Task {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            }
            Signals.shared.onSignal { _ in work.cancel() }
            try await work.value
            code = 0
        } catch {
            code = report(error)
        }
        return Signals.shared.received.map { 128 + $0 } ?? code
    }

    static func exit(_ code: Int32) -> Never {
        Foundation.exit(code)
    }

    /// The arguments reach Swift repaired, which would change a text without a word.
    private static func checkArguments() throws {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { continue }
            if String(validatingCString: argument) == nil {
                throw BreezeError(
                    .invalidRequest,
                    "Argument \(index) is not valid UTF-8.",
                    remedy: "Convert the text, for example with iconv -t UTF-8."
                )
            }
        }
    }

    /// - Returns: The exit code.
    private func report(_ error: any Error) -> Int32 {
        switch error {
        case is OutputClosed: return Self.brokenPipe
        case let error as BreezeError: return fail(error)
        case is CancellationError:
            return fail(BreezeError(.cancelled, "The command was cancelled.", remedy: "Run it again."))
        default: break
        }
        let code = BreezeCommand.exitCode(for: error)
        let message = BreezeCommand.fullMessage(for: error)
        if code.isSuccess {
            guard (try? Console.print(message)) != nil else { return Self.brokenPipe }
            return 0
        }
        if code == .validationFailure {
            return misuse(message: BreezeCommand.message(for: error), full: message)
        }
        if error is ExitCode { return code.rawValue }
        return fail(
            BreezeError(
                .internalError,
                "An error that Breeze did not foresee: \(error).",
                remedy: "Please report it, with the command that led to it.",
                underlying: error
            )
        )
    }

    private func fail(_ error: BreezeError) -> Int32 {
        Console.printError(wantsJSON ? FailureText.json(error) : FailureText.plain(error))
        return 1
    }

    private func misuse(message: String, full: String) -> Int32 {
        guard wantsJSON else {
            Console.printError(([full] + [misspelling].compactMap(\.self)).joined(separator: "\n").printable)
            return ExitCode.validationFailure.rawValue
        }
        // All but the first line of the full message is the usage and where to read more.
        let lines = full.split(separator: "\n").dropFirst().map(String.init)
        let usage = ([misspelling].compactMap(\.self) + lines).joined(separator: "\n")
        Console.printError(
            FailureText.json(
                BreezeError(
                    BreezeError.Code(rawValue: "usage"),
                    message,
                    remedy: usage.isEmpty ? "breeze --help" : usage
                )
            )
        )
        return ExitCode.validationFailure.rawValue
    }

    /// A first word that is no command most likely was meant as one.
    private var misspelling: String? {
        let configuration = BreezeCommand.configuration
        let commands = configuration.subcommands + configuration.groupedSubcommands.flatMap { $0.subcommands }
        let names = commands.map { $0.configuration.commandName ?? "" } + ["help"]
        guard let word = arguments.first, !word.hasPrefix("-"), !names.contains(word) else { return nil }
        return nearestName(to: word, in: names).map { "Did you mean breeze \($0)?" }
    }

    private var wantsJSON: Bool {
        !Console.isErrorTerminal || arguments.prefix { $0 != "--" }.contains("--json")
    }
}
