import BreezeCore
import Foundation

/// The hub as a service of the system: installed, looked at, and taken away.
package struct HubService: Sendable {
    /// A hub of this home, started by whomever.
    package struct RunningHub: Sendable, Encodable, Equatable {
        package var process: Int32
        package var address: String?
        package var socket: String?

        package init(process: Int32, address: String? = nil, socket: String? = nil) {
            (self.process, self.address, self.socket) = (process, address, socket)
        }
    }

    private let manager: any ServiceManager
    private let runningHub: @Sendable () throws -> RunningHub?

    /// `runningHub` looks for a hub of this home.
    package init(
        _ manager: any ServiceManager,
        runningHub: @escaping @Sendable () throws -> RunningHub?
    ) {
        self.manager = manager
        self.runningHub = runningHub
    }

    /// Writes the service's file, and starts the hub where `starts`.
    /// - Throws: ``BreezeError/Code/invalidRequest`` where the file is somebody else's and nothing is
    ///   `force`d, ``BreezeError/Code/busy`` where a hub runs that is no service,
    ///   ``BreezeError/Code/unavailable`` where the file is written and no manager answers.
    package func install(_ program: ServiceProgram, starts: Bool, force: Bool) async throws -> ServiceChange {
        let absence = try await manager.absence()
        if starts, absence == nil { try await checkNobodyElseRuns() }
        try manager.file.write(manager.text(program), force: force)
        var change = ServiceChange(manager, "installed")
        if let absence {
            guard !starts else {
                throw BreezeError(
                    .unavailable,
                    "\(change.file) is written, and nothing is started: \(absence).",
                    remedy: manager.advice
                )
            }
            change.notes = ["\(absence). \(manager.advice)"]
            return change
        }
        try await manager.reload()
        guard starts else { return change }
        try await manager.start()
        change.isStarted = true
        change.hub = try runningHub()
        change.notes = [manager.hint]
        return change
    }

    /// Two hubs of one home exclude each other: the service would be started again and again.
    private func checkNobodyElseRuns() async throws {
        guard let hub = try runningHub() else { return }
        let ours = try manager.file.owner == .breeze ? try await manager.state().process : nil
        guard hub.process != ours else { return }
        throw BreezeError(
            .busy,
            "A hub runs already for this home (process \(hub.process)), and is no service.",
            remedy: "Stop it and install again; or install for later: breeze service install --no-start"
        )
    }

    /// Stops the hub that the manager started, and removes the service's file. Where there is none, nothing
    /// happens.
    package func uninstall() async throws -> ServiceChange {
        try manager.file.checkIsOurs()
        guard try manager.file.owner == .breeze else { return ServiceChange(manager, "not installed") }
        let absence = try await manager.absence()
        if absence == nil { try await manager.stop() }
        try manager.file.remove()
        try manager.removeTraces()
        var change = ServiceChange(manager, "uninstalled")
        if let absence {
            change.notes = ["\(absence): a hub that runs goes on."]
        } else {
            try await manager.reload()
        }
        return change
    }

    package func status() async throws -> ServiceStatus {
        let absence = try await manager.absence()
        let owner = try manager.file.owner
        let state = absence == nil && owner != .nobody ? try await manager.state() : nil
        return ServiceStatus(
            manager: manager.name,
            absence: absence,
            file: manager.file.url.path(percentEncoded: false),
            isInstalled: owner == .breeze,
            owner: owner,
            isEnabled: state?.isEnabled,
            activity: state?.activity,
            process: state?.process,
            hub: try runningHub()
        )
    }
}
