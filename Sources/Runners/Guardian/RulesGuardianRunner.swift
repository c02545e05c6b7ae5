public import BreezeCore
import Synchronization

/// ``GuardianRules`` as a runner. A verdict that blocks is an answer like any other.
public final class RulesGuardianRunner: StreamingGuardian {
    public let id = "guardian:rules"
    public let supportedCapabilities: [AICapability] = [.guardian]
    /// Above the mocks, and below whatever understands what it reads.
    public let qualityTier = 2
    /// A run holds no state but its own.
    public let concurrency = 64
    private let tables = Mutex(Tables())

    private struct Tables {
        private var made: GuardianRules?
        /// One that has read nothing, for the options that were asked for last.
        private var unused: (options: GuardianRules.Options, scanner: GuardianRules.Scanner)?

        mutating func rules() -> GuardianRules {
            let rules = made ?? GuardianRules()
            made = rules
            return rules
        }

        mutating func scanner(_ options: GuardianRules.Options) -> GuardianRules.Scanner {
            if let unused, unused.options == options { return unused.scanner }
            let scanner = GuardianRules.Scanner(rules(), options: options)
            unused = (options, scanner)
            return scanner
        }
    }

    /// Bytes that a text is read in between two looks at whether its request was cancelled.
    private static let pieceLength = 1 << 16
    /// Of the tables, which are the same for every runner; `nil` until some were made.
    private static let tableBytes: Mutex<Int64?> = Mutex(nil)

    public init() {}

    /// Whoever asks is about to load it: tables that are made for the answer are kept for that.
    public var memoryEstimate: Int64? {
        Self.tableBytes.withLock { known in
            let bytes = known ?? Int64(tables.withLock { $0.rules() }.byteCount)
            known = bytes
            return bytes
        }
    }

    public let parameterSchema = ParameterSchema([
        ParameterDescriptor(
            Parameter.strictness,
            "Strictness",
            summary:
                "How little it takes to block or warn; the stricter, the more harmless texts are caught too.",
            kind: .selection(GuardianRules.Strictness.allCases.map(\.rawValue)),
            default: .string(GuardianRules.Strictness.medium.rawValue)
        ),
        ParameterDescriptor(
            Parameter.categories,
            "Categories",
            summary: "What is looked for; without it everything. One of: "
                + GuardianRules.Category.all.joined(separator: ", ") + ".",
            kind: .strings(maxCount: GuardianRules.Category.all.count)
        ),
    ])

    private enum Parameter {
        static let strictness = "strictness"
        static let categories = "categories"
    }

    public func load() async throws {
        _ = tables.withLock { $0.rules() }
    }

    /// Scanners and runs in progress keep the tables they use.
    public func unload() async {
        tables.withLock { $0 = Tables() }
    }

    public func makeScanner(configuration: InferenceConfig) throws -> any GuardianScanner {
        try scanner(configuration)
    }

    public func run(request: InferenceRequest) async throws -> InferenceResult {
        guard canRun(request: request) else {
            throw BreezeError(
                .unsupported,
                "\(id) does not answer \(request.capability) requests.",
                remedy: "See what each runner can do: breeze runners"
            )
        }
        try request.validate()
        var scanner = try scanner(request.configuration)
        var rest = (request.prompt ?? "")[...]
        repeat {
            try Task.checkCancellation()
            let end = rest.utf8.index(rest.startIndex, offsetBy: Self.pieceLength, limitedBy: rest.endIndex)
            // A piece ends between two scalars.
            let cut = end.map { rest.unicodeScalars.index(before: rest.unicodeScalars.index(after: $0)) }
            let piece = rest[..<(cut ?? rest.endIndex)]
            _ = scanner.append(String(piece))
            rest = rest[piece.endIndex...]
        } while !rest.isEmpty
        return InferenceResult(requestID: request.id, output: .verdict(scanner.finish()), runner: id)
    }

    private func scanner(_ configuration: InferenceConfig) throws -> GuardianRules.Scanner {
        let options = try options(configuration)
        return tables.withLock { $0.scanner(options) }
    }

    /// The engine has checked the values already; a caller of the runner itself has not.
    private func options(_ configuration: InferenceConfig) throws -> GuardianRules.Options {
        var options = GuardianRules.Options()
        for descriptor in parameterSchema.parameters {
            guard let asked = configuration[parameter: descriptor.name] else { continue }
            switch descriptor.kind.check(asked) {
            case .outOfRange(_, let reason), .wrong(let reason): throw refusal(descriptor.name, reason)
            case .valid(let value) where descriptor.name == Parameter.strictness:
                options.strictness = GuardianRules.Strictness(rawValue: value.stringValue ?? "") ?? .medium
            case .valid(let value):
                options.categories = value.arrayValue?.compactMap(\.stringValue) ?? []
            }
        }
        let known = GuardianRules.Category.all
        if let unknown = options.categories.first(where: { !known.contains($0) }) {
            let nearest = nearestName(to: unknown, in: known).map { " Did you mean \($0)?" } ?? ""
            throw refusal(Parameter.categories, "there is no category \(unknown).\(nearest)")
        }
        if options.categories.isEmpty {
            throw refusal(Parameter.categories, "an empty list would let everything pass")
        }
        return options
    }

    private func refusal(_ parameter: String, _ reason: String) -> BreezeError {
        BreezeError(
            .invalidParameter,
            "\(parameter): \(reason)" + (reason.hasSuffix("?") || reason.hasSuffix(".") ? "" : "."),
            remedy: "See what \(id) takes: breeze runners --json"
        )
    }
}
