public import BreezeCore
import BreezeModels

/// A model that suits a device, and why it and not another one.
public struct Recommendation: Codable, Hashable, Sendable {
    public var capability: AICapability
    public var entry: CatalogEntry
    public var reason: String
}

extension ModelCatalog {
    /// From here on a device takes the larger chat model.
    public static let largeDevice: Int64 = 6_000_000_000

    /// For each capability the best model that may be recommended and that the device can run. A model that forbids
    /// commercial use, or whose terms somebody has yet to read, is never among them.
    /// `deviceMemory` is what the device has in all, `budget` what models may take of it; both in bytes.
    public func recommendations(deviceMemory: Int64, budget: Int64) -> [Recommendation] {
        let usable = entries.filter { entry in
            entry.status == .approved && entry.commercialUse == .allowed
                && ModelFit(needed: entry.estimatedMemory, free: budget, budget: budget).canRun
        }
        return [AICapability.chat, .embedding, .classification, .asr, .tts, .vlm].compactMap { capability in
            let able = usable.filter {
                $0.capabilities.contains(capability) && $0.isRecommended(for: capability)
            }
            guard let best = capability == .chat ? chat(among: able, deviceMemory) : able.first else {
                return nil
            }
            return Recommendation(
                capability: capability,
                entry: best,
                reason: reason(best, capability, deviceMemory)
            )
        }
    }

    private func chat(among able: [CatalogEntry], _ deviceMemory: Int64) -> CatalogEntry? {
        let large = deviceMemory >= Self.largeDevice
        let standard = able.filter { $0.tags.contains("recommended") }
        let ordered = standard.sorted { ($0.parameterCount ?? 0) < ($1.parameterCount ?? 0) }
        return large ? ordered.last : ordered.first
    }

    private func reason(_ entry: CatalogEntry, _ capability: AICapability, _ deviceMemory: Int64) -> String {
        let terms = "\(entry.license ?? "its licence") allows commercial use"
        guard capability == .chat else { return "the smallest that does it well; \(terms)" }
        let gigabytes = (Double(deviceMemory) / 1e8).rounded() / 10
        let side = deviceMemory >= Self.largeDevice ? "6 GB or more" : "less than 6 GB"
        return "the device has \(gigabytes) GB of memory, which is \(side); \(terms)"
    }
}

extension CatalogEntry {
    /// A chat model is recommended by its tag alone: there are many that merely work. One that also sees is no chat
    /// model first.
    fileprivate func isRecommended(for capability: AICapability) -> Bool {
        capability != .chat || (tags.contains("recommended") && !capabilities.contains(.vlm))
    }
}
