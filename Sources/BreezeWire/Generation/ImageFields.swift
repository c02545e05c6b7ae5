import BreezeCore
import Foundation

/// Pictures inside a body. Nothing is fetched: a picture that lies elsewhere would be a connection that nobody sees.
enum WireImage {
    /// `data:image/png;base64,…`
    static func data(ofURL url: String, at path: WirePath) throws -> Data {
        guard url.utf8.starts(with: "data:".utf8) else {
            throw BreezeError.unsupported(
                path,
                "is an address, and nothing is fetched for a request",
                remedy: "Send the picture itself, as data:image/png;base64,…"
            )
        }
        let header = url.utf8.prefix { $0 != UInt8(ascii: ",") }
        guard header.count < url.utf8.count, let words = String(header), words.hasSuffix(";base64") else {
            throw BreezeError.field(path, "is no base64 data URL", takes: "data:image/png;base64,…")
        }
        return try data(ofBase64: url.utf8.dropFirst(header.count + 1), at: path)
    }

    static func data(ofBase64 text: some Collection<UInt8>, at path: WirePath) throws -> Data {
        guard let data = Data(base64Encoded: Data(text)), !data.isEmpty else {
            throw BreezeError.field(path, "is no base64", takes: "a picture in base64")
        }
        return data
    }
}
