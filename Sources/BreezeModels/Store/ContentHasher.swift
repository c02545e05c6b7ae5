import BreezeCore
import Foundation

#if canImport(CryptoKit)
import CryptoKit
#elseif Hub
import Crypto
#endif

/// SHA-256 over a file's or a text's bytes.
struct ContentHasher {
    #if canImport(CryptoKit) || Hub
    private var state = SHA256()

    init() throws {}

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        state.update(bufferPointer: bytes)
    }

    func digest() -> String {
        let digits = Array("0123456789abcdef".unicodeScalars)
        var text = String.UnicodeScalarView()
        for byte in state.finalize() {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(text)
    }
    #else
    init() throws {
        throw BreezeError(
            .unavailable,
            "This build of Breeze has no model store: it was made without the trait Hub.",
            remedy: "Build with the trait Hub."
        )
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {}

    func digest() -> String { "" }
    #endif

    static func digest(of text: String) throws -> String {
        var hasher = try ContentHasher()
        Array(text.utf8).withUnsafeBytes { hasher.update($0) }
        return hasher.digest()
    }

    /// Hashes a file from front to end, handing each piece on; a cancelled task stops between pieces.
    static func digest(
        of file: FileReader,
        each: (UnsafeRawBufferPointer) throws -> Void
    ) async throws -> String {
        var hasher = try ContentHasher()
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { piece.deallocate() }
        for offset in stride(from: 0, to: file.size, by: piece.count) {
            try Task.checkCancellation()
            let part = UnsafeMutableRawBufferPointer(rebasing: piece[..<min(piece.count, file.size - offset)])
            try file.read(into: part, at: offset)
            hasher.update(UnsafeRawBufferPointer(part))
            try each(UnsafeRawBufferPointer(part))
            await Task.yield()
        }
        return hasher.digest()
    }
}
