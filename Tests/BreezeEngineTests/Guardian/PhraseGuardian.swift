import BreezeCore
import Synchronization

/// Phrases and what a guardian calls them. Found as they are written, by the plainest of means.
struct Phrases: Sendable {
    static let standard = Phrases([
        "ignore previous instructions": "injection", "忽略之前的指示": "injection", "mail me at a@b.c": "lure",
        "a@b.c": "personal-data.email",
    ])

    let categories: [(phrase: String, category: String)]
    let action: GuardianVerdict.Action
    let hasSpans: Bool

    init(_ categories: [String: String], action: GuardianVerdict.Action = .block, hasSpans: Bool = true) {
        self.categories = categories.sorted { $0.key < $1.key }.map { (phrase: $0.key, category: $0.value) }
        self.action = action
        self.hasSpans = hasSpans
    }

    func verdict(on text: String) -> GuardianVerdict {
        let bytes = Array(text.utf8)
        var findings: [GuardianVerdict.Finding] = []
        for (phrase, category) in categories {
            let wanted = Array(phrase.utf8)
            for start in bytes.indices where bytes[start...].starts(with: wanted) {
                let span = hasSpans ? start..<(start + wanted.count) : nil
                findings.append(.init(category: category, risk: 0.9, span: span))
            }
        }
        // As the rules do it: personal data alone is told and nothing more.
        let isGrave = findings.contains { !$0.isWithin("personal-data") }
        return GuardianVerdict(
            action: isGrave ? action : findings.isEmpty ? .pass : .warn,
            findings: findings
        )
    }

    /// Bytes of the longest end of `text` that some phrase begins with.
    func open(in text: String) -> Int {
        let bytes = Array(text.utf8.suffix(64))
        return categories.map { phrase, _ in
            let wanted = Array(phrase.utf8)
            return (1..<wanted.count).last {
                bytes.suffix($0).elementsEqual(wanted.prefix($0)) && $0 <= bytes.count
            }
                ?? 0
        }.max() ?? 0
    }
}

/// A guardian that judges whole texts, and does in between what a test tells it.
final class PhraseGuardian: Runner {
    let id: String
    let supportedCapabilities: [AICapability] = [.guardian]
    let locality: Locality
    let isMock: Bool
    let qualityTier: Int
    let concurrency = 8
    private let phrases: Phrases
    private let state: Mutex<(isLoaded: Bool, loads: Int, texts: [String], availability: Availability)>
    private let onLoad: @Sendable () async throws -> Void
    private let onCheck: @Sendable (String) async throws -> InferenceOutput?

    /// `onCheck` may answer in the place of the phrases.
    init(
        _ id: String = "watch",
        _ phrases: Phrases = .standard,
        locality: Locality = .onDevice,
        isMock: Bool = false,
        qualityTier: Int = 5,
        availability: Availability = .available,
        onLoad: @escaping @Sendable () async throws -> Void = {},
        onCheck: @escaping @Sendable (String) async throws -> InferenceOutput? = { _ in nil }
    ) {
        self.id = id
        self.phrases = phrases
        self.locality = locality
        self.isMock = isMock
        self.qualityTier = qualityTier
        state = Mutex((false, 0, [], availability))
        self.onLoad = onLoad
        self.onCheck = onCheck
    }

    var loads: Int { state.withLock { $0.loads } }
    var texts: [String] { state.withLock { $0.texts } }

    func availability() async -> Availability { state.withLock { $0.availability } }

    func load() async throws {
        state.withLock { $0.loads += 1 }
        try await onLoad()
        state.withLock { $0.isLoaded = true }
    }

    func unload() async { state.withLock { $0.isLoaded = false } }

    func run(request: InferenceRequest) async throws -> InferenceResult {
        let text = request.prompt ?? ""
        let isLoaded = state.withLock { state in
            state.texts.append(text)
            return state.isLoaded
        }
        guard isLoaded else { throw BreezeError(.loadFailed, "\(id) was run unloaded") }
        let output = try await onCheck(text) ?? .verdict(phrases.verdict(on: text))
        return InferenceResult(requestID: request.id, output: output, runner: id)
    }
}

/// One that reads pieces.
struct PhraseScannerGuardian: StreamingGuardian {
    var id = "scan"
    let supportedCapabilities: [AICapability] = [.guardian]
    var phrases = Phrases.standard
    var failure: BreezeError?

    func load() async throws {}
    func unload() async {}

    func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        InferenceResult(
            requestID: request.id,
            output: .verdict(phrases.verdict(on: request.prompt ?? "")),
            runner: id
        )
    }

    func run(request: InferenceRequest) async throws -> InferenceResult {
        try await run(request: request, into: ChunkSink(callback: nil))
    }

    func makeScanner(configuration: InferenceConfig) throws -> any GuardianScanner {
        if let failure { throw failure }
        return Scanner(phrases: phrases)
    }

    private struct Scanner: GuardianScanner {
        let phrases: Phrases
        /// The end of the text, at least as long as the longest phrase.
        var tail = ""
        var start = 0
        var action = GuardianVerdict.Action.pass
        var told: Set<GuardianVerdict.Finding> = []
        var holdBack = 0
        let maximumHoldBack = 64

        mutating func append(_ piece: String) -> GuardianVerdict {
            tail += piece
            holdBack = phrases.open(in: tail)
            let verdict = phrases.verdict(on: tail)
            action = max(action, verdict.action)
            let new = verdict.findings.map { finding in
                var moved = finding
                moved.span = finding.span.map { ($0.lowerBound + start)..<($0.upperBound + start) }
                return moved
            }.filter { told.insert($0).inserted }
            let kept = String(tail.suffix(maximumHoldBack))
            start += tail.utf8.count - kept.utf8.count
            tail = kept
            return GuardianVerdict(action: action, findings: new)
        }

        mutating func finish() -> GuardianVerdict {
            holdBack = 0
            return GuardianVerdict(action: action, findings: Array(told))
        }
    }
}
