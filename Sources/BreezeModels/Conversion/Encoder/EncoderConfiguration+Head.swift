import BreezeCore

extension EncoderConfiguration.Head {
    /// `nil` for a model that `config.json` does not call a classifier. `publisher` is
    /// `config_sentence_transformers.json`.
    /// - Throws: ``BreezeError`` `.unsupported` for a head of another kind, `.invalidFile` for labels that are
    ///   not numbered from 0 without a gap.
    init?(_ config: ConfigurationFile, publisher: ConfigurationFile?) throws {
        guard try Self.isClassifier(config) else { return nil }
        labels = try Self.labels(config)
        scoring = try Self.scoring(config, publisher, count: labels.count)
    }

    private static func isClassifier(_ config: ConfigurationFile) throws -> Bool {
        guard config.has("architectures") else { return false }
        guard let list = config.tree["architectures"]?.arrayValue, let name = list.first?.stringValue else {
            throw config.invalid("architectures is not a list of names")
        }
        guard let marker = name.ranges(of: "For").last else { return false }
        switch name[marker.upperBound...] {
        case "SequenceClassification": return true
        // What a model was trained with; the encoder below it is whole.
        case "MaskedLM", "PreTraining": return false
        default:
            throw config.unsupported(
                "architectures",
                name,
                known: "…Model, …ForMaskedLM, …ForPreTraining, …ForSequenceClassification"
            )
        }
    }

    /// Hugging Face writes `id2label` only where it differs from two labels without names of their own.
    private static func labels(_ config: ConfigurationFile) throws -> [String] {
        guard config.has("id2label") else {
            let count = config.has("num_labels") ? try config.integer("num_labels", in: 1...100_000) : 2
            return (0..<count).map(usualName)
        }
        guard let members = config.tree["id2label"]?.objectValue, !members.isEmpty else {
            throw config.invalid("id2label is not an object with a label for each id")
        }
        for key in members.keys.sorted() where Int(key).map(String.init) != key {
            throw config.invalid("id2label has the id \"\(key.excerpt)\", which is not a whole number")
        }
        return try (0..<members.count).map { id in
            guard let label = members["\(id)"] else {
                throw config.invalid("id2label has \(members.count) labels and none for id \(id)")
            }
            if label == .null { return usualName(id) }
            guard let text = label.stringValue else {
                throw config.invalid("id2label's label for id \(id) is not a text")
            }
            return text
        }
    }

    private static func usualName(_ id: Int) -> String { "LABEL_\(id)" }

    /// As Hugging Face's text-classification pipeline decides, but that a cross-encoder's own statement comes
    /// first. sentence-transformers wrote it in three places over time.
    private static func scoring(
        _ config: ConfigurationFile,
        _ publisher: ConfigurationFile?,
        count: Int
    ) throws -> Scoring {
        let stated =
            try publisher?.optionalText("activation_fn")
            ?? config.tree["sentence_transformers"]?["activation_fn"]?.stringValue
            ?? config.optionalText("sbert_ce_default_activation_function")
        switch stated?.split(separator: ".").last {
        case nil: break
        case "Sigmoid": return .sigmoid
        case "Softmax": return .softmax
        // Of several logits sentence-transformers leaves the softmax to its caller.
        case "Identity": if count == 1 { return .identity }
        case let name?:
            throw config.unsupported(
                "the activation function",
                String(name),
                known: "Identity, Sigmoid, Softmax"
            )
        }
        let problem = try config.optionalText("problem_type")
        switch problem {
        case "regression": return .identity
        case "multi_label_classification": return .sigmoid
        case nil, "single_label_classification": return count == 1 ? .sigmoid : .softmax
        case let other?:
            throw config.unsupported(
                "problem_type",
                other,
                known: "regression, single_label_classification, multi_label_classification"
            )
        }
    }
}
