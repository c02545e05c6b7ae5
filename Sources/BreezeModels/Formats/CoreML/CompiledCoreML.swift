import BreezeCore
import Foundation

/// The description in a `.mlmodelc`: `metadata.json`, which Core ML's compiler writes for people and tools.
/// The rest of the folder is the compiler's own and not described.
struct CompiledCoreML {
    static let description = "metadata.json"

    let inputs: [TensorDescription]
    let outputs: [TensorDescription]
    let tree: JSONValue

    static func isOne(_ url: URL) -> Bool {
        guard let file = try? ConfigurationFile(url.appending(path: description)) else { return false }
        let tree = file.tree.arrayValue?.first
        return tree?["inputSchema"] != nil && tree?["outputSchema"] != nil
    }

    /// `nil` where the folder has none.
    init?(_ url: URL) throws {
        guard let file = try ConfigurationFile(optional: url.appending(path: Self.description)) else {
            return nil
        }
        guard let tree = file.tree.arrayValue?.first, tree.objectValue != nil else {
            throw file.invalid("it is no list with a model's description")
        }
        self.tree = tree
        inputs = (tree["inputSchema"]?.arrayValue ?? []).map(Self.port)
        outputs = (tree["outputSchema"]?.arrayValue ?? []).map(Self.port)
    }

    /// Numbers and shapes are texts there: `"[1, 80, 3000]"`, and in `shapeRange` `"[[1, 1], [1, -1]]"`.
    private static func port(_ entry: JSONValue) -> TensorDescription {
        let type = entry["dataType"]?.stringValue
        let names = [
            "Float16": "float16", "Float32": "float32", "Double": "float64", "Int32": "int32",
            "Int8": "int8", "Int64": "int64", "String": "string",
        ]
        let kind = entry["type"]?.stringValue
        return TensorDescription(
            name: entry["name"]?.stringValue ?? "",
            shape: shape(entry),
            elementType: kind == "Image" ? "image" : type.map { names[$0] ?? $0 } ?? kind
        )
    }

    private static func shape(_ entry: JSONValue) -> [TensorDimension]? {
        if let ranges = list(entry["shapeRange"])?.map({ $0.arrayValue?.compactMap(\.intValue) ?? [] }),
            !ranges.isEmpty, ranges.allSatisfy({ $0.count == 2 })
        {
            return ranges.map { range in
                range[0] == range[1]
                    ? .fixed(range[0]) : .range(from: range[0], to: range[1] < 0 ? nil : range[1])
            }
        }
        if entry["type"]?.stringValue == "Image" {
            return ["height", "width"].map { side in
                entry[side]?.stringValue.flatMap { Int($0) }.map(TensorDimension.fixed) ?? .open
            }
        }
        guard let sizes = list(entry["shape"]), !sizes.isEmpty else { return nil }
        return sizes.map { $0.intValue.map(TensorDimension.fixed) ?? .open }
    }

    private static func list(_ value: JSONValue?) -> [JSONValue]? {
        guard let text = value?.stringValue else { return nil }
        return (try? JSONValue(parsing: Array(text.utf8)))?.arrayValue
    }
}
