#if Hub || Pairing
package import BreezeCore
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A header, and what ChaCha20-Poly1305 (RFC 8439) makes of a message with the header as associated data.
package struct Envelope: Sendable {
    package let header: EnvelopeHeader
    private let sealed: [UInt8]

    static let tagLength = 16

    /// - Throws: ``BreezeError`` for what can be seen without a key: `.unsupportedVersion`, `.invalidEnvelope`.
    init(parsing bytes: [UInt8], kinds: Set<EnvelopeHeader.Kind>) throws(BreezeError) {
        header = try EnvelopeHeader(parsing: bytes, kinds: kinds)
        sealed = Array(bytes.dropFirst(header.bytes.count))
    }

    package init(sealing message: [UInt8], _ header: EnvelopeHeader, key: SealingKey) throws(BreezeError) {
        self.header = header
        do {
            let box = try ChaChaPoly.seal(
                message,
                using: key.symmetric,
                nonce: ChaChaPoly.Nonce(data: header.nonce.bytes),
                authenticating: header.bytes
            )
            sealed = Array(box.ciphertext) + Array(box.tag)
        } catch {
            throw BreezeError(.internalError, "A message could not be sealed.", underlying: error)
        }
    }

    package var bytes: [UInt8] { header.bytes + sealed }

    /// - Throws: ``BreezeError`` `.invalidEnvelope` where another key made it, or a byte was changed.
    func open(_ key: SealingKey) throws(BreezeError) -> [UInt8] {
        do {
            let box = try ChaChaPoly.SealedBox(
                nonce: ChaChaPoly.Nonce(data: header.nonce.bytes),
                ciphertext: sealed.dropLast(Self.tagLength),
                tag: sealed.suffix(Self.tagLength)
            )
            return Array(try ChaChaPoly.open(box, using: key.symmetric, authenticating: header.bytes))
        } catch {
            throw SchemeFault.envelope("it was not made with this app's key, or was changed since")
        }
    }
}
#endif
