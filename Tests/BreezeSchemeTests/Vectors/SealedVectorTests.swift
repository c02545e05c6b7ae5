#if Hub || Pairing
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeScheme

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The sections about envelopes.
@Suite struct SealedVectorTests {
    private struct Primitives: Decodable {
        struct Agreement: Decodable { let `private`, `public`, shared: String }
        struct Sealing: Decodable { let key, nonce, header, plaintext, sealed: String }
        struct Derivation: Decodable { let key, salt, info, output: String }

        let x25519: [Agreement]
        let chacha20_poly1305: [Sealing]
        let hkdf_sha256: [Derivation]
    }

    private struct SealCase: Decodable {
        let name, key, app, nonce, reply_to, header, plaintext, envelope, url: String
        let kind: UInt8
        let expiry: UInt64
    }

    @Test func `the primitives come to the published values`() throws {
        let primitives: Primitives = try VectorFile.section("primitives")
        for item in primitives.x25519 {
            let key = try #require(PairingKey(bytes(item.private)))
            #expect(try SchemeText.hexadecimal(key.agree(with: bytes(item.public))) == item.shared)
        }
        for item in primitives.chacha20_poly1305 {
            let box = try ChaChaPoly.seal(
                Array(item.plaintext.utf8),
                using: SymmetricKey(data: bytes(item.key)),
                nonce: ChaChaPoly.Nonce(data: bytes(item.nonce)),
                authenticating: bytes(item.header)
            )
            #expect(SchemeText.hexadecimal(Array(box.ciphertext) + Array(box.tag)) == item.sealed)
        }
        for item in primitives.hkdf_sha256 {
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: try bytes(item.key)),
                salt: try bytes(item.salt),
                info: try bytes(item.info),
                outputByteCount: 32
            )
            #expect(SchemeText.hexadecimal(key.withUnsafeBytes { Array($0) }) == item.output)
        }
        #expect(primitives.x25519.count == 3 && primitives.chacha20_poly1305.count == 1)
        #expect(primitives.hkdf_sha256.count == 1)
    }

    @Test func `envelopes are sealed and opened as the page says, and hide what is in them`() throws {
        let cases: [SealCase] = try VectorFile.section("seal")
        for item in cases {
            let key = try #require(SealingKey(bytes(item.key)))
            let header = EnvelopeHeader(
                try #require(EnvelopeHeader.Kind(rawValue: item.kind)),
                app: try #require(AppID(item.app)),
                nonce: try #require(MessageNonce(bytes(item.nonce))),
                expiry: item.expiry,
                answering: MessageNonce(try bytes(item.reply_to))
            )
            #expect(SchemeText.hexadecimal(header.bytes) == item.header, "\(item.name)")
            let envelope = try Envelope(sealing: Array(item.plaintext.utf8), header, key: key)
            #expect(SchemeText.hexadecimal(envelope.bytes) == item.envelope, "\(item.name)")
            let url =
                header.kind.isAnswer
                ? try CallbackScheme("mycoolapp").answer(envelope.bytes)
                : try SchemeURL.sealed(envelope.bytes).written()
            #expect(url == item.url, "\(item.name)")
            let read = try Envelope(parsing: bytes(item.envelope), kinds: [header.kind])
            #expect(read.header == header, "\(item.name)")
            #expect(try read.open(key) == Array(item.plaintext.utf8), "\(item.name)")
            for word in ["urgent", "Monday", "prompt", "{\""] {
                #expect(!String(decoding: envelope.bytes, as: UTF8.self).contains(word), "\(item.name)")
                #expect(!url.contains(word), "\(item.name)")
            }
        }
        #expect(cases.count == VectorFile.counts["seal"])
    }
}
#endif
