package import BreezeCore

/// What a client shows.
package enum Credential: Sendable {
    case none
    /// What came as `Authorization: Bearer …`.
    case bearer(String)
    /// What the control panel sends.
    case ownerToken(String)
}

/// Where a client is.
package enum Caller: Hashable, Sendable {
    case loopback
    /// The uid labels the audit log and allows nothing.
    case unixSocket(uid: UInt32)
    case network

    var uid: UInt32? {
        if case .unixSocket(let uid) = self { uid } else { nil }
    }
}

/// What a request needs to be allowed.
package enum AccessNeed: Hashable, Sendable {
    /// An answer. With `.network` it is refused where a network runner may not give it, with `.onDevice` none
    /// will; with `nil` it goes as far as the app may.
    case inference(AICapability, Locality? = nil)
    /// Names of models and what they can do.
    case listing
    /// Pulling, deleting or copying models.
    case models
    /// Apps, keys, quotas, audit, consents, network, settings.
    case owner

    package var action: String {
        switch self {
        case .inference: "run"
        case .listing: "list"
        case .models: "models"
        case .owner: "owner"
        }
    }

    package var capability: AICapability? {
        if case .inference(let capability, _) = self { capability } else { nil }
    }
}

extension AppScopes {
    /// How far a request may go; `nil` where it may not begin.
    func reach(for need: AccessNeed) -> Locality? {
        switch need {
        case .listing:
            return .onDevice
        case .models:
            return special.contains(.models) ? .network : nil
        case .owner:
            return nil
        case .inference(let capability, let wanted):
            guard let reach = capabilities[capability] else { return nil }
            switch (reach, wanted) {
            case (.onDevice, .network): return nil
            case (.onDevice, _), (.networkAllowed, .onDevice): return .onDevice
            case (.networkAllowed, _): return .network
            }
        }
    }
}
