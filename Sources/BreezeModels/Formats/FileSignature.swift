import BreezeCore

/// What a file is by its first bytes: the one table of signatures, for telling models apart and for naming a
/// mislabelled file in a refusal. Formats without a signature (ONNX, Core ML, safetensors) are told by their
/// structure, which ``FormatDetector`` reads.
struct FileSignature {
    enum Kind: Hashable {
        case model(ModelFormat)
        /// A language model in a layout that llama.cpp left behind.
        case legacyGGML
        /// A model file that is no whole model, or of a format that no runner takes.
        case unsupported
        /// No model at all, or one in a container.
        case other
    }

    let kind: Kind
    /// A noun phrase.
    let name: String

    /// How many first bytes ``of(_:)`` wants to see.
    static let length = 64

    /// - Returns: a noun phrase, or `nil` for bytes that are none of the usual mistakes.
    static func name(of prefix: [UInt8]) -> String? { of(prefix)?.name }

    static func of(_ prefix: [UInt8]) -> FileSignature? {
        for (offset, magic, kind, name) in signatures
        where prefix.dropFirst(offset).starts(with: magic.utf8) {
            return FileSignature(kind: kind, name: name)
        }
        if prefix.starts(with: "lmgg".utf8) {
            return WhisperHeader(prefix) == nil
                ? FileSignature(kind: .legacyGGML, name: "a model in the old GGML format")
                : FileSignature(kind: .model(.whisperGGML), name: "a Whisper model in GGML format")
        }
        return bareName(of: prefix).map { FileSignature(kind: .other, name: $0) }
    }

    private static func bareName(of prefix: [UInt8]) -> String? {
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

    /// Flatbuffers have their identifier behind the root's offset. The GGML family wrote its names as
    /// numbers, so that they stand backwards in the file.
    private static let signatures: [(offset: Int, magic: String, kind: Kind, name: String)] = [
        (0, "GGUF", .model(.gguf), "a GGUF file"), (4, "TFL3", .model(.tflite), "a TensorFlow Lite model"),
        (4, "ET12", .model(.executorch), "an ExecuTorch program"),
        (4, "FT01", .unsupported, "an ExecuTorch tensor file (.ptd) and not the program itself"),
        (4, "BP08", .unsupported, "an ExecuTorch program bundled with test inputs"),
        (4, "ORTM", .unsupported, "a model in ONNX Runtime's own format (.ort)"),
        (0, "tjgg", .legacyGGML, "a model in the old GGJT format"),
        (0, "fmgg", .legacyGGML, "a model in the old GGMF format"),
        (0, "algg", .legacyGGML, "an adapter in the old GGLA format"),
        (0, "PK\u{3}\u{4}", .other, "a ZIP archive (a PyTorch checkpoint?)"),
        (0, "version https://git-lfs", .other, "a Git LFS pointer and not the file itself"),
        (4, "ftyp", .other, "an MP4 file"), (0, "%PDF", .other, "a PDF"),
    ]
}
