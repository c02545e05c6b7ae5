import BreezeCore

extension EncoderConfiguration {
    /// From `config_sentence_transformers.json`; where that states none, from what is known of the family
    /// that one of `names` belongs to.
    mutating func readPrompts(_ file: ConfigurationFile?, names: [String]) throws {
        let stated = try file.map(Self.statedPrompts) ?? [:]
        prompts = stated.filter { $0.value != "" }
        if prompts.isEmpty, head == nil, let family = names.lazy.compactMap(PromptFamily.init(name:)).first {
            prompts = family.prompts
            defaultPrompt = family.defaultPrompt
        } else if let file, let name = try file.optionalText("default_prompt_name") {
            let purpose = Self.purpose(name)
            guard let text = stated[purpose] else {
                throw file.invalid("default_prompt_name is \"\(name.excerpt)\", which prompts does not have")
            }
            defaultPrompt = text == "" ? nil : purpose
        }
    }

    /// By purpose. A passage has two names in use, and a file that has both means the second by the first.
    private static func statedPrompts(_ file: ConfigurationFile) throws -> [String: String] {
        guard file.has("prompts") else { return [:] }
        guard let members = file.tree["prompts"]?.objectValue else {
            throw file.invalid("prompts is not an object")
        }
        var prompts: [String: String] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where value != .null {
            guard let text = value.stringValue else {
                throw file.invalid("the prompt \"\(name.excerpt)\" is not a text")
            }
            let purpose = purpose(name)
            if prompts[purpose] ?? "" == "" || name == purpose { prompts[purpose] = text }
        }
        return prompts
    }

    private static func purpose(_ name: String) -> String {
        name == "document" ? "passage" : name
    }
}

/// Model families that were trained with prompts and whose files do not say so, by their model cards:
/// - e5 (`intfloat/e5-base-v2`, `intfloat/multilingual-e5-small`): "query: " and "passage: " for retrieval,
///   "query: " for everything else;
/// - bge v1.5 English (`BAAI/bge-small-en-v1.5`): an instruction for short queries alone.
private struct PromptFamily {
    let prompts: [String: String]
    let defaultPrompt: String?

    private static let e5 = PromptFamily(
        prompts: ["query": "query: ", "passage": "passage: "],
        defaultPrompt: "query"
    )
    private static let bge = PromptFamily(
        prompts: ["query": "Represent this sentence for searching relevant passages: "],
        defaultPrompt: nil
    )

    private init(prompts: [String: String], defaultPrompt: String?) {
        self.prompts = prompts
        self.defaultPrompt = defaultPrompt
    }

    /// `name` may be a path, of which the last part counts.
    init?(name: String) {
        let name = name.split(separator: "/").last?.lowercased() ?? ""
        let family = name.hasPrefix("multilingual-") ? name.dropFirst("multilingual-".count) : name[...]
        if family.hasPrefix("e5-"), !family.contains("-instruct") {
            self = Self.e5
        } else if ["small", "base", "large"].contains(where: { name == "bge-\($0)-en-v1.5" }) {
            self = Self.bge
        } else {
            return nil
        }
    }
}
