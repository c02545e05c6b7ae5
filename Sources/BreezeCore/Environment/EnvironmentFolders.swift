/// The folders that environment variables name, by the XDG rules: only an absolute path counts.
package struct EnvironmentFolders: Sendable {
    private let environment: [String: String]

    package init(_ environment: [String: String]) {
        self.environment = environment
    }

    package subscript(variable: String) -> String? {
        environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// What set-up fills; `nil` where the environment names no home.
    package var cache: String? {
        self["BREEZE_CACHE"] ?? self["XDG_CACHE_HOME"].map { "\($0)/breeze" }
            ?? self["HOME"].map { "\($0)/.cache/breeze" }
    }
}
