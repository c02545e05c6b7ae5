#if Hub || Pairing
import BreezeCore
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// An X25519 key (RFC 7748) that is made for one pairing.
package struct PairingKey: Sendable {
    private let key: Curve25519.KeyAgreement.PrivateKey

    package init() {
        key = Curve25519.KeyAgreement.PrivateKey()
    }

    /// For vectors; `nil` where they are not 32 bytes.
    init?(_ bytes: [UInt8]) {
        guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes) else { return nil }
        self.key = key
    }

    /// For whoever keeps secrets.
    var privateBytes: [UInt8] { Array(key.rawRepresentation) }

    var publicBytes: [UInt8] { Array(key.publicKey.rawRepresentation) }

    /// - Throws: ``BreezeError`` `.pairingFailed` for a key of low order, which has nothing in common with any.
    func agree(with other: [UInt8]) throws(BreezeError) -> [UInt8] {
        let lowOrder = SchemeFault.pairing("the other side's key is of low order")
        guard let theirs = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: other),
            let secret = try? key.sharedSecretFromKeyAgreement(with: theirs)
        else { throw lowOrder }
        let shared = secret.withUnsafeBytes { Array($0) }
        guard shared.contains(where: { $0 != 0 }) else { throw lowOrder }
        return shared
    }
}

/// What both sides have after hello, offer and reveal, if nobody stood between them.
package struct PairingAgreement: Sendable {
    package let app: AppID
    package let keys: SealingKeys
    let transcript: [UInt8]

    static let messageLength = 76
    static let nonceLength = 32

    init(
        hello: [UInt8],
        offer: [UInt8],
        reveal: [UInt8],
        app: AppID,
        shared: [UInt8]
    ) {
        let length = (0..<4).map { UInt8(truncatingIfNeeded: hello.count >> (24 - 8 * $0)) }
        self.app = app
        transcript = Digest.sha256(Self.label("pair") + length + hello + offer + reveal)
        keys = SealingKeys(shared: shared, transcript: transcript)
    }

    /// As it was kept: the shared secret is gone by then.
    init(app: AppID, keys: SealingKeys, transcript: [UInt8]) {
        self.app = app
        self.keys = keys
        self.transcript = transcript
    }

    /// Six digits that two people compare, as they read them: `012 345`.
    package var code: String {
        let digest = Digest.sha256(Self.label("code") + transcript)
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(1_000_000 + number).dropFirst()
        return "\(digits.prefix(3)) \(digits.suffix(3))"
    }

    /// What the hub's last word answers.
    var question: MessageNonce? { MessageNonce(transcript.prefix(MessageNonce.length)) }

    static func commitment(key: some Sequence<UInt8>, nonce: some Sequence<UInt8>) -> [UInt8] {
        Digest.sha256(label("commit") + key + nonce)
    }

    private static func label(_ name: String) -> [UInt8] { Array("breezeapp/1 \(name)\0".utf8) }
}
#endif
