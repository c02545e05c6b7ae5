/// What a file is by its first bytes, so that a mislabelled one can be named in the refusal.
enum FileSignature {
    /// How many first bytes ``name(of:)`` wants to see.
    static let length = 64

    /// - Returns: a noun phrase, or `nil` for bytes that are none of the usual mistakes.
    static func name(of prefix: [UInt8]) -> String? {
        for (offset, magic, name) in signatures
        where prefix.dropFirst(offset).starts(with: magic.utf8) {
            return name
        }
        // Pickle writes its version after PROTO; a .pkl or an old .bin begins so.
        if prefix.count > 1, prefix[0] == 0x80, (2...5).contains(prefix[1]) { return "a Python pickle" }
        if prefix.starts(with: [0x1F, 0x8B, 0x08]) { return "a gzip archive" }
        if prefix.starts(with: [0x93] + Array("NUMPY".utf8)) { return "a NumPy array" }
        if prefix.starts(with: [0x89] + Array("HDF".utf8)) { return "an HDF5 file" }
        if prefix.count >= 8, prefix.allSatisfy({ $0 == 0 }) {
            return "zeros (a download that never finished?)"
        }
        let text = String(
            decoding: prefix.drop { [0x20, 0x0A, 0x0D, 0x09].contains($0) }.prefix(9),
            as: UTF8.self
        ).lowercased()
        if text.hasPrefix("<!doctype") || text.hasPrefix("<html") || text.hasPrefix("<?xml") {
            return "a web page"
        }
        if text.hasPrefix("{\"") || text.hasPrefix("{\n") || text.hasPrefix("{ ") { return "a JSON text" }
        return nil
    }

    /// TensorFlow Lite and ExecuTorch are flatbuffers: their identifier stands after the root offset.
    private static let signatures: [(offset: Int, magic: String, name: String)] = [
        (0, "GGUF", "a GGUF file"), (0, "PK\u{3}\u{4}", "a ZIP archive (a PyTorch checkpoint?)"),
        (0, "version https://git-lfs", "a Git LFS pointer and not the file itself"),
        (4, "TFL3", "a TensorFlow Lite model"), (4, "ET12", "an ExecuTorch program"),
        (4, "ftyp", "an MP4 file"), (0, "%PDF", "a PDF"),
    ]
}
