import BreezeCore
import BreezeEngine
import BreezeTransport
import Foundation

/// The one way out of the device, with the ledger that says what went that way and the switch that closes it.
enum OutgoingTransport {
    /// The `privacy.offline` of `settings` is the switch, looked up each time anew; `client` is whom a request is for
    /// that does not say.
    static func make(
        environment: [String: String],
        settings: any SettingsSource,
        client: EgressClient = .owner
    ) throws -> any HTTPTransport {
        let folder = BreezePaths(environment: environment).data
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw BreezeError(
                .inputOutput,
                "The folder \(folder.path), where outgoing connections are recorded, cannot be made.",
                remedy: "Check the permissions, or set BREEZE_HOME to another folder.",
                underlying: error
            )
        }
        return try AsyncHTTPTransport(
            ledger: ledger(environment: environment),
            version: BreezeVersion.current,
            settings: TransportSettings(environment: environment),
            egress: EgressSwitch { try settings.current().isOffline },
            client: client
        )
    }

    static func ledger(environment: [String: String]) -> EgressLedger {
        EgressLedger(url: BreezePaths(environment: environment).data.appending(path: "egress.jsonl"))
    }
}
