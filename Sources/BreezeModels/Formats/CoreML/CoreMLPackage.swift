import BreezeCore
import Foundation

/// The manifest of a `.mlpackage`: which of its files is the model, and which belong to it.
struct CoreMLPackage {
    static let manifest = "Manifest.json"

    let url: URL
    /// Under `Data`, by the manifest's own paths.
    let model: String
    let items: [String]

    /// Whether the folder's manifest reads like one of Core ML's, damaged or not.
    static func isOne(_ url: URL) -> Bool {
        let file = try? ConfigurationFile(url.appending(path: manifest))
        return file?.tree["itemInfoEntries"] != nil || file?.tree["rootModelIdentifier"] != nil
    }

    init(_ url: URL) throws {
        let file = try ConfigurationFile(url.appending(path: Self.manifest))
        guard let entries = file.tree["itemInfoEntries"]?.objectValue,
            let root = file.tree["rootModelIdentifier"]?.stringValue
        else { throw file.invalid("it lists no items, or does not say which of them is the model") }
        let paths = try entries.mapValues { entry in
            guard let path = entry["path"]?.stringValue, ModelFolder.isInside(path) else {
                throw file.invalid("an item has no path within the package")
            }
            return path
        }
        guard let model = paths[root] else { throw file.invalid("rootModelIdentifier names no item") }
        self.url = url
        self.model = model
        items = paths.values.sorted()
    }

    var data: URL { url.appending(path: "Data") }
}
