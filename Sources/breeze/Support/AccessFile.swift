import BreezeAccess
import BreezeCore
import BreezeEngine
import BreezeHub
import Foundation

/// Who may use the hub: one file for the hub and for the commands beside it.
enum AccessFile {
    @concurrent
    static func open(
        _ paths: BreezePaths,
        _ settings: EngineSettings,
        isOpen: Bool = false
    ) async throws -> AccessControl {
        var access = AccessSettings()
        access.isOpen = isOpen
        access.retention.days = settings.hubAuditDays
        return try AccessControl(
            paths.data.appending(path: "access/access.sqlite"),
            settings: access,
            calendar: { .autoupdatingCurrent }
        )
    }

    /// For a command.
    static func open() async throws -> AccessControl {
        let environment = ProcessInfo.processInfo.environment
        let paths = BreezePaths(environment: environment)
        let settings = try SettingsStore(file: paths.settings, environment: environment).current()
        return try await open(paths, settings)
    }
}
