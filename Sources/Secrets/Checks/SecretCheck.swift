/// Asks a service whether it takes a credential.
public typealias SecretCheck = @Sendable (Credential) async throws -> SecretCheckOutcome

public enum SecretCheckOutcome: Sendable, Hashable {
    /// With the account's name, where the service says it.
    case accepted(account: String?)
    case refused
    /// Nothing that could be asked would tell; a sentence that says why.
    case notCheckable(String)
}
