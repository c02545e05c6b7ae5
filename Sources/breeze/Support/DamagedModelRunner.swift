import BreezeCore
import BreezeModels

/// Stands in the place of a model whose manifest is damaged, so that a request learns why nobody answers it.
struct DamagedModelRunner: Runner {
    private let damage: ModelListing.Damage

    init(_ damage: ModelListing.Damage) {
        self.damage = damage
    }

    var id: String { "encoder:\(damage.id)" }
    /// Those of every model that can be installed today: which ones it had, the manifest no longer tells.
    let supportedCapabilities: [AICapability] = [.embedding, .classification]

    private var failure: BreezeError { BreezeError(.invalidFile, damage.reason, remedy: damage.remedy) }

    func availability() async -> Availability {
        .unavailable(reason: damage.reason, remedy: damage.remedy)
    }

    func load() async throws { throw failure }

    func unload() async {}

    func run(request: InferenceRequest) async throws -> InferenceResult { throw failure }
}
