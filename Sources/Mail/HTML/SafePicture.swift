import Foundation

/// Pictures that a page may show: of a kind that every browser draws and none runs, by their first bytes.
package enum SafePicture {
    /// `nil` for what is no PNG, JPEG, GIF or WebP, whatever it calls itself.
    package static func type(of bytes: some Collection<UInt8>) -> String? {
        let start = Array(bytes.prefix(12))
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if start.starts(with: Array("GIF87a".utf8)) || start.starts(with: Array("GIF89a".utf8)) {
            return "image/gif"
        }
        if start.count == 12, start.starts(with: Array("RIFF".utf8)), start[8...].elementsEqual("WEBP".utf8) {
            return "image/webp"
        }
        return nil
    }

    /// As an address that holds the picture itself.
    package static func address(of bytes: [UInt8]) -> String? {
        type(of: bytes).map { "data:\($0);base64,\(Data(bytes).base64EncodedString())" }
    }

    /// What a `data:` address holds, at most `limit` bytes; `nil` for anything but base64.
    package static func bytes(ofAddress text: String, limit: Int) -> [UInt8]? {
        guard let comma = text.firstIndex(of: ","), text.utf8.count <= limit * 4 / 3 + 200,
            text[..<comma].lowercased().hasPrefix("data:image/"),
            text[..<comma].lowercased().hasSuffix(";base64"),
            let data = Data(
                base64Encoded: String(text[text.index(after: comma)...]),
                options: .ignoreUnknownCharacters
            ), data.count <= limit
        else { return nil }
        return [UInt8](data)
    }
}
