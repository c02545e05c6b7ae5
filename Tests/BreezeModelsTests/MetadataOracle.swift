import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

/// What a format's own Python package says of a file, and the files that it makes for the tests.
struct MetadataOracle {
    /// What every oracle prints; each leaves out what its format does not have.
    struct Stated: Decodable {
        var inputs: [TensorDescription]?
        var outputs: [TensorDescription]?
        var tensorCount: Int
        var parameterCount: Int?
        var name: String?
        var description: String?
        var version: String?
        var author: String?
        var license: String?
        var modelType: String?
        var properties: [String: String]?
        var opset: [String: Int]?
        var irVersion: Int?
        var producer: String?
        var signatures: [String]?
        var entries: [String]?
        var specificationVersion: Int?
    }

    private struct Wish: Encodable { let make: Bool }

    /// Runs `metadata_NAME.py`; with `make` it writes its file or folder first.
    static func run<Answer: Decodable>(_ name: String, _ url: URL, make: Bool = true) async throws -> Answer {
        try await Oracle.run("metadata_\(name).py", url, input: Wish(make: make))
    }

    /// Whether the venv of the tests has what the oracles import.
    static let isThere: Bool = {
        guard let python = Oracle.python else { return false }
        let root = python.deletingLastPathComponent().deletingLastPathComponent()
        let library = root.appending(path: "lib")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library.path)) ?? []
        let packages = ["onnx", "flatbuffers", "coremltools/proto", "safetensors", "gguf"]
        return versions.contains { version in
            packages.allSatisfy {
                let path = library.appending(path: "\(version)/site-packages/\($0)").path
                return FileManager.default.fileExists(atPath: path)
            }
        } && hasSchema(root)
    }()

    private static func hasSchema(_ root: URL) -> Bool {
        let runtimes = root.deletingLastPathComponent().appending(path: "runtimes/litert")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: runtimes.path)) ?? []
        return versions.contains {
            let path = runtimes.appending(path: "\($0)/schema_py_generated.py").path
            return FileManager.default.fileExists(atPath: path)
        }
    }

    static let missing: Comment = "make setup fetches the packages of the formats' makers for the tests"
}
