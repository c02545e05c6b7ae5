import BreezeCore

/// What is known of a service's credential, without its value.
public struct CredentialStatus: Sendable, Encodable {
    public let name: String
    public let title: String
    public let purpose: String
    public let page: String?
    /// Those that give it, in the order in which one may set them.
    public let variables: [String]
    /// Where there is one; the first is used.
    public let sources: [CredentialSource]
    /// What is wrong with a source.
    public let notes: [String]

    init(service: CredentialService, sources: [CredentialSource], notes: [String]) {
        name = service.name
        title = service.title
        purpose = service.purpose
        page = service.page
        variables = service.parts.flatMap(\.variables)
        self.sources = sources
        self.notes = notes
    }

    public var isSet: Bool { !sources.isEmpty }
}

/// A store, and whether it can be used now.
public struct SecretStoreStatus: Sendable, Encodable {
    public enum State: String, Sendable, Encodable {
        case ready, absent, locked, broken
    }

    public let source: CredentialSource
    public let state: State
    /// Why it is not ready.
    public let reason: String?
    /// What mends it, where anything does.
    public let remedy: String?
    /// New secrets go here.
    public let isInUse: Bool

    init(source: CredentialSource, state: SecretStoreState, isInUse: Bool) {
        self.source = source
        self.isInUse = isInUse
        switch state {
        case .ready: (self.state, reason, remedy) = (.ready, nil, nil)
        case .absent(let why): (self.state, reason, remedy) = (.absent, why, nil)
        case .locked(let why): (self.state, reason, remedy) = (.locked, why, nil)
        case .broken(let error): (self.state, reason, remedy) = (.broken, error.message, error.remedy)
        }
    }
}
