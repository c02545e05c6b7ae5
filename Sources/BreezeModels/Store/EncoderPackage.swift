import BreezeCore
import BreezeFiles
import Foundation

/// A folder that holds an encoder with its tokenizer, checked as a whole.
struct EncoderPackage {
    let directory: URL
    let configuration: EncoderConfiguration
    /// What an import makes of it, the one for the fastest runtime first.
    let graphs: [EncoderGraph]
    /// The element type of the weights, as the format names it.
    let weightType: String?
    /// The files that an import keeps, in a fixed order.
    let names: [String]

    static let weights = "model.safetensors"
    /// These and the weights determine the graph.
    private static let shapeFiles = [
        "config.json", "modules.json", "\(EncoderConfiguration.poolingPath)/config.json",
        "sentence_bert_config.json", PublisherConfiguration.name,
    ]
    private static let tokenizerFiles = [
        "tokenizer.json", "vocab.txt", "tokenizer_config.json", "special_tokens_map.json",
    ]
    /// What imports did not keep from the beginning.
    static let keptLater = [PublisherConfiguration.name]
    private static let formats: [EncoderGraph.Format] = [.liteRTInt8, .onnx]

    /// `name` is the model's own; `nil` for the folder's.
    /// - Throws: ``BreezeError`` naming what is missing, damaged or not supported.
    init(directory: URL, name: String? = nil) throws {
        try Self.checkPresence(in: directory)
        let configuration = try EncoderConfiguration(directory: directory, name: name)
        let file = try SafetensorsFile(url: directory.appending(path: Self.weights))
        self.graphs = try Self.formats.map {
            try EncoderGraph(
                $0,
                configuration: configuration,
                weights: file,
                takesPairs: configuration.takesPairs
            )
        }
        try VocabularyCheck.check(directory, against: configuration)
        self.directory = directory
        self.configuration = configuration
        self.weightType = file.tensors.values.max { $0.byteCount < $1.byteCount }?.type.rawValue
        self.names = ([Self.weights] + Self.shapeFiles + Self.tokenizerFiles + LicenseReader.files).filter {
            FileManager.default.fileExists(atPath: directory.appending(path: $0).path)
        }
    }

    /// Bytes that the graphs take on disk.
    var graphSize: Int64 { graphs.reduce(0) { $0 + Int64($1.size) } }

    /// Names the folder of the graphs: the same files give the same graphs.
    static func derivedKey(_ files: [ModelManifest.File]) throws -> String {
        let relevant = files.filter { $0.name == weights || shapeFiles.contains($0.name) }
        let lines = relevant.sorted { $0.name < $1.name }.map { "\($0.name) \($0.sha256)\n" }
        return try ContentHasher.digest(of: lines.joined())
    }

    private static func checkPresence(in directory: URL) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: directory.path, isDirectory: &isFolder) else {
            throw BreezeError(
                .inputOutput,
                "There is no \(directory.path).",
                remedy: "Give a model's .gguf file, or the folder that holds config.json and \(weights)."
            )
        }
        guard isFolder.boolValue else {
            throw BreezeError(
                .invalidFile,
                "\(directory.path) is neither a folder nor a GGUF file.",
                remedy: "Give a model's .gguf file, or the folder that holds config.json and \(weights)."
            )
        }
        let present = Set(StoreLayout.contents(of: directory).map(\.lastPathComponent))
        guard present.contains(weights) else { throw missingWeights(directory, present) }
        guard present.contains("config.json") else { throw missing("config.json", directory) }
        guard present.contains("tokenizer.json") || present.contains("vocab.txt") else {
            throw missing("tokenizer.json or vocab.txt", directory)
        }
    }

    private static func missing(_ name: String, _ directory: URL) -> BreezeError {
        BreezeError(
            .invalidFile,
            "\(directory.path) has no \(name).",
            remedy: "Fetch the model's whole folder, with its configuration and tokenizer."
        )
    }

    private static func missingWeights(_ directory: URL, _ present: Set<String>) -> BreezeError {
        let others: [(suffix: String, kind: String)] = [
            (".safetensors.index.json", "weights in several pieces"), (".bin", "PyTorch weights"),
            (".gguf", "a GGUF model"), (".onnx", "an ONNX model"), (".tflite", "a TensorFlow Lite model"),
        ]
        guard let found = others.first(where: { other in present.contains { $0.hasSuffix(other.suffix) } })
        else {
            return missing(weights, directory)
        }
        return BreezeError(
            .unsupported,
            "\(directory.path) holds \(found.kind) and no \(weights).",
            remedy: found.suffix == ".gguf"
                ? "Import the .gguf file itself." : "Take the edition of the model that has one \(weights)."
        )
    }
}
