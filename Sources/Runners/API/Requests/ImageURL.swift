import BreezeCore
import Foundation

/// An image as both dialects take it.
enum ImageURL {
    /// - Throws: ``BreezeError/Code/unsupported`` where it is none of the four kinds that services read.
    static func make(_ image: Data) throws -> JSONValue {
        guard let type = mediaType(of: [UInt8](image.prefix(12))) else {
            throw BreezeError(
                .unsupported,
                "An image of \(image.count) bytes is neither PNG nor JPEG, GIF or WebP.",
                remedy: "Convert it to one of them."
            )
        }
        return .string("data:\(type);base64,\(image.base64EncodedString())")
    }

    private static func mediaType(of head: [UInt8]) -> String? {
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if head.starts(with: "GIF87a".utf8) || head.starts(with: "GIF89a".utf8) { return "image/gif" }
        if head.starts(with: "RIFF".utf8), head.dropFirst(8).starts(with: "WEBP".utf8) { return "image/webp" }
        return nil
    }
}
