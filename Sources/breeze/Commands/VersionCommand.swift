import ArgumentParser

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Print the version.",
        discussion: """
            Example:
              breeze version --json
            """
    )

    @OptionGroup var output: OutputOptions

    private struct Report: Encodable {
        let version = BreezeVersion.current
        let system = BreezeVersion.system
        let architecture = BreezeVersion.architecture
    }

    func run() throws {
        if output.json { return try JSONText.print(Report()) }
        try Console.print(
            "breeze \(BreezeVersion.current) (\(BreezeVersion.system), \(BreezeVersion.architecture))"
        )
    }
}
