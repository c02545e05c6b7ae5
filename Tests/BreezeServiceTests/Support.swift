import BreezeCore
import BreezeService
import BreezeTestSupport
import Foundation
import Synchronization

/// A program with everything in its words that a file of a service gives a meaning to.
func program(
    _ executable: URL = URL(filePath: "/usr/bin/breeze"),
    _ arguments: [String] = ["serve"],
    _ environment: [String: String] = [:]
) throws -> ServiceProgram {
    try ServiceProgram(executable: executable, arguments: arguments, environment: environment)
}

/// Answers what it was told to, and keeps what it was asked.
final class ScriptedSystem: Sendable {
    private let asked = Mutex<[String]>([])
    private let answers: [String: SystemCommand.Outcome]

    /// By how the whole line ends; others end well and say nothing.
    init(_ answers: [String: SystemCommand.Outcome] = [:]) {
        self.answers = answers
    }

    var lines: [String] { asked.withLock { $0 } }

    var command: SystemCommand {
        SystemCommand { name, arguments in
            let line = ([name] + arguments).joined(separator: " ")
            self.asked.withLock { $0.append(line) }
            return self.answers.first { line.hasSuffix($0.key) }?.value ?? SystemCommand.Outcome(code: 0)
        }
    }
}

/// A user's home, with a systemd that is scripted.
struct Home {
    let folder: ScratchFolder
    let system: ScriptedSystem
    let systemd: Systemd

    init(_ answers: [String: SystemCommand.Outcome] = [:], _ environment: [String: String] = [:]) throws {
        folder = try ScratchFolder()
        system = ScriptedSystem(answers)
        systemd = Systemd(home: folder.url, environment: environment, command: system.command)
    }

    var file: URL { folder.url.appending(path: ".config/systemd/user/breeze.service") }
    var text: String? { try? String(contentsOf: file, encoding: .utf8) }

    func service(hub: HubService.RunningHub? = nil) -> HubService { HubService(systemd) { hub } }
}

/// What systemctl says where no manager of the user runs: `systemctl --user show --property=Version` in a
/// container.
let noManager = SystemCommand.Outcome(code: 1, output: "Failed to connect to bus: No medium found\n")

func failure(_ body: () async throws -> Void) async -> BreezeError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? BreezeError
    }
}
