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
              breeze service install --url-handler            breezeapp:// is opened by Breeze, too
              breeze service install -- --port 4000 --socket none
              breeze service status
              breeze service uninstall
            """,
        subcommands: [Install.self, Uninstall.self, Status.self]
    )

    /// `HOME` decides, as for the manager itself; Foundation asks the list of users first.
    private static func home(_ environment: [String: String]) -> URL {
        EnvironmentFolders(environment)["HOME"].map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.homeDirectoryForCurrentUser
    }

    /// What the desktop opens `breezeapp://` with; `nil` where that is an app bundle's to say.
    static func urlHandler() -> URLHandler? {
        #if os(Linux)
        let environment = ProcessInfo.processInfo.environment
        return URLHandler(home: home(environment), environment: environment, command: .system)
        #else
        return nil
        #endif
    }

    static func report(_ change: URLHandler.Change) throws {
        switch change.outcome {
        case "installed": try Console.print("\(change.file.printable) is written: Breeze opens breezeapp://.")
        case "uninstalled": try Console.print("\(change.file.printable) is removed.")
        default: break
        }
        for note in change.notes { Console.printError("note: \(note.printable)") }
    }

    /// For this user and this home.
    static func service() -> HubService {
        let environment = ProcessInfo.processInfo.environment
        let home = home(environment)
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

    /// For scripts: the service's own fields, and beside them how the URL handler stands.
    private struct Report<Service: Encodable, Handler: Encodable>: Encodable {
        let service: Service
        let urlHandler: Handler?

        private enum CodingKeys: String, CodingKey { case urlHandler }

        func encode(to encoder: any Encoder) throws {
            try service.encode(to: encoder)
            var values = encoder.container(keyedBy: CodingKeys.self)
            try values.encodeIfPresent(urlHandler, forKey: .urlHandler)
        }
    }

    private static func report(_ change: ServiceChange) throws {
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
            commandName: "install",
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
        @Flag(help: "Have the desktop open breezeapp:// with Breeze, too.") var urlHandler = false
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
            let handler = urlHandler ? try await installHandler() : nil
            let change = try await ServiceCommand.service()
                .install(try program(["serve"] + options), starts: !noStart, force: force)
            if output.json { return try JSONText.print(Report(service: change, urlHandler: handler)) }
            if let handler { try ServiceCommand.report(handler) }
            try ServiceCommand.report(change)
        }

        private func installHandler() async throws -> URLHandler.Change {
            guard let handler = ServiceCommand.urlHandler() else {
                throw BreezeError(
                    .unavailable,
                    "On this system an app bundle says which URLs it opens, and no command does.",
                    remedy: "Leave --url-handler out."
                )
            }
            return try await handler.install(try program(["open"]), force: force)
        }

        private func program(_ arguments: [String]) throws -> ServiceProgram {
            try ServiceProgram(
                executable: URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0]),
                arguments: arguments,
                environment: ServiceProgram.environment(of: ProcessInfo.processInfo.environment)
            )
        }
    }

    struct Uninstall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "uninstall",
            abstract: "Stop the hub that the system started, and remove the service's file."
        )
        @OptionGroup var output: OutputOptions

        func run() async throws {
            var handler: URLHandler.Change?
            // Somebody else's stays, and is no reason to keep the service.
            if let ours = ServiceCommand.urlHandler(), try ours.file.owner != .other {
                handler = try await ours.uninstall()
            }
            let change = try await ServiceCommand.service().uninstall()
            if output.json { return try JSONText.print(Report(service: change, urlHandler: handler)) }
            if let handler { try ServiceCommand.report(handler) }
            try ServiceCommand.report(change)
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "See whether the service is installed, and whether a hub runs."
        )
        @OptionGroup var output: OutputOptions

        func run() async throws {
            let status = try await ServiceCommand.service().status()
            let handles = try ServiceCommand.urlHandler()?.isInstalled
            if output.json { return try JSONText.print(Report(service: status, urlHandler: handles)) }
            try Console.print(ServiceText.lines(status).joined(separator: "\n"))
            if handles == true { try Console.print("Breeze opens breezeapp://.") }
        }
    }
}
