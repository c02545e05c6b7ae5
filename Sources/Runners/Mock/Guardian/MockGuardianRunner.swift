public import BreezeCore

/// A verdict by lists of English and Chinese keywords in seven categories. A category's risk starts at its
/// base (0.5…0.8) and grows by 0.05 for each of its keywords that occurs, up to 1; 0.8 blocks, 0.5 warns.
public struct MockGuardianRunner: Runner {
    public let id = "mock:guardian"
    public let supportedCapabilities: [AICapability] = [.guardian]
    public let qualityTier = 0
    public let isMock = true
    public let memoryEstimate: Int64? = 0
    public let parameterSchema = Self.schema
    private let stage: MockStage

    private static let schema = ParameterSchema(MockParameter.common)

    /// Delays pass on `clock`.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        stage = MockStage(clock: clock)
    }

    public func load() async throws {}

    public func unload() async {}

    public func run(request: InferenceRequest) async throws -> InferenceResult {
        _ = try await stage.begin(request, for: self)
        let text = request.prompt ?? ""
        return InferenceResult(
            requestID: request.id,
            output: .verdict(try GuardianTable.embedded.table.verdict(on: text)),
            runner: id,
            usage: Usage(inputTokens: Words.count(in: text)),
            isMock: true
        )
    }
}

/// The keywords by category.
private struct GuardianTable: Decodable, Sendable {
    static let embedded = Fixture<GuardianTable>(PackageResources.guardian_json, named: "guardian.json")

    /// Risks are kept in hundredths, so that thresholds are met exactly.
    private enum Threshold {
        static let perKeyword = 5
        static let warn = 50
        static let block = 80
    }

    private struct Category: Decodable {
        let name: String
        let baseRisk: Int
        let keywords: [String]
    }

    private enum CodingKeys: String, CodingKey { case categories }

    private let categories: [Category]
    private let keywords: KeywordIndex
    /// The place in `categories` of each keyword.
    private let owners: [Int]

    init(from decoder: any Decoder) throws {
        categories = try decoder.container(keyedBy: CodingKeys.self).decode(
            [Category].self,
            forKey: .categories
        )
        keywords = KeywordIndex(categories.flatMap(\.keywords))
        owners = categories.enumerated().flatMap { index, category in category.keywords.map { _ in index } }
    }

    func verdict(on text: String) -> GuardianVerdict {
        var counts = [Int](repeating: 0, count: categories.count)
        for hit in keywords.hits(in: text) { counts[owners[hit]] += 1 }
        let risks = zip(categories, counts).filter { $1 > 0 }.map { category, count in
            (name: category.name, risk: min(100, category.baseRisk + Threshold.perKeyword * count))
        }
        let worst = risks.map(\.risk).max() ?? 0
        let action: GuardianVerdict.Action =
            worst >= Threshold.block ? .block : worst >= Threshold.warn ? .warn : .pass
        let findings = risks.map { GuardianVerdict.Finding(category: $0.name, risk: Double($0.risk) / 100) }
        return GuardianVerdict(action: action, findings: findings)
    }
}
