import BreezeCore
import Foundation

/// A .tflite file, read before LiteRT does. LiteRT trusts every offset and index in a model, so that a file
/// which was cut short or changed ends the process instead of a call: whatever it would follow is held to the
/// file's bounds here, after schema.fbs. What kernels make of the numbers that they find is not looked at,
/// and neither are the weights: a file's digest is what tells that they are whole.
struct LiteRTFile {
    /// The shapes of the first signature's tensors by name, -1 for a dimension that each run may choose.
    /// LiteRT itself tells only the sizes that stand in their place.
    let inputs: [String: [Int32]]
    let outputs: [String: [Int32]]

    /// Throws `.invalidFile` for a file that is no sound model, `.loadFailed` for one that cannot be read.
    init(_ file: URL) throws {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
        guard file.isFileURL, exists, !isFolder.boolValue else {
            let place = file.isFileURL ? file.path : file.absoluteString
            throw BreezeError(
                .loadFailed,
                "There is no model file at \(place).",
                remedy: "Import the model again, or correct its path."
            )
        }
        let data: Data
        do { data = try Data(contentsOf: file, options: .alwaysMapped) } catch {
            throw BreezeError(
                .loadFailed,
                "\(file.path) cannot be read.",
                remedy: "Check the file's permissions.",
                underlying: error
            )
        }
        do { self = try data.withUnsafeBytes(Self.init) } catch let damage as FlatTable.Damage {
            throw BreezeError.unsoundModel(file, damage.reason)
        }
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(FlatTable.Damage) {
        guard bytes.count >= 8, bytes[4..<8].elementsEqual("TFL3".utf8) else {
            throw Damage(reason: "it does not begin like one")
        }
        let model = try FlatTable(rootOf: bytes)
        let graph = try LiteRTGraph(model, fileSize: bytes.count)
        guard let signature = try model.tables(7).first else { throw Damage(reason: "it has no signature") }
        let shapes = graph.subgraphs[Int(try signature.number(4) ?? 0 as UInt32)].shapes
        inputs = try Self.tensors(signature.tables(0), shapes)
        outputs = try Self.tensors(signature.tables(1), shapes)
    }

    private typealias Damage = FlatTable.Damage

    /// The indices have been checked.
    private static func tensors(
        _ maps: [FlatTable],
        _ shapes: [[Int32]]
    ) throws(FlatTable.Damage) -> [String: [Int32]] {
        var tensors: [String: [Int32]] = [:]
        for map in maps { tensors[try map.text(0) ?? ""] = shapes[Int(try map.number(1) ?? 0 as UInt32)] }
        return tensors
    }
}
