#if Hub
import BreezeCore
import BreezeEngine
import Foundation

/// What a list of models shows of one: several runners of one model are one.
struct ListedModel: Sendable {
    let id: String
    let info: ModelInfo?
    let installed: Date?
    let isMock: Bool
    /// Of all its runners.
    var runners: [RunnerStatus]

    var capabilities: [AICapability] {
        runners.flatMap(\.capabilities).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

extension HubServer {
    /// Those that may be asked now, in the order of registration.
    func models() async -> [ListedModel] {
        var models: [ListedModel] = []
        for runner in await parts.engine.runners() {
            guard !runner.isMock || parts.allowsMocks, case .available = runner.availability else { continue }
            let id = ModelNames.name(of: runner)
            if let place = models.firstIndex(where: { $0.id == id }) {
                models[place].runners.append(runner)
                continue
            }
            let info = runner.model.flatMap { try? parts.models.info($0) }
            models.append(
                ListedModel(
                    id: id,
                    info: info,
                    installed: info.flatMap { parts.models.installed($0.id) },
                    isMock: runner.isMock,
                    runners: [runner]
                )
            )
        }
        return models
    }
}
#endif
