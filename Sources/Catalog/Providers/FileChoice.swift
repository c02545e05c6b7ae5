import BreezeCore
import Foundation

/// Which files of a repository make one model.
enum FileChoice {
    /// The asked ones where any are named; else one GGUF file (the usual quantisation), or an encoder's folder, or all
    /// but what other frameworks want.
    /// - Throws: ``BreezeError`` `.unknownModel` where a name is not there, `.invalidParameter` where nothing tells
    ///   which of several to take.
    static func choose(_ asked: [String], among names: [String]) throws -> [String] {
        guard asked.isEmpty else { return try asked.flatMap { try matches($0, names) } }
        let weights = names.filter { !$0.hasPrefix(".") }
        let ggufs = weights.filter { $0.lowercased().hasSuffix(".gguf") }
        if !ggufs.isEmpty { return try oneGGUF(ggufs) }
        if weights.contains("model.safetensors") || weights.contains("model.safetensors.index.json") {
            let others = [
                ".bin", ".h5", ".ot", ".msgpack", ".onnx", ".tflite", ".pt", ".ckpt", ".mlmodel", ".xml",
            ]
            let folders = ["onnx/", "openvino/", "coreml/", "tf/", "flax/", "rust_model"]
            return weights.filter { name in
                !others.contains { name.lowercased().hasSuffix($0) }
                    && !folders.contains { name.hasPrefix($0) }
                    && !name.hasPrefix("train") && !name.hasSuffix(".png") && !name.hasSuffix(".jpg")
            }
        }
        guard !weights.isEmpty else { throw BreezeError(.unknownModel, "The model has no files.") }
        return weights
    }

    /// A name, or a part of one that only one file has: `Q4_K_M`.
    private static func matches(_ asked: String, _ names: [String]) throws -> [String] {
        if names.contains(asked) { return [asked] }
        let found = names.filter { $0.lowercased().contains(asked.lowercased()) }
        if found.count == 1 { return found }
        if let pieces = pieces(found) { return pieces }
        throw BreezeError(
            .unknownModel,
            found.isEmpty
                ? "There is no file \(asked) in it."
                : "\(found.count) files of it have \(asked) in their names.",
            remedy: "It has: \((found.isEmpty ? names : found).prefix(12).joined(separator: ", "))"
        )
    }

    private static func oneGGUF(_ names: [String]) throws -> [String] {
        let models = names.filter { !$0.lowercased().contains("mmproj") }
        if models.count == 1 { return models }
        let usual = models.filter { $0.lowercased().contains("q4_k_m") }
        if usual.count == 1 { return usual }
        if let pieces = pieces(usual.isEmpty ? models : usual) { return pieces }
        throw BreezeError(
            .invalidParameter,
            "It has \(models.count) GGUF files, and nothing tells which one is meant.",
            remedy: "Name one behind a colon: \(models.prefix(12).joined(separator: ", "))"
        )
    }

    /// `…-00001-of-00003.gguf` and so on: one model in pieces.
    private static func pieces(_ names: [String]) -> [String]? {
        let stems = Set(names.map { $0.replacing(/-\d{5}-of-\d{5}\./, with: ".") })
        return names.count > 1 && stems.count == 1 ? names.sorted() : nil
    }

    /// An id that tells the editions of one repository apart.
    static func id(_ repository: String, _ names: [String]) -> String {
        let gguf = names.first { $0.lowercased().hasSuffix(".gguf") }.map { name in
            String(name.split(separator: "/").last ?? "").replacing(
                /(-\d{5}-of-\d{5})?\.[gG][gG][uU][fF]$/,
                with: ""
            )
        }
        return id(gguf ?? String(repository.split(separator: "/").last ?? "model"))
    }

    /// Lower-case letters, digits, dot, hyphen and underscore.
    static func id(_ name: String) -> String {
        let kept = name.lowercased().unicodeScalars.map { scalar in
            ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
                || ".-_".unicodeScalars.contains(scalar)
                ? Character(scalar) : "-"
        }
        let id = String(kept.drop { !($0.isLetter || $0.isNumber) }.prefix(128))
        return id.isEmpty ? "model" : id
    }
}
