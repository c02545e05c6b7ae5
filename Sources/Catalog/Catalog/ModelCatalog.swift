import BreezeCore
import Foundation

/// The models that Breeze recommends, or knows enough of to say what they cost.
public struct ModelCatalog: Sendable {
    private struct Document: Codable {
        let version: Int
        let models: [CatalogEntry]
    }

    public let entries: [CatalogEntry]

    public init(_ entries: [CatalogEntry]) {
        self.entries = entries
    }

    /// The one that ships with Breeze.
    /// - Throws: ``BreezeError`` `.internalError`; the tests keep it from happening.
    public static func builtIn() throws -> ModelCatalog {
        do {
            let data = Data(PackageResources.catalog_json)
            return ModelCatalog(try JSONDecoder().decode(Document.self, from: data).models)
        } catch {
            throw BreezeError(.internalError, "The built-in catalog cannot be read.", underlying: error)
        }
    }

    public func entry(_ id: String) -> CatalogEntry? { entries.first { $0.id == id } }

    /// Entries whose name, publisher, capability, format or licence has every word of `text`; all of them for none.
    public func search(_ text: String) -> [CatalogEntry] {
        let words = text.lowercased().split(separator: " ")
        return entries.filter { entry in
            let hay =
                ([entry.id, entry.name, entry.publisher, entry.format.name, entry.license ?? ""]
                + entry.capabilities.map(\.rawValue) + entry.tags).joined(separator: " ").lowercased()
            return words.allSatisfy { hay.contains($0) }
        }
    }
}
