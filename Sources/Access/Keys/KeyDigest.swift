#if Hub
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// SHA-256 of a key of ours. A key is 256 bits of chance, so that nothing slower is needed against guessing.
///
/// Deliberately not `Equatable`: a comparison that ends at the first difference would tell how far a guess
/// got.
struct KeyDigest: Sendable {
    static let length = 32
    private let words: (UInt64, UInt64, UInt64, UInt64)

    init(of text: some Sequence<UInt8>) {
        let digest = SHA256.hash(data: Array(text))
        words = digest.withUnsafeBytes { Self.words($0) }
    }

    /// `nil` where it is not of the one length.
    init?(_ bytes: Data) {
        guard bytes.count == Self.length else { return nil }
        words = bytes.withUnsafeBytes { Self.words($0) }
    }

    var bytes: Data { withUnsafeBytes(of: words) { Data($0) } }

    /// In a time that depends on neither.
    @inline(never)
    func matches(_ other: KeyDigest) -> Bool {
        let difference =
            (words.0 ^ other.words.0) | (words.1 ^ other.words.1) | (words.2 ^ other.words.2)
            | (words.3 ^ other.words.3)
        return difference == 0
    }

    private static func words(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64, UInt64, UInt64) {
        func word(_ index: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self) }
        return (word(0), word(1), word(2), word(3))
    }
}
#endif
