#if os(Linux)
import BreezeCore
import CSecret
import Foundation

/// The session's Secret Service: GNOME's keyring, KWallet, KeePassXC. Never asks its user to unlock it.
struct SecretServiceStore: SecretStore {
    let source = CredentialSource(.secretService)
    /// The address of the session's bus; GLib itself looks at the process's environment.
    private let hasBus: Bool

    init(environment: [String: String]) {
        hasBus = !(environment["DBUS_SESSION_BUS_ADDRESS"] ?? "").isEmpty
    }

    func state() -> SecretStoreState {
        guard hasBus else {
            return .absent("there is no session bus, since DBUS_SESSION_BUS_ADDRESS is not set")
        }
        var why: UnsafeMutablePointer<CChar>?
        let result = csecret_keyring_state(&why)
        return Self.state(result, Self.take(why))
    }

    func read(_ service: CredentialService) throws -> [Secret]? {
        guard hasBus else { throw SecretStoreUnavailable(state()) }
        var value: UnsafeMutablePointer<CChar>?
        var count = 0
        var why: UnsafeMutablePointer<CChar>?
        let result = csecret_keyring_read(service.name, &value, &count, &why)
        defer {
            csecret_wipe(value, count)
            free(value)
        }
        guard try Self.isThere(result, Self.take(why)), let value else { return nil }
        guard let values = try service.split(UnsafeRawBufferPointer(start: value, count: count)) else {
            throw Self.fault("what it holds for \(service.name) is of another form")
        }
        return values
    }

    func write(_ service: CredentialService, _ values: [Secret]) throws {
        guard hasBus else { throw SecretStoreUnavailable(state()) }
        var bytes = service.joined(values)
        defer { wipe(&bytes) }
        var why: UnsafeMutablePointer<CChar>?
        let result = bytes.withUnsafeBytes { bytes in
            csecret_keyring_write(
                service.name,
                "Breeze: \(service.title)",
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                bytes.count,
                &why
            )
        }
        _ = try Self.isThere(result, Self.take(why))
    }

    func remove(_ service: CredentialService) throws -> Bool {
        guard hasBus else { throw SecretStoreUnavailable(state()) }
        var why: UnsafeMutablePointer<CChar>?
        let result = csecret_keyring_remove(service.name, &why)
        return try Self.isThere(result, Self.take(why))
    }

    func names() throws -> [String] {
        guard hasBus else { throw SecretStoreUnavailable(state()) }
        var names: UnsafeMutablePointer<CChar>?
        var why: UnsafeMutablePointer<CChar>?
        let result = csecret_keyring_names(&names, &why)
        let text = Self.take(names)
        guard try Self.isThere(result, Self.take(why)) else { return [] }
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    // MARK: - Results

    private static func state(_ result: csecret_result, _ why: String?) -> SecretStoreState {
        switch result {
        case CSECRET_OK, CSECRET_MISSING: .ready
        case CSECRET_LOCKED: .locked("its default collection is locked")
        case CSECRET_ABSENT: .absent(why ?? "no service answers")
        default: .broken(fault(why ?? "it does not say why"))
        }
    }

    /// `false` where there is no such item.
    private static func isThere(_ result: csecret_result, _ why: String?) throws -> Bool {
        switch result {
        case CSECRET_OK: return true
        case CSECRET_MISSING: return false
        case CSECRET_LOCKED, CSECRET_ABSENT: throw SecretStoreUnavailable(state(result, why))
        default: throw fault(why ?? "it does not say why")
        }
    }

    private static func fault(_ why: String) -> BreezeError {
        BreezeError(
            .inputOutput,
            "The Secret Service cannot be used: \(why).",
            remedy: "See what your keyring's own program says."
        )
    }

    private static func take(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        defer { free(text) }
        return text.map { String(cString: $0) }
    }
}
#endif
