import BreezeService

/// The state of the service, for a person.
enum ServiceText {
    static func lines(_ status: ServiceStatus) -> [String] {
        let file = status.file.printable
        let installed =
            switch status.owner {
            case .nobody: "Not installed: breeze service install"
            case .breeze: "Installed for \(status.manager): \(file)"
            case .other: "Not installed, and \(file) is there, written by somebody else."
            }
        return [installed, managed(status), hub(status)].compactMap { $0 }
    }

    private static func managed(_ status: ServiceStatus) -> String? {
        if let absence = status.absence { return "Not looked after: \(absence.printable)." }
        guard let state = status.activity else { return nil }
        let login = status.isEnabled.map { $0 ? "; starts at login" : "; does not start at login" } ?? ""
        return "State: \(state.printable)\(login)"
    }

    private static func hub(_ status: ServiceStatus) -> String {
        guard let hub = status.hub else { return "No hub of this home runs." }
        let address = hub.address.map { " at \($0.printable)" } ?? ""
        let byWhom = status.process == hub.process ? "as the service" : "started by hand"
        return "A hub of this home runs\(address) (process \(hub.process), \(byWhom))."
    }
}
