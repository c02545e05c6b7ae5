import BreezeCore
package import Foundation

/// What a service manager starts.
package struct ServiceProgram: Sendable {
    package let executable: URL
    package let arguments: [String]
    /// What it needs of the environment of whoever installs it, whose login shell the manager does not run.
    /// Readable in the service's file: never a secret.
    package let environment: [String: String]

    /// - Throws: ``BreezeError/Code/invalidRequest`` where no manager can be told one of them.
    package init(executable: URL, arguments: [String], environment: [String: String]) throws {
        let path = executable.path(percentEncoded: false)
        // systemd starts no program with these in its path.
        guard path.hasPrefix("/"),
            !path.unicodeScalars.contains(where: { #""'\"#.unicodeScalars.contains($0) })
        else {
            throw BreezeError(
                .invalidRequest,
                "No service can be made of \(path): the path is not whole, or has quotes or backslashes.",
                remedy: "Move the program to a folder with a plain name."
            )
        }
        for text in [path] + arguments + environment.values
        where text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw BreezeError(
                .invalidRequest,
                "A service cannot be told an argument or a folder with control characters in it.",
                remedy: "Leave it out."
            )
        }
        (self.executable, self.arguments, self.environment) = (executable, arguments, environment)
    }

    /// What tells where Breeze keeps things; the rest of the environment is the manager's.
    package static func environment(of environment: [String: String]) -> [String: String] {
        let names = ["BREEZE_HOME", "BREEZE_CACHE", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"]
        return environment.filter { names.contains($0.key) && !$0.value.isEmpty }
    }
}
