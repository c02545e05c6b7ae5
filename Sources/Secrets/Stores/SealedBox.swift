import BreezeCore
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#elseif Hub
import Crypto
#endif

/// AES-256-GCM over what the file holds. The header is authenticated along with it.
///
/// The key lies beside the box: this guards against the leak of one file, as by a backup or a careless copy, and
/// against a change of its content; not against whoever can read all of the owner's files.
enum SealedBox {
    static let keyLength = 32
    private static let header = Array("breeze secrets 1\n".utf8)

    #if canImport(CryptoKit) || Hub
    static let isBuilt = true

    static func newKey() -> [UInt8] {
        SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    }

    static func seal(_ plain: [UInt8], key: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(plain, using: SymmetricKey(data: key), authenticating: header)
        guard let combined = box.combined else {
            throw BreezeError(.internalError, "The secrets could not be sealed.", remedy: "Please report it.")
        }
        return header + combined
    }

    /// `nil` where the box was changed, or sealed with another key.
    static func open(_ bytes: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: header),
            let box = try? AES.GCM.SealedBox(combined: bytes.dropFirst(header.count)),
            let plain = try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: header)
        else { return nil }
        return Array(plain)
    }
    #else
    static let isBuilt = false

    static func newKey() -> [UInt8] { [] }

    static func seal(_ plain: [UInt8], key: [UInt8]) throws -> [UInt8] {
        throw SecretStoreUnavailable(.absent(missing))
    }

    static func open(_ bytes: [UInt8], key: [UInt8]) -> [UInt8]? { nil }
    #endif

    static let missing = "this build has no cryptography: it was made without the trait Hub"
}
