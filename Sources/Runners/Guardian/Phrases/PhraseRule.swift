/// Phrases that mean something when they follow each other.
struct PhraseRule: Sendable {
    /// Rules of one family are the same attack in other words: only the riskiest one counts towards a text's
    /// risk, and one finding stands for all that overlap.
    enum Family: Int, CaseIterable, Sendable {
        case override, reveal, role, exfiltration, hiddenInstruction, template, secret
    }

    let id: String
    let family: Family
    let category: String
    /// See ``GuardianRules`` for what the numbers mean.
    let risk: Double
    let stages: [PhraseClass]
    /// Letters that may stand between two stages.
    let gap: Int
    /// What must stand right before the first letter.
    let mark: UInt8?

    init(
        _ id: String,
        _ family: Family,
        risk: Double,
        _ stages: [PhraseClass],
        gap: Int = 0,
        after mark: Unicode.Scalar? = nil,
        category: String = GuardianRules.Category.promptInjection
    ) {
        self.id = id
        self.family = family
        self.category = category
        self.risk = risk
        self.stages = stages
        self.gap = gap
        self.mark = mark.map { UInt8(ascii: $0) }
    }

    static let all: [PhraseRule] = [
        PhraseRule(
            "override.previous",
            .override,
            risk: 0.9,
            [.override, .previous, .instructions],
            gap: 24
        ),
        PhraseRule("override.above", .override, risk: 0.9, [.override, .instructions, .previous], gap: 16),
        PhraseRule("override.all", .override, risk: 0.8, [.override, .whole, .instructions], gap: 20),
        PhraseRule(
            "override.previous-prompt",
            .override,
            risk: 0.8,
            [.override, .previous, .prompts],
            gap: 20
        ),
        PhraseRule("override.prompt-above", .override, risk: 0.8, [.override, .prompts, .previous], gap: 12),
        PhraseRule("override.all-prompts", .override, risk: 0.4, [.override, .whole, .prompts], gap: 16),
        PhraseRule("override.hidden-prompt", .override, risk: 0.8, [.override, .hiddenPrompt], gap: 16),
        PhraseRule("override.rules", .override, risk: 0.8, [.override, .previous, .rules], gap: 20),
        PhraseRule("override.rules-above", .override, risk: 0.8, [.override, .rules, .previous], gap: 12),
        PhraseRule("override.all-rules", .override, risk: 0.5, [.override, .whole, .rules], gap: 16),
        PhraseRule("override.said-before", .override, risk: 0.5, [.override, .saidBefore], gap: 12),
        PhraseRule("override.new-instructions", .override, risk: 0.5, [.newInstructions]),
        PhraseRule("reveal.prompt", .reveal, risk: 0.8, [.reveal, .hiddenPrompt], gap: 24),
        PhraseRule("reveal.instructions", .reveal, risk: 0.4, [.reveal, .ownInstructions], gap: 16),
        PhraseRule("reveal.words-above", .reveal, risk: 0.6, [.repeatAbove]),
        PhraseRule("role.unbound", .role, risk: 0.85, [.becoming, .unbound], gap: 32),
        PhraseRule("role.unbound-machine", .role, risk: 0.85, [.becoming, .unboundMachine], gap: 32),
        PhraseRule("role.is-unbound", .role, risk: 0.8, [.being, .unboundMachine], gap: 16),
        PhraseRule("role.dan", .role, risk: 0.75, [.becoming, .danName], gap: 8),
        PhraseRule("role.do-anything-now", .role, risk: 0.85, [.danName, .anythingNow], gap: 24),
        PhraseRule("role.machine", .role, risk: 0.4, [.becoming, .machine], gap: 16),
        PhraseRule("role.mode", .role, risk: 0.5, [.modeSwitch]),
        PhraseRule(
            "exfiltration.address",
            .exfiltration,
            risk: 0.85,
            [.send, .privateContent, .toAddress],
            gap: 40
        ),
        PhraseRule("hidden.concealment", .hiddenInstruction, risk: 0.6, [.concealment]),
        PhraseRule("hidden.to-machine", .hiddenInstruction, risk: 0.5, [.toMachine]),
        PhraseRule("hidden.command", .hiddenInstruction, risk: 0.8, [.toMachine, .command], gap: 40),
        PhraseRule("template.turn", .template, risk: 0.8, [.templateMarker], after: "|"),
        PhraseRule("template.bracket", .template, risk: 0.6, [.bracketMarker], after: "["),
        PhraseRule(
            "secret.private-key",
            .secret,
            risk: 0.95,
            [.privateKeyHeader],
            after: "-",
            category: GuardianRules.Category.secret
        ),
    ]
}
