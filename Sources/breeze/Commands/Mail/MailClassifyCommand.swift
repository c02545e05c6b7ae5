import ArgumentParser
import Foundation

struct MailClassifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify",
        abstract: "Judge messages: category, spam and phishing, each with its evidence.",
        discussion: """
            Files of one message, folders of them, or - for one on standard input. No index is read or written, and \
            nothing leaves the device. Without an encoder words and headers judge alone, and the answer says so.

            Examples:
              breeze mail classify suspicious.eml
              breeze mail classify --json ~/Mail/cur | jq 'select(.phishing.flagged) | .file'
              cat message | breeze mail classify -
            """
    )

    @OptionGroup var options: EngineOptions
    @Option(
        name: .customLong("trust"),
        help: ArgumentHelp(
            "A mail server of yours, by the name in its Authentication-Results; may be repeated. Else the topmost counts.",
            valueName: "server"
        )
    )
    var trusted: [String] = []
    @Argument(help: "Messages, folders of them, or -.", completion: .file()) var paths: [String]

    func run() async throws {
        let files = try paths.filter { $0 != "-" }.flatMap(MailFiles.under)
        let input = paths.contains("-") ? try StandardInput.read(limit: 128 << 20) : nil
        let judge = try MailJudging(options: options, trustedServers: trusted)
        let line = ProgressLine(json: options.json)
        defer { line.clear() }
        let failed = try await judge.judge(files, input: input, line) {
            line.clear()
            try Console.print(options.json ? $0.json : $0.text)
        }
        if failed > 0 { throw ExitCode(1) }
    }
}
