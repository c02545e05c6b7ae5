import BreezeCore

/// What was learnt from the last piece of a text.
struct Inspection: Sendable {
    /// Its findings are new ones, or some that were named before; positions are the whole text's.
    var verdict: GuardianVerdict
    /// The text before this position may go out, less what was found. Bytes from the text's start.
    var settled: Int
}

/// Has one text checked as it grows.
protocol TextInspector: Sendable {
    mutating func append(_ piece: String) async throws -> Inspection
    /// Judges what there is, because it cannot wait for more: afterwards all of it is settled.
    mutating func settle() async throws -> Inspection
    mutating func finish() async throws -> Inspection
}

/// By a guardian that reads pieces itself.
struct ScannerInspector: TextInspector {
    private var scanner: any GuardianScanner
    private var length = 0

    init(_ scanner: any GuardianScanner) {
        self.scanner = scanner
    }

    mutating func append(_ piece: String) -> Inspection {
        let verdict = scanner.append(piece)
        length += piece.utf8.count
        let held = min(scanner.holdBack, scanner.maximumHoldBack)
        return Inspection(verdict: verdict, settled: length - min(max(0, held), length))
    }

    mutating func settle() -> Inspection {
        var inspection = append("")
        inspection.settled = length
        return inspection
    }

    mutating func finish() -> Inspection {
        Inspection(verdict: scanner.finish(), settled: length)
    }
}

/// By a guardian that judges whole texts: it gets windows that overlap, each part of the text a bounded
/// number of times, and a short text at its end as a whole.
struct WindowInspector: TextInspector {
    /// All in Unicode scalars.
    enum Size {
        /// What is held back of a growing text. What is found in half of it is found before any of it goes.
        static let holdBack = 256
        static let window = 2048
        /// A text up to here is judged as a whole too.
        static let whole = 4096
    }

    private let holdBack: Int
    private let check: @Sendable (String) async throws -> GuardianVerdict
    /// From `start` on: what is not settled, and as much before it as one hold-back.
    private var tail = ""
    private var start = 0
    private var length = 0
    private var settled = 0
    /// Scalars that are not settled.
    private var held = 0
    private var isJudged = true
    /// `nil` once it is too long.
    private var whole: String? = ""
    private var wholeCount = 0

    /// `holdBack` is the most scalars that a growing text is kept waiting.
    init(
        holdBack: Int = Size.holdBack,
        _ check: @escaping @Sendable (String) async throws -> GuardianVerdict
    ) {
        self.holdBack = holdBack
        self.check = check
    }

    mutating func append(_ piece: String) async throws -> Inspection {
        let count = piece.unicodeScalars.count
        guard count > 0 else { return Inspection(verdict: GuardianVerdict(action: .pass), settled: settled) }
        tail += piece
        length += piece.utf8.count
        held += count
        wholeCount += count
        if wholeCount <= Size.whole { whole? += piece } else { whole = nil }
        isJudged = false
        guard held > holdBack else {
            return Inspection(verdict: GuardianVerdict(action: .pass), settled: settled)
        }
        let verdict = try await judgeTail()
        keep(holdBack / 2)
        return Inspection(verdict: verdict, settled: settled)
    }

    mutating func settle() async throws -> Inspection {
        let verdict = isJudged ? GuardianVerdict(action: .pass) : try await judgeTail()
        keep(0)
        return Inspection(verdict: verdict, settled: settled)
    }

    mutating func finish() async throws -> Inspection {
        guard length > 0 else { return Inspection(verdict: GuardianVerdict(action: .pass), settled: 0) }
        guard let whole else { return try await settle() }
        let verdict = try await check(whole)
        settled = length
        return Inspection(verdict: verdict, settled: length)
    }

    /// Settles all but the last so many scalars, and drops what is no longer of use.
    private mutating func keep(_ count: Int) {
        let scalars = tail.unicodeScalars
        let cut = scalars.index(scalars.endIndex, offsetBy: -count, limitedBy: scalars.startIndex)
        let context =
            cut.flatMap { scalars.index($0, offsetBy: -Size.holdBack, limitedBy: scalars.startIndex) }
            ?? scalars.startIndex
        settled = length - tail.utf8.distance(from: cut ?? tail.startIndex, to: tail.endIndex)
        start += tail.utf8.distance(from: tail.startIndex, to: context)
        tail = String(tail[context...])
        held = count
    }

    private mutating func judgeTail() async throws -> GuardianVerdict {
        var findings: [GuardianVerdict.Finding] = []
        var action = GuardianVerdict.Action.pass
        let scalars = tail.unicodeScalars
        var lower = scalars.startIndex
        while true {
            let upper =
                scalars.index(lower, offsetBy: Size.window, limitedBy: scalars.endIndex) ?? scalars.endIndex
            let verdict = try await check(String(tail[lower..<upper]))
            let offset = start + tail.utf8.distance(from: tail.startIndex, to: lower)
            action = max(action, verdict.action)
            findings += verdict.findings.map { $0.moved(by: offset) }
            if upper == scalars.endIndex { break }
            lower = scalars.index(upper, offsetBy: -Size.holdBack)
        }
        isJudged = true
        return GuardianVerdict(action: action, findings: findings)
    }
}

extension GuardianVerdict.Finding {
    fileprivate func moved(by offset: Int) -> Self {
        var moved = self
        moved.span = span.map { ($0.lowerBound + offset)..<($0.upperBound + offset) }
        return moved
    }
}
