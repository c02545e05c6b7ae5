import BreezeCore

/// How the findings in one text are dealt with.
struct GuardianRule: Sendable {
    enum Scope: Sendable {
        case everything
        /// The device may hold personal data.
        case allButPersonalData
        /// Whatever the guardian makes of it, personal data counts, and nothing else.
        case personalDataAlone
    }

    var stage: GuardianVerdict.Stage
    var mode: GuardianMode
    var scope = Scope.allButPersonalData
    /// What must keep its form is never edited: a filter blocks it.
    var isEditable = true
    /// The guardian's id.
    var guardian: String

    func concerns(_ finding: GuardianVerdict.Finding) -> Bool {
        let isPersonal = finding.isWithin(GuardianPolicy.personalData)
        return switch scope {
        case .everything: true
        case .allButPersonalData: !isPersonal
        case .personalDataAlone: isPersonal
        }
    }
}

/// One text on its way past a guardian: nothing leaves it that is not checked.
struct GuardedText: Sendable {
    private let rule: GuardianRule
    private var inspector: any TextInspector
    private var text = FilteredText()
    private var action = GuardianVerdict.Action.pass
    private var findings: [Key: GuardianVerdict.Finding] = [:]
    /// There were findings that are none of the rule's.
    private var isOffTopic = false
    private(set) var settled = 0

    /// A finding without a place is one a category.
    private struct Key: Hashable {
        let category: String
        let span: Range<Int>?
    }

    init(_ rule: GuardianRule, _ inspector: any TextInspector) {
        self.rule = rule
        self.inspector = inspector
    }

    var length: Int { text.length }
    var isChanged: Bool { text.isChanged }

    /// What the rule makes of what the guardian said so far.
    var verdict: GuardianVerdict {
        var verdict = GuardianVerdict(action: effectiveAction, findings: Array(findings.values))
        verdict.stage = rule.stage
        verdict.guardian = rule.guardian
        return verdict
    }

    private var effectiveAction: GuardianVerdict.Action {
        switch rule.scope {
        case .personalDataAlone: findings.isEmpty ? .pass : .block
        case .everything, .allButPersonalData: findings.isEmpty && isOffTopic ? .pass : action
        }
    }
}

extension GuardedText {
    mutating func append(_ piece: String) async throws {
        text.append(piece)
        try weigh(try await inspector.append(piece))
    }

    /// Lets go of what is held back, because too much waits behind it.
    mutating func settle() async throws {
        try weigh(try await inspector.settle())
    }

    /// The text ended.
    mutating func finish() async throws {
        try weigh(try await inspector.finish())
        settled = text.length
    }

    /// What goes out of the text before `position`, as far as it is settled.
    mutating func take(upTo position: Int) -> String {
        text.release(upTo: min(position, settled))
    }

    var released: Int { text.released }

    private mutating func weigh(_ inspection: Inspection) throws {
        action = max(action, inspection.verdict.action)
        var new: [GuardianVerdict.Finding] = []
        for var finding in inspection.verdict.findings {
            guard rule.concerns(finding) else {
                isOffTopic = true
                continue
            }
            finding.span = finding.span.flatMap(valid)
            let key = Key(category: finding.category, span: finding.span)
            if let known = findings[key] {
                if finding.risk > known.risk { findings[key] = finding }
                continue
            }
            findings[key] = finding
            new.append(finding)
        }
        guard effectiveAction > .pass else { return advance(to: inspection) }
        switch rule.mode {
        case .off, .warn: break
        case .block: if effectiveAction == .block { throw blocked }
        case .filter: try remove(new)
        }
        advance(to: inspection)
    }

    private mutating func advance(to inspection: Inspection) {
        settled = max(settled, min(inspection.settled, text.length))
    }

    private mutating func remove(_ new: [GuardianVerdict.Finding]) throws {
        guard rule.isEditable, !findings.isEmpty else { throw blocked }
        for finding in new {
            guard let span = finding.span, text.remove(span, as: finding.category) else { throw blocked }
        }
    }

    /// A place that is none counts as no place.
    private func valid(_ span: Range<Int>) -> Range<Int>? {
        span.isEmpty || span.lowerBound < 0 || span.upperBound > text.length ? nil : span
    }

    private var blocked: BreezeError { .blocked(by: verdict) }
}

extension GuardedText {
    /// A sentence for the caller; `nil` where nothing was found.
    var notice: String? {
        guard effectiveAction > .pass else { return nil }
        let found = findings.isEmpty ? "something" : verdict.categories
        if isChanged {
            return "The guardian \(rule.guardian) took out of \(rule.stage.words): \(found)."
        }
        return "The guardian \(rule.guardian) warns of \(rule.stage.words): \(found)."
    }
}

extension GuardianVerdict {
    /// Riskiest first.
    var categories: String {
        var seen: Set<String> = []
        return findings.map(\.category).filter { seen.insert($0).inserted }.joined(separator: ", ")
    }
}

extension GuardianVerdict.Stage {
    var words: String {
        switch self {
        case .input: "the request"
        case .tools: "the result of a tool"
        case .output: "the answer"
        case .personalData: "what would leave the device"
        }
    }

    /// The setting that decides.
    var setting: String { "guardian.\(rawValue)" }
}

extension BreezeError {
    static func blocked(by verdict: GuardianVerdict) -> BreezeError {
        let stage = verdict.stage ?? .input
        let found = verdict.findings.isEmpty ? "" : " because of \(verdict.categories)"
        let remedy =
            switch stage {
            case .input: "Say it in other words"
            case .tools: "Look at what the tool returned before it is used"
            case .output: "Ask for something else"
            case .personalData: "Leave it out, or let a runner on the device answer"
            }
        return BreezeError(
            .guardianBlocked,
            "The guardian \(verdict.guardian ?? "") blocked \(stage.words)\(found).",
            remedy: "\(remedy); \(stage.setting) decides what is blocked.",
            verdict: verdict
        )
    }

    /// The guardian did not do its work, so that nothing passes.
    static func guardianFailed(_ guardian: String, _ reason: String, _ error: (any Error)? = nil)
        -> BreezeError
    {
        BreezeError(
            .guardianBlocked,
            "The guardian \(guardian) could not check the request (\(reason)), and unchecked nothing passes.",
            remedy: "See what is wrong: breeze doctor",
            underlying: error
        )
    }
}
