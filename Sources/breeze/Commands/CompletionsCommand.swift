import ArgumentParser

struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the completion script of a shell.",
        discussion: """
            Examples:
              breeze completions bash > ~/.local/share/bash-completion/completions/breeze
              breeze completions zsh > "${fpath[1]}/_breeze"
              breeze completions fish > ~/.config/fish/completions/breeze.fish
            """
    )

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        var parser: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    private struct Report: Encodable {
        let shell: String
        let script: String
    }

    @OptionGroup var output: OutputOptions

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        let script = BreezeCommand.completionScript(for: shell.parser)
        if output.json {
            return try JSONText.print(Report(shell: shell.rawValue, script: script))
        }
        try Console.print(script)
    }
}
