import CSandbox

/// Which protections hold inside a worker; one that its platform has no means for is `false`.
public struct WorkerProtection: Codable, Hashable, Sendable {
    /// No program that it starts gains rights by its file's owner.
    public var noNewPrivileges: Bool
    /// A crash leaves no image of the memory, with prompts in it, on disk.
    public var noCoreDumps: Bool
    /// No other process of the user reads its memory, and it reads nobody's.
    public var notTraceable: Bool
    /// It opens no socket of any family but local ones.
    public var noInternet: Bool

    init(_ protection: sandbox_protection) {
        noNewPrivileges = protection.no_new_privileges
        noCoreDumps = protection.no_core_dumps
        notTraceable = protection.not_traceable
        noInternet = protection.no_internet
    }
}
