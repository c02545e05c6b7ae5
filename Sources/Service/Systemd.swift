import BreezeCore
package import Foundation

/// The systemd of a user.
package struct Systemd: ServiceManager {
    package let name = "systemd"
    package let file: ServiceFile
    private let command: SystemCommand

    /// `environment` tells where the user's units lie: `XDG_CONFIG_HOME`, else `.config` of `home`.
    package init(home: URL, environment: [String: String], command: SystemCommand) {
        let configuration = environment["XDG_CONFIG_HOME"].flatMap { path in
            // A path that is not whole counts as not set.
            path.hasPrefix("/") ? URL(filePath: path, directoryHint: .isDirectory) : nil
        }
        let folder = (configuration ?? home.appending(path: ".config")).appending(path: "systemd/user")
        file = ServiceFile(url: folder.appending(path: SystemdUnit.name, directoryHint: .notDirectory))
        self.command = command
    }

    package func text(_ program: ServiceProgram) -> String { SystemdUnit.text(program) }

    package func absence() async throws -> String? {
        let outcome = try await ask(["show", "--property=Version"])
        switch outcome.code {
        case 0: return nil
        case 127: return "this system has no systemctl"
        default:
            let said = outcome.output.split(separator: "\n").first.map(String.init) ?? "systemctl fails"
            return "the user's systemd does not answer (\(said.prefix(200)))"
        }
    }

    package func reload() async throws { try await order(["daemon-reload"]) }

    package func start() async throws {
        try await order(["enable", SystemdUnit.name])
        // Starts what does not run, and gives what runs its new options. Returns when the hub says that it is
        // ready.
        try await order(["restart", SystemdUnit.name])
    }

    package func stop() async throws { try await order(["disable", "--now", SystemdUnit.name]) }

    package func state() async throws -> ServiceState {
        let outcome = try await ask(
            ["show", "--property=ActiveState,UnitFileState,MainPID", SystemdUnit.name]
        )
        guard outcome.code == 0 else { throw fault(outcome) }
        let lines = outcome.output.split(separator: "\n").map { line in
            let pair = line.split(separator: "=", maxSplits: 1).map(String.init)
            return (pair[0], pair.count > 1 ? pair[1] : "")
        }
        let values = Dictionary(lines) { first, _ in first }
        return ServiceState(
            isEnabled: values["UnitFileState"].flatMap { $0.isEmpty ? nil : $0.hasPrefix("enabled") },
            activity: values["ActiveState"] ?? "unknown",
            process: values["MainPID"].flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
        )
    }

    /// What `enable` made: a link, and nothing else is removed.
    package func removeTraces() throws {
        let wants = file.url.deletingLastPathComponent().appending(path: "default.target.wants")
        let link = wants.appending(path: SystemdUnit.name, directoryHint: .notDirectory)
        var status = stat()
        guard lstat(link.path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
        unlink(link.path)
    }

    package let advice =
        "Log in so that systemd runs for you (loginctl enable-linger starts it without a login), then: "
        + "systemctl --user enable --now breeze. Or run the hub yourself: breeze serve"

    package let hint = "It runs while you are logged in; for longer: loginctl enable-linger"

    private func ask(_ arguments: [String]) async throws -> SystemCommand.Outcome {
        try await command.run("systemctl", ["--user", "--no-pager"] + arguments)
    }

    private func order(_ arguments: [String]) async throws {
        let outcome = try await ask(arguments)
        guard outcome.code == 0 else { throw fault(outcome) }
    }

    private func fault(_ outcome: SystemCommand.Outcome) -> BreezeError {
        .service(name, outcome, remedy: "See why: journalctl --user -u breeze")
    }
}
