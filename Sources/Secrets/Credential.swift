/// What a service gets to see, and where it came from. Printing it shows no value.
public struct Credential: Sendable {
    public let service: CredentialService
    /// One for each of the service's parts, in their order.
    public let values: [Secret]
    public let source: CredentialSource

    public init(service: CredentialService, values: [Secret], source: CredentialSource) {
        precondition(values.count == service.parts.count, "a value for each part")
        self.service = service
        self.values = values
        self.source = source
    }

    /// The token, key or password.
    public var key: Secret { values[values.count - 1] }

    /// The user of a pair; `nil` for a service that wants a key alone.
    public var user: Secret? { values.count > 1 ? values[0] : nil }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "\(service.title) credential from \(source)" }
    public var debugDescription: String { description }
}

/// Where a credential was found.
public struct CredentialSource: Hashable, Sendable, Encodable {
    public enum Kind: String, Sendable, Encodable {
        case environment
        /// Another program's file that counts as the environment's, as Kaggle's own.
        case file
        case systemd
        case keychain
        case secretService = "secret_service"
        case sealedFile = "sealed_file"
        /// Typed a moment ago, and kept nowhere.
        case terminal
    }

    public let kind: Kind
    /// The variables' names, or a path.
    public let detail: String?

    public init(_ kind: Kind, _ detail: String? = nil) {
        self.kind = kind
        self.detail = detail
    }
}

extension CredentialSource: CustomStringConvertible {
    public var description: String {
        let detail = detail.map { " \($0)" } ?? ""
        return switch kind {
        case .environment: "the environment's\(detail)"
        case .file: "the file\(detail)"
        case .systemd: "systemd's credential\(detail)"
        case .keychain: "the Keychain"
        case .secretService: "the Secret Service"
        case .sealedFile: "the sealed file\(detail)"
        case .terminal: "what was typed"
        }
    }
}
