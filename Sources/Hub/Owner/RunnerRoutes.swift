#if Hub
import BreezeCore
import BreezeEngine
import Foundation
import Hummingbird
import HummingbirdCore

extension HubServer {
    func addRunnerRoutes(to router: RouterGroup<HubContext>) {
        router.get("runners") { _, _ in
            let settings = try self.parts.settings.current()
            let runners = await self.parts.engine.runners().map { ShownRunner($0, settings) }
            return try Response(["runners": runners])
        }
    }

    private struct ShownRunner: Encodable {
        struct Queue: Encodable {
            let running: Int
            let waiting: Int
        }

        let id: String
        let backend: String
        let model: String?
        let capabilities: [AICapability]
        let locality: Locality
        let isMock: Bool
        let available: Bool
        let reason: String?
        let remedy: String?
        let loaded: Bool
        let pinned: Bool
        let memory: Int64?
        let parameters: [ShownSetting]
        let queue: Queue

        init(_ runner: RunnerStatus, _ settings: EngineSettings) {
            id = runner.id
            backend = String(runner.id.prefix { $0 != ":" })
            (model, capabilities, locality) = (runner.model, runner.capabilities, runner.locality)
            isMock = runner.isMock
            switch runner.availability {
            case .available: (available, reason, remedy) = (true, nil, nil)
            case .unavailable(let why, let mends): (available, reason, remedy) = (false, why, mends)
            }
            (loaded, pinned) = (runner.isLoaded, runner.residency.isPinned)
            memory = runner.residency.bytes ?? runner.memoryEstimate
            // What is a secret is neither shown nor set here.
            parameters = runner.parameters.parameters.filter { !$0.isSensitive }
                .map { ShownSetting($0, of: runner.id, settings) }
            queue = Queue(running: runner.running, waiting: runner.waiting)
        }
    }

    /// The runner's parameter that `runners.<runner>.<parameter>` names; `nil` for another setting.
    func parameter(_ path: [String]) async throws -> (runner: String, descriptor: ParameterDescriptor)? {
        guard path.count == 3, path[0] == "runners" else { return nil }
        let runners = await parts.engine.runners()
        let named = runners.first { $0.id == path[1] } ?? runners.first { $0.id.hasPrefix("\(path[1]):") }
        guard let named else {
            throw BreezeError(
                .unknownRunner,
                "There is no runner \(path[1].prefix(100)).",
                remedy: nearestName(to: path[1], in: runners.map(\.id)).map { "Did you mean \($0)?" }
            )
        }
        guard let descriptor = named.parameters.parameters.first(where: { $0.name == path[2] }) else {
            throw BreezeError(.invalidSetting, "\(path[1]) has no parameter \(path[2].prefix(100)).")
        }
        return (named.id, descriptor)
    }
}
#endif
