import BreezeCore
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#elseif Hub
import Crypto
#endif

/// SHA-256 of bytes as they come.
struct FileDigest {
    #if canImport(CryptoKit) || Hub
    private var state = SHA256()

    init() throws {}

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        state.update(bufferPointer: bytes)
    }

    /// Of what has come so far, in lower-case hexadecimal digits.
    var text: String {
        let digits = Array("0123456789abcdef".utf8)
        let bytes = state.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: bytes, as: UTF8.self)
    }
    #else
    init() throws {
        throw BreezeError(
            .unavailable,
            "This build of Breeze downloads nothing: it was made without the trait Hub.",
            remedy: "Build with the trait Hub."
        )
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {}
    var text: String { "" }
    #endif
}
