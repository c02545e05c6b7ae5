import ArgumentParser
import BreezeCore
import BreezeHub
import BreezeService
import Foundation

struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Have the hub run whenever you are logged in, as a service of the system.",
        discussion: """
            Writes a unit for your own systemd, or a launch agent on a Mac: no root, and nothing for other \
            users. A file of that name that somebody else wrote is left alone.

            Examples:
              breeze service install
              breeze service install -- --port 4000 --socket none
              breeze service status
              breeze service uninstall
            """,
        subcommands: [Install.self, Uninstall.self, Status.self]
    )

    /// For this user and this home.
    static func service() -> HubService {
        let environment = ProcessInfo.processInfo.environment
        // `HOME` decides, as for the manager itself; Foundation asks the list of users first.
        let home =
            EnvironmentFolders(environment)["HOME"].map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.homeDirectoryForCurrentUser
        #if os(macOS)
        let manager: any ServiceManager = Launchd(home: home, user: getuid(), command: .system)
        #else
        let manager: any ServiceManager = Systemd(home: home, environment: environment, command: .system)
        #endif
        let folder = BreezePaths(environment: environment).data
        return HubService(manager) {
            HubLock.running(folder).map { place in
                HubService.RunningHub(
                    process: place.process,
                    address: place.address,
                    socket: place.socket
                )
            }
        }
    }

    static func report(_ change: ServiceChange, json: Bool) throws {
        if json { return try JSONText.print(change) }
        switch change.outcome {
        case "installed":
            try Console.print("\(change.file.printable) is written.")
            if change.isStarted {
                let address = change.hub?.address.map { ", at \($0)" } ?? ""
                try Console.print("The hub runs\(address), and starts whenever you log in.")
            } else {
                try Console.print("Nothing is started.")
            }
        case "uninstalled": try Console.print("\(change.file.printable) is removed.")
        default: try Console.print("No service is installed.")
        }
        for note in change.notes { Console.printError("note: \(note.printable)") }
    }

    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the service's file, and start the hub, now and at each login.",
            discussion: """
                What follows -- are options of breeze serve. Installing again takes up new ones. BREEZE_HOME, \
                and where else Breeze keeps things, are those of this shell.

                Examples:
                  breeze service install
                  breeze service install --no-start
                  breeze service install -- --mock --set hub.auditDays=30
                """
        )
        @OptionGroup var output: OutputOptions
        @Flag(
            name: .customLong("no-start"),
            help: "Write the file alone; nothing is started, now or at login."
        )
        var noStart = false
        @Flag(help: "Replace a file that somebody else wrote.") var force = false
        @Argument(
            parsing: .postTerminator,
            help: ArgumentHelp("Options of breeze serve.", valueName: "option")
        )
        var options: [String] = []

        func validate() throws {
            let serve: ServeCommand
            do { serve = try ServeCommand.parse(options) } catch {
                throw ValidationError("breeze serve: \(ServeCommand.message(for: error))")
            }
            let paths = [serve.tlsCertificate, serve.tlsKey, serve.socket == "none" ? nil : serve.socket]
            for path in paths.compactMap({ $0 }) where !path.hasPrefix("/") {
                throw ValidationError("A service runs in no folder of yours: give the whole path of \(path).")
            }
        }

        func run() async throws {
            let program = try ServiceProgram(
                executable: URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0]),
                arguments: ["serve"] + options,
                environment: ServiceProgram.environment(of: ProcessInfo.processInfo.environment)
            )
            let change = try await ServiceCommand.service()
                .install(program, starts: !noStart, force: force)
            try ServiceCommand.report(change, json: output.json)
        }
    }

    struct Uninstall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop the hub that the system started, and remove the service's file."
        )
        @OptionGroup var output: OutputOptions

        func run() async throws {
            try ServiceCommand.report(try await ServiceCommand.service().uninstall(), json: output.json)
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "See whether the service is installed, and whether a hub runs."
        )
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let status = try await ServiceCommand.service().status()
            if output.json { return try JSONText.print(status) }
            try Console.print(ServiceText.lines(status).joined(separator: "\n"))
        }
    }
}
