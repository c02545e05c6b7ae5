import BreezeCore
import Foundation

/// The list of a safetensors model's shards: which tensor lies in which file.
struct SafetensorsIndex {
    static let name = "model.safetensors.index.json"

    /// File by tensor; the files are plain names.
    let files: [String: String]
    /// Bytes of all tensors, where it is stated.
    let totalSize: Int64?

    private static let largest = 64 << 20

    /// - Throws: ``BreezeError`` `.invalidFile` naming the fault.
    init(_ url: URL) throws {
        let bytes = try FileReader.contents(of: url, limit: Self.largest)
        func damaged(_ fault: String) -> BreezeError {
            BreezeError(
                .invalidFile,
                "\(url.path) is not a valid list of shards: \(fault).",
                remedy: "Fetch the file again."
            )
        }
        let tree: JSONValue
        do { tree = try JSONValue(parsing: bytes) } catch let fault {
            throw damaged("\(fault.reason) (byte \(fault.offset))")
        }
        guard let map = tree["weight_map"]?.objectValue, !map.isEmpty else {
            throw damaged("it has no weight_map")
        }
        files = try map.mapValues { value in
            guard let name = value.stringValue, ModelFolder.isInside(name), !name.contains("/") else {
                throw damaged("a tensor lies in \"\((value.stringValue ?? value.kindName).excerpt)\"")
            }
            return name
        }
        totalSize = tree["metadata"]?["total_size"]?.intValue.map(Int64.init)
    }

    static func isOne(_ url: URL) -> Bool { (try? SafetensorsIndex(url)) != nil }
}
