package import Foundation

/// Where Breeze keeps what belongs to the user: `BREEZE_HOME` where it is set, else the XDG folders, on Apple
/// Application Support.
package struct BreezePaths: Sendable {
    /// What the model store lives in.
    package let data: URL
    package let settings: URL
    /// Where the sealed file of secrets lies.
    package var secrets: URL { data.appending(path: "secrets", directoryHint: .isDirectory) }

    package init(environment: [String: String]) {
        if let home = environment["BREEZE_HOME"], !home.isEmpty {
            let folder = URL(fileURLWithPath: home, isDirectory: true)
            self.init(data: folder, configuration: folder)
            return
        }
        #if canImport(Darwin)
        let folder = URL.applicationSupportDirectory.appending(path: "Breeze", directoryHint: .isDirectory)
        self.init(data: folder, configuration: folder)
        #else
        self.init(
            data: Self.xdg("XDG_DATA_HOME", else: ".local/share", environment),
            configuration: Self.xdg("XDG_CONFIG_HOME", else: ".config", environment)
        )
        #endif
    }

    private init(data: URL, configuration: URL) {
        self.data = data
        settings = configuration.appending(path: "settings.json", directoryHint: .notDirectory)
    }

    private static func xdg(_ variable: String, else fallback: String, _ environment: [String: String]) -> URL
    {
        let folders = EnvironmentFolders(environment)
        let base =
            folders[variable].map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? folders["HOME"].map { URL(fileURLWithPath: $0, isDirectory: true).appending(path: fallback) }
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: fallback)
        return base.appending(path: "breeze", directoryHint: .isDirectory)
    }
}
