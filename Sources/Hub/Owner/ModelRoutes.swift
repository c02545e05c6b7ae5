#if Hub
import BreezeCatalog
import BreezeCore
import BreezeEngine
import BreezeModels
import Foundation
import Hummingbird
import HummingbirdCore

extension HubServer {
    func addOwnModelRoutes(to router: RouterGroup<HubContext>) {
        router.get("models") { _, _ in try Response(try await self.ownModels()) }
        router.get("models/search") { request, _ in
            let query = request.uri.queryParameters
            let all = query["all"] == "1"
            return try Response(["models": await self.search(query["q"].map(String.init) ?? "", all: all)])
        }
        router.post("models/:id/load") { request, context in
            struct Wish: Decodable { let runner: String? }
            let wish = try await request.read(Wish.self, self.options.limits, context)
            let runners = try await self.runners(ofModel: try context.part("id"))
            guard let runner = runners.first(where: { wish.runner == nil || $0.id == wish.runner }) else {
                throw BreezeError(
                    .unknownRunner,
                    "No runner \(wish.runner?.prefix(100) ?? "") takes this model.",
                    remedy: "It has \(runners.map(\.id).joined(separator: ", "))."
                )
            }
            try await self.parts.engine.load(runner.id)
            return try Response(Done())
        }
        router.post("models/:id/unload") { _, context in
            for runner in try await self.runners(ofModel: try context.part("id")) where runner.isLoaded {
                try await self.parts.engine.unload(runner.id)
            }
            return try Response(Done())
        }
        router.post("models/:id/pin") { _, context in
            let id = try context.part("id")
            _ = try await self.runners(ofModel: id)
            try self.changePins { $0.contains(id) ? $0 : $0 + [id] }
            return try Response(Done())
        }
        router.post("models/:id/unpin") { _, context in
            let id = try context.part("id")
            for runner in try await self.runners(ofModel: id) {
                try? await self.parts.engine.unpin(runner.id)
            }
            try self.changePins { pins in pins.filter { $0 != id } }
            return try Response(Done())
        }
        router.delete("models/:id") { _, context in
            try Response(["freed": try await self.remove(try context.part("id"))])
        }
        router.get("licenses") { _, _ in
            let models = try self.parts.models.store.list().models
            return try Response(["licenses": models.map(self.terms)])
        }
    }

    /// Nothing is removed that answers just now.
    func remove(_ id: String) async throws -> Int64 {
        for runner in await parts.engine.runners() where runner.model == id {
            guard runner.running == 0 else {
                throw BreezeError(
                    .modelInUse,
                    "\(id) answers a request right now.",
                    remedy: "End the request, or wait, and try again."
                )
            }
            if runner.isLoaded { try await parts.engine.unload(runner.id) }
        }
        let freed = try await parts.manager.deleteModel(id: id)
        try await parts.refresh()
        return freed
    }

    private func runners(ofModel id: String) async throws -> [RunnerStatus] {
        let all = await parts.engine.runners()
        let found = all.filter { $0.model == id }
        guard found.isEmpty else { return found }
        if let info = try? parts.models.info(id) {
            throw BreezeError(
                .noRunner,
                "No runner here takes \(id), which is \(info.format.name).",
                remedy: "See what each runner takes: breeze runners"
            )
        }
        throw Self.unknownModel(id, all.compactMap(\.model))
    }

    /// Written into the settings file, as `breeze pin` does.
    private func changePins(_ change: ([String]) -> [String]) throws {
        try parts.settings.change("residency.pinned") { value in
            let pins = change(value?.arrayValue?.compactMap(\.stringValue) ?? [])
            return pins.isEmpty ? nil : .array(pins.map { .string($0) })
        }
    }

    // MARK: - What is there

    private struct OwnModels: Encodable {
        struct Disk: Encodable {
            let models: Int64
            let free: Int64?
            let quota: Int64?
        }

        let models: [OwnModel]
        let downloads: [ModelDownloads.Status]
        let disk: Disk
    }

    private struct OwnModel: Encodable {
        var id: String
        var format: String?
        var size: Int64?
        var state: String
        var reason: String?
        var capabilities: [AICapability] = []
        var license: ModelLicense
        var source: String?
        var publisher: String?
        var loaded = false
        var pinned = false
        /// Bytes while loaded.
        var memory: Int64?
        var runners: [String] = []
        var contextLength: Int?
        var quantization: String?
    }

    private func ownModels() async throws -> OwnModels {
        let listing = try parts.models.store.list()
        let runners = await parts.engine.runners()
        let pins = try parts.settings.current().tree["residency", "pinned"]?.arrayValue ?? []
        let models = listing.models.map { manifest in
            let own = runners.filter { $0.model == manifest.info.id }
            return OwnModel(
                id: manifest.info.id,
                format: manifest.info.format.name,
                size: manifest.info.size,
                state: "ready",
                capabilities: manifest.info.capabilities,
                license: manifest.license,
                source: manifest.shownSource,
                publisher: parts.manager.catalog.entry(manifest.info.id)?.publisher,
                loaded: own.contains(where: \.isLoaded),
                pinned: own.contains { $0.residency.isPinned } || pins.contains(.string(manifest.info.id)),
                memory: own.compactMap { $0.residency.bytes ?? $0.memoryEstimate }.max(),
                runners: own.map(\.id),
                contextLength: manifest.info.contextLength,
                quantization: manifest.info.quantization
            )
        }
        let damaged = listing.damaged.map { damage in
            OwnModel(
                id: damage.id,
                state: "damaged",
                reason: damage.reason,
                license: ModelLicense(named: nil)
            )
        }
        let usage = try parts.manager.storageUsage()
        return OwnModels(
            models: models + damaged,
            downloads: downloads.list(),
            disk: OwnModels.Disk(
                models: usage.blobs + usage.derived + usage.downloads,
                free: usage.free,
                quota: parts.models.store.quota
            )
        )
    }

    private struct Terms: Encodable {
        let model: String
        let license: ModelLicense
        let text: String?
        let source: String?
        let status: ModelLicense.Status
    }

    private func terms(_ manifest: ModelManifest) -> Terms {
        let files = try? parts.models.store.files(for: manifest.info.id).files
        let names = ["license", "licence", "copying", "notice"]
        let file = files?.sorted { $0.key < $1.key }.first { name, _ in
            names.contains { name.lowercased().hasPrefix($0) }
        }
        // A licence's text is no longer than that; what is, is none.
        let text = file.flatMap { try? Data(contentsOf: $0.value) }.flatMap {
            $0.count < 256 << 10 ? String(data: $0, encoding: .utf8) : nil
        }
        return Terms(
            model: manifest.info.id,
            license: manifest.license,
            text: text,
            source: manifest.shownSource,
            status: manifest.license.status
        )
    }

    // MARK: - What can be had

    private struct Found: Encodable {
        let reference: String
        let id: String
        let name: String
        let capability: AICapability?
        let format: String
        let size: Int64?
        let memory: Int64?
        let contextLength: Int?
        let license: ModelLicense
        let publisher: String
        let fit: String
        let reason: String?
        let installed: Bool
        let gated: Bool
    }

    /// In the catalog: nothing is sent anywhere.
    private func search(_ words: String, all: Bool) async -> [Found] {
        let installed = Set((try? parts.models.store.list().models.map(\.info.id)) ?? [])
        var found: [Found] = []
        for entry in parts.manager.catalog.search(words) {
            let fit = await fit(of: entry.estimatedMemory)
            guard all || fit.canRun else { continue }
            found.append(
                Found(
                    reference: entry.id,
                    id: entry.id,
                    name: entry.name,
                    capability: entry.capabilities.first,
                    format: entry.format.name,
                    size: entry.downloadBytes,
                    memory: entry.estimatedMemory,
                    contextLength: entry.contextLength,
                    license: entry.terms,
                    publisher: entry.publisher,
                    fit: fit.word,
                    reason: fit.reason,
                    installed: installed.contains(entry.id),
                    gated: entry.tags.contains("gated-source")
                )
            )
        }
        return found
    }

    /// Whether models that need this many bytes can be loaded here.
    func fit(of bytes: Int64?) async -> ModelFit {
        let residency = await parts.engine.residency()
        let device = activity.device.memory
        let budget = residency.budget ?? device.total ?? .max
        return ModelFit(needed: bytes, free: residency.free ?? device.available ?? budget, budget: budget)
    }
}

extension ModelManifest {
    fileprivate var shownSource: String? { origin.map { "\($0.provider):\($0.repository)" } ?? info.source }
}

extension ModelFit {
    var word: String {
        switch self {
        case .fits: "fits"
        case .fitsIfOthersLeave: "fitsAfterEviction"
        case .doesNotFit: "tooLarge"
        case .unknown: "unknown"
        }
    }

    /// For a person; `nil` where there is nothing to say.
    var reason: String? {
        switch self {
        case .fits: nil
        case .fitsIfOthersLeave: "It fits when what is loaded now makes room."
        case .doesNotFit(let needs, let has):
            "It needs \(needs.formatted(.byteCount(style: .decimal))) of memory; "
                + "models may take \(has.formatted(.byteCount(style: .decimal)))."
        case .unknown: "Nobody knows how much memory it needs."
        }
    }
}
#endif
