#if canImport(Security)
import BreezeCore
import Foundation
import Security

/// Generic passwords of the service `breeze`. Never shows a dialogue: what would need one counts as locked.
struct KeychainStore: SecretStore {
    let source = CredentialSource(.keychain)
    private static let service = "breeze"

    func state() -> SecretStoreState {
        do {
            _ = try names()
            return .ready
        } catch let error as SecretStoreUnavailable {
            return error.state
        } catch {
            return .broken(error as? BreezeError ?? Self.fault(errSecInternalError))
        }
    }

    func read(_ service: CredentialService) throws -> [Secret]? {
        var query = Self.query(service)
        query[kSecReturnData] = true
        query[kSecMatchLimit] = kSecMatchLimitOne
        guard let data = try Self.find(query) as? Data else { return nil }
        guard let values = try service.split(data) else {
            throw BreezeError(
                .invalidFile,
                "What the Keychain holds for \(service.name) is of another form.",
                remedy: "Set it again: breeze secrets set \(service.name)"
            )
        }
        return values
    }

    func write(_ service: CredentialService, _ values: [Secret]) throws {
        var bytes = service.joined(values)
        defer { wipe(&bytes) }
        let content: [CFString: Any] = [
            kSecValueData: Data(bytes), kSecAttrLabel: "Breeze: \(service.title)",
            // Not in a backup that is restored on another device.
            kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
        ]
        var status = SecItemUpdate(Self.query(service) as CFDictionary, content as CFDictionary)
        if status == errSecItemNotFound {
            let item = Self.query(service).merging(content) { $1 }
            status = SecItemAdd(item as CFDictionary, nil)
        }
        _ = try Self.isThere(status)
    }

    func remove(_ service: CredentialService) throws -> Bool {
        try Self.isThere(SecItemDelete(Self.query(service) as CFDictionary))
    }

    func names() throws -> [String] {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: Self.service, kSecReturnAttributes: true,
            kSecMatchLimit: kSecMatchLimitAll, kSecUseAuthenticationUI: kSecUseAuthenticationUISkip,
        ]
        let items = try Self.find(query) as? [[String: Any]] ?? []
        return items.compactMap { $0[kSecAttrAccount as String] as? String }
    }

    private static func query(_ service: CredentialService) -> [CFString: Any] {
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: Self.service,
            kSecAttrAccount: service.name,
        ]
    }

    private static func find(_ query: [CFString: Any]) throws -> CFTypeRef? {
        var found: CFTypeRef?
        var query = query
        query[kSecUseAuthenticationUI] = kSecUseAuthenticationUISkip
        return try isThere(SecItemCopyMatching(query as CFDictionary, &found)) ? found : nil
    }

    /// `false` where there is no such item.
    private static func isThere(_ status: OSStatus) throws -> Bool {
        switch status {
        case errSecSuccess: return true
        case errSecItemNotFound: return false
        case errSecInteractionNotAllowed, errSecAuthFailed:
            throw SecretStoreUnavailable(.locked("the Keychain is locked"))
        case errSecNotAvailable, errSecNoDefaultKeychain, errSecMissingEntitlement:
            throw SecretStoreUnavailable(.absent(words(status)))
        default: throw fault(status)
        }
    }

    private static func fault(_ status: OSStatus) -> BreezeError {
        BreezeError(
            .inputOutput,
            "The Keychain cannot be used: \(words(status)).",
            remedy: "See what Keychain Access says."
        )
    }

    private static func words(_ status: OSStatus) -> String {
        SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "status \(status)"
    }
}
#endif
