import BreezeCore
import BreezeFiles
package import Foundation

/// The launchd of a user who is logged in.
package struct Launchd: ServiceManager {
    package let name = "launchd"
    package let file: ServiceFile
    private let log: URL
    private let domain: String
    private let command: SystemCommand

    package init(home: URL, user: UInt32, command: SystemCommand) {
        let agents = home.appending(path: "Library/LaunchAgents", directoryHint: .isDirectory)
        file = ServiceFile(
            url: agents.appending(path: "\(LaunchAgent.label).plist", directoryHint: .notDirectory)
        )
        log = home.appending(path: "Library/Logs/Breeze/hub.log", directoryHint: .notDirectory)
        domain = "gui/\(user)"
        self.command = command
    }

    private var target: String { "\(domain)/\(LaunchAgent.label)" }

    package func text(_ program: ServiceProgram) -> String { LaunchAgent.text(program, log: log) }

    package func absence() async throws -> String? {
        let outcome = try await ask(["print", domain])
        switch outcome.code {
        case 0: return nil
        case 127: return "this system has no launchctl"
        default: return "launchd has no session of yours: you are not logged in at the screen"
        }
    }

    /// launchd reads a file when it starts the agent.
    package func reload() async throws {}

    package func start() async throws {
        try Folder.make(log.deletingLastPathComponent())
        try await order(["enable", target])
        // An agent that is loaded keeps the options that it was loaded with.
        if try await isLoaded { try await order(["bootout", target]) }
        try await order(["bootstrap", domain, file.url.path(percentEncoded: false)])
    }

    package func stop() async throws {
        if try await isLoaded { try await order(["bootout", target]) }
    }

    package func state() async throws -> ServiceState {
        let disabled = try await ask(["print-disabled", domain])
        let isDisabled = disabled.output.split(separator: "\n").contains { line in
            line.contains("\"\(LaunchAgent.label)\"")
                && (line.hasSuffix("=> disabled") || line.hasSuffix("=> true"))
        }
        let agent = try await ask(["print", target])
        guard agent.code == 0 else { return ServiceState(isEnabled: !isDisabled, activity: "not loaded") }
        let pairs = agent.output.split(separator: "\n").compactMap { line -> (String, String)? in
            let pair = line.components(separatedBy: " = ")
            guard pair.count == 2 else { return nil }
            return (pair[0].trimmingCharacters(in: .whitespaces), pair[1])
        }
        // What launchd starts the agent for has pairs of the same names, further down.
        let values = Dictionary(pairs) { first, _ in first }
        return ServiceState(
            isEnabled: !isDisabled,
            activity: values["state"] ?? "unknown",
            process: values["pid"].flatMap { Int32($0) }
        )
    }

    package func removeTraces() throws {}

    package let advice =
        "Log in at the screen, and launchd starts it. Or run the hub yourself: breeze serve"

    package var hint: String {
        "It runs while you are logged in. Its log: \(log.path(percentEncoded: false))"
    }

    private var isLoaded: Bool {
        get async throws { try await ask(["print", target]).code == 0 }
    }

    private func ask(_ arguments: [String]) async throws -> SystemCommand.Outcome {
        try await command.run("launchctl", arguments)
    }

    private func order(_ arguments: [String]) async throws {
        let outcome = try await ask(arguments)
        guard outcome.code == 0 else {
            throw BreezeError.service(name, outcome, remedy: "See why: launchctl print \(target)")
        }
    }
}
