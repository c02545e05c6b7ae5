public import BreezeCore

/// A setting that Breeze knows. Its name is a dotted path; a part in angle brackets stands for any word.
public struct SettingKey: Hashable, Sendable {
    public let name: String
    public let summary: String
    /// `nil` where a runner's own ``ParameterSchema`` decides.
    public let kind: ParameterDescriptor.Kind?
    /// A size in bytes, as a number or as text such as `4GiB`.
    public let isByteCount: Bool
    /// A consent counts only where it is on record: in the file, not in the environment or a flag.
    public let isFileOnly: Bool

    private init(_ name: String, _ kind: ParameterDescriptor.Kind?, fileOnly: Bool = false, _ summary: String)
    {
        self.name = name
        self.kind = kind
        self.isFileOnly = fileOnly
        self.summary = summary
        isByteCount = false
    }

    private init(bytes name: String, _ summary: String) {
        self.name = name
        self.summary = summary
        kind = nil
        isFileOnly = false
        isByteCount = true
    }

    private static let modes = GuardianMode.allCases.map(\.rawValue)

    public static let all: [SettingKey] = [
        SettingKey(
            "privacy.offline",
            .boolean,
            "Let nothing leave this device: no network runner, no download, no search."
        ),
        SettingKey(
            "privacy.consent",
            .strings(),
            fileOnly: true,
            "The network runners that requests may be sent to."
        ),
        SettingKey(
            "guardian.input",
            .selection(modes),
            "What becomes of requests in which the guardian finds something."
        ),
        SettingKey("guardian.output", .selection(modes), "What becomes of such answers."),
        SettingKey("guardian.tools", .selection(modes), "What becomes of such results of tools."),
        SettingKey(
            "guardian.personalData",
            .selection(PersonalDataRule.allCases.map(\.rawValue)),
            "What becomes of personal data before it leaves the device."
        ),
        SettingKey("guardian.runner", .string, "The runner or backend that is the guardian."),
        SettingKey(
            "guardian.strictness",
            .selection(["low", "medium", "high"]),
            "How little it takes for the guardian to find something."
        ),
        SettingKey("guardian.categories", .strings(), "The categories that the guardian looks for."),
        SettingKey(
            "guardian.timeout",
            .number(min: 0.001, max: 600),
            "Seconds that one check may take before it counts as failed, which blocks."
        ),
        SettingKey(
            "routing.preferred.<capability>",
            .string,
            "The runner, backend or model that answers a capability first."
        ),
        SettingKey(
            "scheduling.queueLimit",
            .integer(min: 1, max: 1_000_000),
            "How many requests may wait for one runner; 512 by default."
        ),
        SettingKey(
            "scheduling.clientLimit",
            .integer(min: 1, max: 1_000_000),
            "How many of one client's requests may wait for one runner; 64 by default."
        ),
        SettingKey("defaults.<parameter>", nil, "A parameter for every runner that knows it."),
        SettingKey("runners.<runner>.<parameter>", nil, "A parameter for one runner or backend."),
        SettingKey(
            "services.<service>.url",
            .string,
            fileOnly: true,
            "Where a network service listens that speaks OpenAI's protocol; openrouter and openai are known."
        ),
        SettingKey(
            "services.<service>.models",
            .strings(),
            fileOnly: true,
            "Its chat models, as it calls them. It is asked only where privacy.consent names it, too."
        ),
        SettingKey(
            "services.<service>.visionModels",
            .strings(),
            fileOnly: true,
            "Those of its chat models that see images."
        ),
        SettingKey(
            "services.<service>.embeddingModels",
            .strings(),
            fileOnly: true,
            "Its models that embed texts."
        ),
        SettingKey(
            "services.<service>.key",
            .string,
            fileOnly: true,
            "The name of its key in breeze secrets, such as custom:my-server."
        ),
        SettingKey(
            "services.<service>.dialect",
            .selection(["chatCompletions", "responses"]),
            fileOnly: true,
            "Which of OpenAI's ways to chat it takes."
        ),
        SettingKey(
            "encoder.precision",
            .selection(["int8", "fp32"]),
            "How text encoders compute: int8 is three times as fast, fp32 exact."
        ),
        SettingKey(
            "encoder.workers",
            .integer(min: 1, max: 256),
            "Threads that encode at once; by default one a core."
        ),
        SettingKey(
            "llama.threads",
            .integer(min: 1, max: 256),
            "Threads that a GGUF model computes with; by default one a core."
        ),
        SettingKey(bytes: "models.quota", "What all installed models together may take on disk."),
        SettingKey(bytes: "residency.budget", "Memory that all loaded models together may take."),
        SettingKey(
            bytes: "residency.reserve",
            "Memory that stays free on the device; by default a tenth, but no more than 512MiB."
        ),
        SettingKey("residency.pinned", .strings(), "Runners, backends or models that stay loaded."),
        SettingKey(
            "residency.priority",
            .strings(),
            "Runners, backends or models, the most valuable first: the others are unloaded before them."
        ),
        SettingKey(
            "residency.keepAlive",
            .number(min: -1, max: KeepAlive.longest),
            "Seconds that a model stays loaded after its last request: 0 unloads it, -1 keeps it."
        ),
        SettingKey(
            "residency.maximumKeepAlive",
            .number(min: -1, max: KeepAlive.longest),
            "The longest keep-alive that a request may ask for; -1 is for ever."
        ),
        SettingKey(
            "hub.hostNames",
            .strings(),
            "Names besides localhost by which requests may call the hub."
        ),
        SettingKey("hub.origins", .strings(), "Web pages of other origins that may ask the hub."),
        SettingKey("hub.strictFields", .boolean, "Refuse a request with a field that Breeze does not know."),
        SettingKey(
            "hub.auditDays",
            .integer(min: 1, max: 3_650),
            "Days that the audit log is kept; 90 by default."
        ),
        SettingKey(
            "mail.trustedServers",
            .strings(),
            "Your own mail servers, by the names in their Authentication-Results: no other's count."
        ),
        SettingKey("runtimes.litert", .string, "Path of the LiteRT library."),
        SettingKey("runtimes.onnxruntime", .string, "Path of the ONNX Runtime library."),
        SettingKey(
            "log.level",
            .selection(["debug", "info", "warning", "error"]),
            "The least level that is logged."
        ),
    ]

    /// Whether its placeholder stands for a standard parameter, whose kind is known without a runner.
    private var isDefault: Bool { name.hasPrefix("defaults.") }

    /// What the value at a path of this key must be; `nil` where a runner's own ``ParameterSchema`` decides.
    func kind(at path: [String]) -> ParameterDescriptor.Kind? {
        isDefault ? path.last.flatMap(InferenceConfig.kind(ofStandardParameter:)) : kind
    }

    /// The first words of all keys: `privacy`, `routing`, …
    static let sections = Set(all.compactMap { $0.name.split(separator: ".").first.map(String.init) })

    /// The key that a path belongs to; `nil` for a path that no key has.
    public static func matching(_ path: [String]) -> SettingKey? {
        all.first { key in
            let parts = key.name.split(separator: ".")
            return parts.count == path.count
                && zip(parts, path).allSatisfy { part, word in
                    part.hasPrefix("<") ? key.allows(word, for: part) : part == word
                }
        }
    }

    private func allows(_ word: String, for placeholder: Substring) -> Bool {
        switch placeholder {
        case "<capability>": AICapability.standard.contains(AICapability(rawValue: word))
        case "<parameter>" where isDefault: InferenceConfig.standardParameterNames.contains(word)
        default: !word.isEmpty
        }
    }

    /// `name` in parts. The runner's id within `runners.<runner>.<parameter>` may hold dots itself.
    public static func path(of name: String) -> [String] {
        let words = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard words.first == "runners", words.count > 3, let parameter = words.last else { return words }
        return ["runners", words[1..<(words.count - 1)].joined(separator: "."), parameter]
    }

    /// The key of that name, or the one that the name of a value belongs to.
    /// - Throws: ``BreezeError/Code/invalidSetting`` with the nearest name.
    public static func named(_ name: String) throws -> SettingKey {
        if let key = all.first(where: { $0.name == name }) ?? matching(path(of: name)) { return key }
        throw unknown(name)
    }

    /// `place` says where it stands, for a person.
    static func unknown(_ name: String, in place: String? = nil) -> BreezeError {
        let near = nearestName(to: name, in: suggestions)
        return BreezeError(
            .invalidSetting,
            "There is no setting \(name)\(place.map { " (\($0))" } ?? "").",
            remedy: near.map { "Did you mean \($0)?" } ?? "List them: breeze config explain"
        )
    }

    /// The environment's variable for it, a placeholder kept; `nil` where none counts.
    public var variable: String? {
        isFileOnly || name.hasPrefix("runners.") ? nil : Self.variable(for: name)
    }

    /// `BREEZE_PRIVACY_OFFLINE` for `privacy.offline`.
    static func variable(for name: String) -> String {
        let words = name.split(separator: ".").map { $0.hasPrefix("<") ? String($0) : $0.uppercased() }
        return "BREEZE_" + words.joined(separator: "_")
    }

    /// Names to suggest in the place of an unknown one.
    static var suggestions: [String] {
        all.flatMap { key -> [String] in
            switch key.name {
            case "routing.preferred.<capability>":
                AICapability.standard.map { "routing.preferred.\($0.rawValue)" }
            case "defaults.<parameter>": InferenceConfig.standardParameterNames.map { "defaults.\($0)" }
            default: [key.name]
            }
        }
    }
}
