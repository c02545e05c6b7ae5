import Foundation

/// What installing or uninstalling did.
package struct ServiceChange: Sendable, Encodable {
    /// `installed`, `uninstalled`, `not installed`.
    package let outcome: String
    package let manager: String
    package let file: String
    package internal(set) var isStarted = false
    /// Once it is started.
    package internal(set) var hub: HubService.RunningHub?
    /// What a person should know or do.
    package internal(set) var notes: [String] = []

    private enum CodingKeys: String, CodingKey {
        case outcome, manager, file, hub, notes
        case isStarted = "started"
    }

    init(_ manager: any ServiceManager, _ outcome: String) {
        (self.manager, self.outcome) = (manager.name, outcome)
        file = manager.file.url.path(percentEncoded: false)
    }
}

package struct ServiceStatus: Sendable, Encodable {
    package let manager: String
    /// Why the manager does not answer; `nil` where it does.
    package let absence: String?
    package let file: String
    /// By `breeze service install`.
    package let isInstalled: Bool
    package let owner: ServiceFile.Owner
    /// `nil` where the manager does not say, or nothing is there to ask about; so with the two below.
    package let isEnabled: Bool?
    package let activity: String?
    package let process: Int32?
    /// A hub of this home that runs, started by whomever.
    package let hub: HubService.RunningHub?

    private enum CodingKeys: String, CodingKey {
        case manager, file, owner, process, hub
        case absence = "unreachable"
        case isInstalled = "installed"
        case isEnabled = "enabled"
        case activity = "state"
    }
}
