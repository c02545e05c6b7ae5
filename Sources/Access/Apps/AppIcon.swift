import BreezeCore
import Foundation

/// An app's picture, as a data URL: never fetched from anywhere, and of no kind that can hold a script.
enum AppIcon {
    /// Of the picture, decoded.
    static let limit = 32 << 10

    private static let kinds: [(name: String, beginning: [UInt8])] = [
        ("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        ("image/jpeg", [0xFF, 0xD8, 0xFF]),
        ("image/webp", Array("RIFF".utf8)),
    ]

    /// - Throws: ``BreezeError`` `.invalidRequest` for anything but a small PNG, JPEG or WebP in base64.
    static func checked(_ text: String) throws -> String {
        guard text.utf8.count <= limit * 4 / 3 + 64 else {
            throw AccessFault.invalid("The icon is larger than \(limit >> 10) KiB.")
        }
        for (name, beginning) in kinds {
            let head = "data:\(name);base64,"
            guard text.hasPrefix(head) else { continue }
            guard let bytes = Data(base64Encoded: String(text.dropFirst(head.count))),
                bytes.starts(with: beginning)
            else {
                throw AccessFault.invalid("The icon says that it is \(name), and is not.")
            }
            guard bytes.count <= limit else {
                throw AccessFault.invalid("The icon is larger than \(limit >> 10) KiB.")
            }
            // Written anew, so that what is kept is nothing but the picture.
            return head + bytes.base64EncodedString()
        }
        throw AccessFault.invalid("The icon is no data URL of a PNG, JPEG or WebP picture in base64.")
    }
}
