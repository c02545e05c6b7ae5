#if Hub || Pairing
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// 32 bytes that seal one direction of a pairing. Never printed.
package struct SealingKey: Sendable, CustomStringConvertible {
    let symmetric: SymmetricKey

    /// `nil` where they are not 32.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        symmetric = SymmetricKey(data: bytes)
    }

    fileprivate init(_ symmetric: SymmetricKey) {
        self.symmetric = symmetric
    }

    /// For whoever keeps secrets.
    package var bytes: [UInt8] { symmetric.withUnsafeBytes { Array($0) } }

    package var description: String { "SealingKey" }
}

/// What a pairing leaves behind on both sides.
package struct SealingKeys: Sendable {
    package let toHub: SealingKey
    package let toApp: SealingKey

    package init(toHub: SealingKey, toApp: SealingKey) {
        self.toHub = toHub
        self.toApp = toApp
    }

    /// HKDF-SHA256 (RFC 5869) of what X25519 came to, salted with the transcript of the pairing.
    init(shared: [UInt8], transcript: [UInt8]) {
        func key(_ info: String) -> SealingKey {
            SealingKey(
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: shared),
                    salt: transcript,
                    info: Array(info.utf8),
                    outputByteCount: 32
                )
            )
        }
        self.init(toHub: key("breezeapp/1 app to hub"), toApp: key("breezeapp/1 hub to app"))
    }
}

enum Digest {
    static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}
#endif
