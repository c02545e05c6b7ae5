#if os(Linux)
package import BreezeCore
import Foundation

/// The desktop's own: `gio open`, which needs no display, else `xdg-open`.
///
/// The URL is one argument of a program, and no shell reads it.
package struct GIOOpener: URLOpener {
    /// Names, looked for in `PATH`, and what stands before the URL.
    private static let commands = [["gio", "open"], ["xdg-open"]]

    private let environment: [String: String]

    /// `environment` is that of the programs: it tells the desktop's session, and where its files lie.
    package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
    }

    package func open(_ url: String) async throws(BreezeError) {
        var said: [String] = []
        for command in Self.commands {
            let code = await run(command + [url])
            if code == 0 { return }
            said.append("\(command[0]): \(Self.words(code))")
        }
        throw OpenerFault.nobody(url, said.joined(separator: ", "))
    }

    private static func words(_ code: Int32) -> String {
        switch code {
        case notStarted: "not there"
        case ..<0: "ended by signal \(-code)"
        default: "exit code \(code)"
        }
    }

    private static let notStarted: Int32 = 127

    /// - Returns: The exit code, or the negative number of the signal that ended it.
    private func run(_ words: [String]) async -> Int32 {
        await withCheckedContinuation { continuation in
            // Whoever is opened may be slow to start, and the pool's threads are for work that does not wait.
            let thread = Thread { continuation.resume(returning: live(words)) }
            thread.name = "open"
            thread.start()
        }
    }

    /// `posix_spawnp` would look in the `PATH` of this process.
    private func program(_ name: String) -> String? {
        (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map { "\($0)/\(name)" }
            .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }

    /// Not Foundation's `Process`: what a shell script starts may keep its channel open long after the script ended,
    /// and its end would be waited for.
    private func live(_ words: [String]) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        // What it says when it fails holds the whole URL.
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // What ends this process from its terminal does not end the app that was opened.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        guard let program = program(words[0]),
            posix_spawn(&process, program, &actions, &attributes, arguments, variables) == 0
        else { return Self.notStarted }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return Self.notStarted }
        }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : -signal
    }
}
#endif
