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

    private var remedy: String { "breeze models remove \(damage.id), then import it again" }

    func availability() async -> Availability { .unavailable(reason: damage.reason, remedy: remedy) }

    func load() async throws {
        throw BreezeError(.invalidFile, damage.reason, remedy: remedy)
    }

    func unload() async {}

    func run(request: InferenceRequest) async throws -> InferenceResult {
        throw BreezeError(.invalidFile, damage.reason, remedy: remedy)
    }
}
