import ArgumentParser
import CSandbox

/// The command line, and the one place that names concrete runners. Each command in it spells its name: where one does
/// not, the parser asks the runtime for its type's, which takes as long as all else at the start.
@main
struct BreezeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "breeze",
        abstract: "One private AI brain for this device.",
        discussion: """
            Start here:
              breeze tour                                  see everything once
              breeze doctor                                what is installed, what is missing, what mends it
              breeze embed "a text"                        the text as a vector
              breeze chat --mock "hello"                   a made-up answer, labelled as such
              breeze mail index ~/Mail                     mail that is found by words and by meaning

            Exit codes: 0 it went well, 1 it failed (of guard: it blocked), 64 wrong usage, 130 Ctrl-C, \
            143 SIGTERM, 141 the reader of the output went away. With --json, and whenever standard error is not a terminal, a \
            failure is one JSON object on standard error: {"error":{"code","message","remedy"}}.
            """,
        version: BreezeVersion.current,
        subcommands: [
            TourCommand.self, DoctorCommand.self, VersionCommand.self, CompletionsCommand.self,
            WorkerCommand.self, ExtractCommand.self,
        ],
        groupedSubcommands: [
            CommandGroup(
                name: "Asking",
                subcommands: [
                    ChatCommand.self, EmbedCommand.self, SimilarCommand.self, RerankCommand.self,
                    ClassifyCommand.self, GuardCommand.self, TokenizeCommand.self, RunCommand.self,
                ]
            ),
            CommandGroup(name: "Mail", subcommands: [MailCommand.self]),
            CommandGroup(
                name: "Serving other programs",
                subcommands: [
                    ServeCommand.self, ServiceCommand.self, PanelCommand.self, AppsCommand.self,
                    AuditCommand.self, OpenCommand.self,
                ]
            ),
            CommandGroup(
                name: "Looking and setting",
                subcommands: [
                    RouteCommand.self, RunnersCommand.self, ResidencyCommand.self, PinCommand.self,
                    UnpinCommand.self, UnloadCommand.self, ModelsCommand.self, ConfigCommand.self,
                    SecretsCommand.self, EgressCommand.self, MetricsCommand.self,
                ]
            ),
        ]
    )

    static func main() async {
        _ = sandbox_refuse_core_dumps()
        Signals.shared.begin()
        let code = await Launch(arguments: Array(CommandLine.arguments.dropFirst())).run()
        Launch.exit(code)
    }
}
