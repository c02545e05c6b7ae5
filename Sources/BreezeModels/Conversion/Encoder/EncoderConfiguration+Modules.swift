import BreezeCore
import Foundation

extension EncoderConfiguration {
    /// sentence-transformers' `modules.json`: what follows the encoder.
    mutating func readModules(_ modules: ConfigurationFile, directory: URL) throws {
        let list = modules.tree.arrayValue ?? []
        let kinds = try Self.moduleKinds(modules)
        // A further module (Dense, LSTM, …) has weights of its own: leaving it out would give other vectors.
        let order = ["Transformer", "Pooling", "Normalize"]
        for kind in kinds where !order.contains(kind) {
            throw modules.unsupported("a module's type", kind, known: order.joined(separator: ", "))
        }
        guard kinds == Array(order.prefix(kinds.count)), kinds.count >= 2 else {
            throw modules.invalid(
                "the modules are \(kinds), and Transformer, Pooling, Normalize were expected"
            )
        }
        guard list[0]["path"]?.stringValue == "" else {
            throw modules.unsupported(
                "the Transformer's path",
                list[0]["path"]?.stringValue ?? "",
                known: "the folder itself"
            )
        }
        guard let path = list[1]["path"]?.stringValue, Self.poolingPath == path else {
            throw modules.unsupported(
                "the Pooling's path",
                list[1]["path"]?.stringValue ?? "",
                known: Self.poolingPath
            )
        }
        normalizes = kinds.count == 3
        pooling = try Self.pooling(
            try ConfigurationFile(directory.appending(path: path).appending(path: "config.json")),
            width: width
        )
    }

    /// The last parts of the modules' class names.
    static func moduleKinds(_ modules: ConfigurationFile) throws -> [String] {
        guard let list = modules.tree.arrayValue else { throw modules.invalid("it is not a list") }
        return list.map { $0["type"]?.stringValue?.split(separator: ".").last.map(String.init) ?? "" }
    }

    /// Where sentence-transformers puts the pooling of a model that has one transformer.
    static let poolingPath = "1_Pooling"

    private static func pooling(_ file: ConfigurationFile, width: Int) throws -> Pooling {
        if file.has("word_embedding_dimension") {
            _ = try file.integer("word_embedding_dimension", in: width...width)
        }
        if try file.flag("include_prompt") == false {
            throw file.unsupported("include_prompt", "false", known: "true")
        }
        let prefix = "pooling_mode_"
        let modes = (file.tree.objectValue ?? [:]).filter {
            $0.key.hasPrefix(prefix) && $0.value.boolValue == true
        }
        .map { String($0.key.dropFirst(prefix.count)) }.sorted()
        switch modes {
        case ["mean_tokens"]: return .mean
        case ["cls_token"]: return .cls
        case []: throw file.invalid("it switches no pooling mode on")
        default:
            throw file.unsupported(
                "pooling",
                modes.joined(separator: " + "),
                known: "mean_tokens or cls_token alone"
            )
        }
    }
}

/// The files that sentence-transformers writes beside a model, where they are there.
struct PublisherConfiguration {
    static let name = "config_sentence_transformers.json"
    let file: ConfigurationFile?
    let modules: ConfigurationFile?

    init(directory: URL) throws {
        file = try ConfigurationFile(optional: directory.appending(path: Self.name))
        modules = try ConfigurationFile(optional: directory.appending(path: "modules.json"))
    }

    /// From version 5.4 on, a cross-encoder says so and has a `modules.json`, too.
    func isCrossEncoder() throws -> Bool {
        try file?.optionalText("model_type") == "CrossEncoder"
    }

    func checkCrossEncoderModules() throws {
        guard let modules else { return }
        let kinds = try EncoderConfiguration.moduleKinds(modules)
        guard kinds == ["Transformer"], modules.tree.arrayValue?[0]["path"]?.stringValue == "" else {
            throw modules.unsupported(
                "a cross-encoder of the modules",
                kinds.joined(separator: ", "),
                known: "one Transformer in the folder itself"
            )
        }
    }
}
