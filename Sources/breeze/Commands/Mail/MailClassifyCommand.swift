import ArgumentParser
import BreezeCore
import BreezeMailClassifier
import BreezeMailIndex
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
        let files = try paths.filter { $0 != "-" }.flatMap(Self.files)
        let input = paths.contains("-") ? try StandardInput.read(limit: 128 << 20) : nil
        let judge = MailJudging(options: options, trustedServers: trusted)
        let failed = try await judge.judge(files, input: input) {
            try Console.print(options.json ? $0.json : $0.text)
        }
        if failed > 0 { throw ExitCode(1) }
    }

    /// In the order of their names; what begins with a dot is no message.
    private static func files(_ path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw BreezeError(
                .inputOutput,
                "There is nothing at \(path).",
                remedy: "Name a message, or a folder of messages."
            )
        }
        guard isFolder.boolValue else { return [path] }
        let names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
        return names.filter { name in
            let full = "\(path)/\(name)"
            var isFolder: ObjCBool = false
            return !name.split(separator: "/").contains {
                $0.hasPrefix(".") && $0.count > 1 && !isMaildir($0, path)
            }
                && FileManager.default.fileExists(atPath: full, isDirectory: &isFolder) && !isFolder.boolValue
        }
        .map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
    }

    /// Maildir++ hangs its folders below the inbox, with a dot before their names.
    private static func isMaildir(_ name: Substring, _ path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(path)/\(name)/cur")
    }
}
