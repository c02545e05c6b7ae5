import BreezeCore
import BreezeEngine
import BreezeSecrets
import BreezeTransport
import Foundation

/// The credentials of this user.
enum Credentials {
    static func service(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> SecretsService {
        SecretsService(environment: environment, folder: BreezePaths(environment: environment).secrets)
    }

    /// - Throws: ``BreezeError`` where the user wants nothing to leave the device.
    static func check(flags: [String]) throws -> SecretCheck {
        let environment = ProcessInfo.processInfo.environment
        let settings = settingsStore(flags: flags)
        guard try !settings.current().isOffline else {
            throw BreezeError.resourceUnavailable(
                "No service is asked, since privacy.offline is set.",
                remedy: "Allow it for one call: --set privacy.offline=false"
            )
        }
        let transport = try OutgoingTransport.make(environment: environment, settings: settings)
        return KeyProbe.check(environment: environment) { probe in
            var request = HTTPRequest("GET", probe.url, purpose: .credentialCheck)
            request.headers["Accept"] = "application/json"
            request.headers[probe.header] = probe.value.reveal()
            let response = try await transport.send(request)
            return KeyProbe.Answer(
                status: response.status,
                body: try await response.body.collect(upTo: longestAnswer)
            )
        }
    }

    /// OpenAI's list of models is the longest of the answers.
    private static let longestAnswer = 1 << 20
}

extension [SecretStoreStatus] {
    /// Which store is in use, and why the others are not.
    var lines: [String] {
        let used = first(where: \.isInUse).map { "New secrets go into \($0.source)." }
        let others = filter { $0.state != .ready }.map { store in
            let name = store.source.description
            let reason = store.reason ?? "nobody knows why"
            let begin = "\(name.prefix(1).uppercased() + name.dropFirst()) is not used: \(reason)"
            return begin.hasSuffix(".") ? begin : begin + "."
        }
        return [used ?? "New secrets cannot be kept."] + others
    }
}
