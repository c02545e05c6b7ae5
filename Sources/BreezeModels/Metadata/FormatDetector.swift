import BreezeCore
public import Foundation

/// Tells what a file or folder is by its bytes, whatever its name says.
public enum FormatDetector {
    /// - Throws: ``BreezeError`` `.unsupported` for a model in a format that was left behind, with the
    ///   conversion to do; `.invalidFile` for what is no model, naming what it is where that can be told;
    ///   `.inputOutput` where it cannot be read.
    public static func detect(_ url: URL) throws -> DetectedModel {
        var isFolder: ObjCBool = false
        // What is not there is refused by the reader, in its words.
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            return try ModelFolder(url).detect()
        }
        return try detect(file: url)
    }

    static func detect(file url: URL) throws -> DetectedModel {
        let file = try PagedFile(url: url)
        let prefix = try FormatFault.naming(url, "model") {
            try file.bytes(0..<min(file.size, FileSignature.length))
        }
        let signature = FileSignature.of(prefix)
        if case .model(let format)? = signature?.kind {
            return DetectedModel(format: format, url: url, layout: .file)
        }
        if [.legacyGGML, .unsupported].contains(signature?.kind) {
            throw unsupported(url, signature)
        }
        if let format = structure(of: file, prefix) {
            return DetectedModel(format: format, url: url, layout: .file)
        }
        if signature?.name == "a JSON text", SafetensorsIndex.isOne(url) {
            return DetectedModel(format: .safetensors, url: url, layout: .folder)
        }
        // The last resort: Picovoice publishes no signature of its format.
        if signature == nil, url.pathExtension.lowercased() == "pllm", file.size > 0 {
            return DetectedModel(format: .picoLLM, url: url, layout: .file, evidence: .fileName)
        }
        throw unknown(url, signature, prefix)
    }

    /// The formats without a signature.
    private static func structure(of file: PagedFile, _ prefix: [UInt8]) -> ModelFormat? {
        if prefix.count > 8, prefix[8] == UInt8(ascii: "{") {
            let length = prefix.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if length >= 2, length <= SafetensorsFile.largestHeader, length <= UInt64(file.size) {
                return .safetensors
            }
        }
        return ProtobufModel.format(of: file)
    }

    private static func unsupported(_ url: URL, _ signature: FileSignature?) -> BreezeError {
        let name = signature?.name ?? "a model"
        guard signature?.kind == .legacyGGML else {
            return BreezeError(
                .unsupported,
                "\(url.path) is \(name), which is not supported.",
                remedy: "Take an edition of the model in a supported format."
            )
        }
        let remedy =
            "Convert it with llama.cpp (convert_llama_ggml_to_gguf.py --input OLD --output NEW.gguf), "
            + "or take a GGUF edition of the model."
        return BreezeError(
            .unsupported,
            "\(url.path) is \(name), which llama.cpp no longer reads.",
            remedy: remedy
        )
    }

    private static func unknown(
        _ url: URL,
        _ signature: FileSignature?,
        _ prefix: [UInt8]
    ) -> BreezeError {
        let first = prefix.prefix(8).map { String(format: "%02x", $0) }.joined(separator: " ")
        let what = signature?.name ?? (prefix.isEmpty ? "empty" : "nothing known, and begins with \(first)")
        return BreezeError(
            .invalidFile,
            "\(url.path) is not a model of a known format: it is \(what).",
            remedy: "Known are GGUF, safetensors, ONNX, TensorFlow Lite, ExecuTorch, Core ML, MLX, MLC and "
                + "Whisper GGML."
        )
    }
}
