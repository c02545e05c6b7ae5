import BreezeCore
import BreezeTransport
import Foundation

/// The one way out of the device, with the ledger that says what went that way.
enum OutgoingTransport {
    static func make(environment: [String: String]) throws -> any HTTPTransport {
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
            ledger: EgressLedger(url: folder.appending(path: "egress.jsonl")),
            version: BreezeVersion.current,
            settings: TransportSettings(environment: environment)
        )
    }
}
