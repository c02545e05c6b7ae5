import BreezeCore
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#elseif Hub
import Crypto
#endif

/// SHA-256 of bytes as they come.
package struct ContentHasher {
    #if canImport(CryptoKit) || Hub
    private var state = SHA256()

    package init() throws {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        state.update(bufferPointer: bytes)
    }

    /// Of what has come so far, in lower-case hexadecimal digits.
    package func digest() -> String {
        let digits = Array("0123456789abcdef".utf8)
        let bytes = state.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: bytes, as: UTF8.self)
    }
    #else
    package init() throws {
        throw BreezeError(
            .unavailable,
            "This build of Breeze downloads and stores no models: it was made without the trait Hub.",
            remedy: "Build with the trait Hub."
        )
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {}

    package func digest() -> String { "" }
    #endif

    package static func digest(of text: String) throws -> String {
        var hasher = try ContentHasher()
        Array(text.utf8).withUnsafeBytes { hasher.update($0) }
        return hasher.digest()
    }
}
