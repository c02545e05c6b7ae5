import ArgumentParser
import BreezeAccess
import BreezeCore
import Foundation

/// What an app is allowed, as a person writes it.
struct AppTerms: ParsableArguments {
    @Option(help: ArgumentHelp("A capability that it may use; may be repeated.", valueName: "capability"))
    var allow: [String] = []
    @Flag(help: "Network runners that you consented to may answer it, too.") var network = false
    @Flag(help: "It may pull, copy and delete models.") var models = false
    @Option(help: "Requests a day.") var requests: Int?
    @Option(help: "Tokens a day, in and out.") var tokens: Int?
    @Option(help: "Minutes of compute a day.") var minutes: Double?
    @Option(help: "Days until it ends.") var days: Double?

    func validate() throws {
        if let days, !(days > 0 && days < 36_500) { throw ValidationError("--days takes a number above 0.") }
    }

    func approval(default usual: AppScopes) throws -> AppApproval {
        var scopes = usual
        if !allow.isEmpty {
            let known = AICapability.standard
            scopes.capabilities = [:]
            for word in allow {
                let capability = AICapability(rawValue: word)
                guard known.contains(capability) else {
                    let near = nearestName(to: word, in: known.map(\.rawValue))
                    throw BreezeError(
                        .unknownCapability,
                        "There is no capability \"\(word.prefix(40))\".",
                        remedy: near.map { "Did you mean \($0)?" }
                            ?? "There are: \(known.map(\.rawValue).joined(separator: ", "))."
                    )
                }
                scopes.capabilities[capability] = .onDevice
            }
        }
        if network { scopes.capabilities = scopes.capabilities.mapValues { _ in .networkAllowed } }
        if models { scopes.special.insert(.models) }
        return AppApproval(
            scopes,
            quota: Quota(requests: requests, tokens: tokens, computeMinutes: minutes),
            expires: days.map { Date(timeIntervalSinceNow: $0 * 86_400) }
        )
    }
}

extension AppScopes {
    /// `chat, embedding (network too), models`
    var words: String {
        let names = capabilities.sorted { $0.key.rawValue < $1.key.rawValue }.map { capability, reach in
            capability.rawValue + (reach == .networkAllowed ? " (network too)" : "")
        }
        let all = names + special.map(\.rawValue).sorted()
        return all.isEmpty ? "nothing" : all.joined(separator: ", ").printable
    }
}
