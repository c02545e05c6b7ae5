import BreezeCore

/// What starts services on a system: systemd, or launchd.
package protocol ServiceManager: Sendable {
    /// `systemd`
    var name: String { get }
    /// What it reads about the hub.
    var file: ServiceFile { get }

    func text(_ program: ServiceProgram) -> String
    /// `nil` where the manager answers; else why it does not.
    func absence() async throws -> String?
    /// Makes it read what changed.
    func reload() async throws
    /// Starts the hub, anew where it runs, now and whenever the user logs in.
    func start() async throws
    /// Ends the hub, now and for later logins.
    func stop() async throws
    func state() async throws -> ServiceState
    /// Takes away what starting left beside the file, where the manager could not be asked to.
    func removeTraces() throws

    /// What to do by hand, where the manager does not answer.
    var advice: String { get }
    /// What a person may want to know once the hub is installed.
    var hint: String { get }
}

/// What a manager says about the hub.
package struct ServiceState: Sendable, Equatable {
    /// Whether it starts at login; `nil` where the manager does not say.
    package var isEnabled: Bool?
    /// In the manager's own word: `active`, `failed`.
    package var activity: String
    package var process: Int32?

    package init(isEnabled: Bool? = nil, activity: String, process: Int32? = nil) {
        (self.isEnabled, self.activity, self.process) = (isEnabled, activity, process)
    }
}

extension BreezeError {
    /// The manager answered, and did not do what it was asked.
    static func service(_ manager: String, _ outcome: SystemCommand.Outcome, remedy: String) -> BreezeError {
        let said = outcome.output.split(separator: "\n").prefix(3).joined(separator: " ")
        return BreezeError(
            .runFailed,
            "\(manager) did not do it: \(said.isEmpty ? "exit code \(outcome.code)" : said)",
            remedy: remedy
        )
    }
}
