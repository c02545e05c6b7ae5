import Foundation

/// An image's format and size, as far as its first bytes tell.
struct ImageHeader {
    enum Format: String {
        case png = "PNG"
        case jpeg = "JPEG"
        case gif = "GIF"
        case webP = "WebP"
        case bmp = "BMP"
        case heic = "HEIC"
        case avif = "AVIF"
        case tiff = "TIFF"
    }

    let format: Format
    /// Pixels; `nil` where the format hides them deeper, or the header is cut short.
    let size: (width: Int, height: Int)?

    /// `nil` where it is no image of a known format.
    init?(of data: Data) {
        guard let format = Self.format(of: data) else { return nil }
        self.format = format
        let size: (Int?, Int?)? =
            switch format {
            case .png: Self.png(data)
            case .gif: Self.gif(data)
            case .bmp: Self.bmp(data)
            case .jpeg: Self.jpeg(data)
            case .webP: Self.webP(data)
            case .heic, .avif, .tiff: nil
            }
        if case (let width?, let height?)? = size, width > 0, height > 0 {
            self.size = (width, height)
        } else {
            self.size = nil
        }
    }

    private static func format(of data: Data) -> Format? {
        let head = [UInt8](data.prefix(16))
        func has(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
        func has(_ text: String, at offset: Int) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
        if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if has([0xFF, 0xD8, 0xFF]) { return .jpeg }
        if has("GIF87a", at: 0) || has("GIF89a", at: 0) { return .gif }
        if has("RIFF", at: 0), has("WEBP", at: 8) { return .webP }
        if has([0x49, 0x49, 0x2A, 0x00]) || has([0x4D, 0x4D, 0x00, 0x2A]) { return .tiff }
        if has("ftyp", at: 4) {
            if ["avif", "avis"].contains(where: { has($0, at: 8) }) { return .avif }
            if ["heic", "heix", "hevc", "mif1"].contains(where: { has($0, at: 8) }) { return .heic }
        }
        return isBMP(data) ? .bmp : nil
    }

    /// "BM" alone begins many a text, so the size of the second header must be one that exists.
    private static func isBMP(_ data: Data) -> Bool {
        var reader = LittleEndianReader(data)
        guard reader.take(2) == Data("BM".utf8) else { return false }
        reader.offset = 14
        return [12, 40, 52, 56, 64, 108, 124].contains(reader.integer(bytes: 4))
    }
}

extension ImageHeader {
    /// PNG 11.2.1: the IHDR chunk comes first.
    private static func png(_ data: Data) -> (Int?, Int?) {
        var reader = LittleEndianReader(data, offset: 16)
        return (reader.bigEndian(bytes: 4), reader.bigEndian(bytes: 4))
    }

    /// GIF89a, 18: the logical screen descriptor.
    private static func gif(_ data: Data) -> (Int?, Int?) {
        var reader = LittleEndianReader(data, offset: 6)
        return (reader.integer(bytes: 2), reader.integer(bytes: 2))
    }

    private static func bmp(_ data: Data) -> (Int?, Int?) {
        var reader = LittleEndianReader(data, offset: 14)
        // OS/2's header has 16-bit sizes. Elsewhere a negative height means that the rows run downwards.
        if reader.integer(bytes: 4) == 12 { return (reader.integer(bytes: 2), reader.integer(bytes: 2)) }
        let width = reader.integer(bytes: 4)
        let height = reader.integer(bytes: 4).map { Int(Int32(truncatingIfNeeded: $0).magnitude) }
        return (width, height)
    }

    /// ITU-T T.81, B.1.1 and B.2.2: segments until a start of frame.
    private static func jpeg(_ data: Data) -> (Int?, Int?)? {
        var reader = LittleEndianReader(data, offset: 2)
        while let mark = reader.integer(bytes: 1), mark == 0xFF {
            var kind = reader.integer(bytes: 1)
            while kind == 0xFF { kind = reader.integer(bytes: 1) }  // fill bytes
            guard let kind else { return nil }
            if kind == 0x01 || (0xD0...0xD8).contains(kind) { continue }  // these stand alone
            let start = reader.offset
            guard let length = reader.bigEndian(bytes: 2), length >= 2 else { return nil }
            if (0xC0...0xCF).contains(kind), ![0xC4, 0xC8, 0xCC].contains(kind) {
                reader.offset += 1
                let height = reader.bigEndian(bytes: 2)
                return (reader.bigEndian(bytes: 2), height)
            }
            reader.offset = start + length
        }
        return nil
    }

    /// RFC 9649, 2.5 to 2.7.
    private static func webP(_ data: Data) -> (Int?, Int?)? {
        var reader = LittleEndianReader(data, offset: 12)
        switch reader.name() {
        case "VP8X":
            reader.offset = 24
            return (reader.integer(bytes: 3).map { $0 + 1 }, reader.integer(bytes: 3).map { $0 + 1 })
        case "VP8L":
            reader.offset = 21
            guard let bits = reader.integer(bytes: 4) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8 ":
            reader.offset = 26
            let width = reader.integer(bytes: 2).map { $0 & 0x3FFF }
            return (width, reader.integer(bytes: 2).map { $0 & 0x3FFF })
        default: return nil
        }
    }
}
