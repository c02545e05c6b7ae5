package import BreezeCore

/// What an app asks for, or what it was allowed.
package struct AppScopes: Hashable, Sendable {
    /// How far an app may go with a capability.
    package enum Reach: String, Codable, Sendable {
        case onDevice
        /// A network runner may answer, where the owner consented to that runner besides.
        case networkAllowed
    }

    package enum Special: String, Codable, Sendable, CaseIterable {
        /// Pulling, deleting and copying models.
        case models
    }

    package var capabilities: [AICapability: Reach]
    package var special: Set<Special>

    package init(_ capabilities: [AICapability: Reach] = [:], special: Set<Special> = []) {
        self.capabilities = capabilities
        self.special = special
    }

    package static let none = AppScopes()

    /// Whether this allows all that `other` does.
    package func covers(_ other: AppScopes) -> Bool {
        special.isSuperset(of: other.special)
            && other.capabilities.allSatisfy { capability, reach in
                capabilities[capability].map { $0 == .networkAllowed || reach == .onDevice } ?? false
            }
    }

    /// - Throws: ``BreezeError`` `.invalidRequest` for what a stranger may not call a capability.
    func checked() throws -> AppScopes {
        guard capabilities.count <= 32 else {
            throw AccessFault.invalid("More than 32 capabilities are named.")
        }
        for capability in capabilities.keys {
            let isName =
                !capability.rawValue.isEmpty && capability.rawValue.utf8.count <= 40
                && capability.rawValue.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F || $0 == 0x2D
                }
            guard isName else {
                let shown = UntrustedText.cleaned(capability.rawValue, limit: 40)
                let known = AICapability.standard.map(\.rawValue).joined(separator: ", ")
                throw AccessFault.invalid(
                    "There is no capability '\(shown)'.",
                    remedy: "There are: \(known)."
                )
            }
        }
        return self
    }
}

/// `{"capabilities": {"chat": "onDevice"}, "special": ["models"]}`
extension AppScopes: Codable {
    private enum CodingKeys: String, CodingKey { case capabilities, special }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let named = try values.decodeIfPresent([String: Reach].self, forKey: .capabilities) ?? [:]
        capabilities = Dictionary(named.map { (AICapability(rawValue: $0), $1) }) { first, second in
            // `vlm` and `vision` are one: the lesser of the two holds.
            first == second ? first : .onDevice
        }
        special = try values.decodeIfPresent(Set<Special>.self, forKey: .special) ?? []
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        let named = Dictionary(uniqueKeysWithValues: capabilities.map { ($0.rawValue, $1) })
        try values.encode(named, forKey: .capabilities)
        try values.encode(special.sorted { $0.rawValue < $1.rawValue }, forKey: .special)
    }
}
