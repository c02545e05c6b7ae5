import BreezeLiteRT
import BreezeModels
import BreezeTestSupport
import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    static var needsRuntime: Self {
        .enabled(if: GraphRun.hasRuntime, "LiteRT is not installed: run `make setup`")
    }

    static var needsOracle: Self {
        .enabled(if: Oracle.python != nil, "needs the Python of `make setup` (or BREEZE_PYTHON)")
    }

    static var needsMiniLM: Self {
        .enabled(if: Oracle.miniLM != nil, "needs all-MiniLM-L6-v2 from `make setup`")
    }
}

/// A model's graph, written and loaded: every text runs in the one session, whatever its length.
struct GraphRun {
    struct Text: Encodable {
        let ids: [Int]
        let types: [Int]
    }

    static var hasRuntime: Bool { (try? library()) != nil }

    private static func library() throws -> LiteRTLibrary {
        try LiteRTLibrary.locate(environment: ProcessInfo.processInfo.environment)
    }

    let graph: EncoderGraph
    let model: LiteRTModel

    init(
        _ directory: URL,
        _ format: EncoderGraph.Format,
        in folder: ScratchFolder,
        takesPairs: Bool = false
    ) throws {
        graph = try EncoderGraph(
            format,
            configuration: try EncoderConfiguration(directory: directory),
            weights: try SafetensorsFile(url: directory.appending(path: "model.safetensors")),
            takesPairs: takesPairs
        )
        let url = folder.url.appending(path: "\(format.rawValue).tflite")
        try? FileManager.default.removeItem(at: url)
        try graph.write(to: url)
        #expect(try url.resourceValues(forKeys: [.fileSizeKey]).fileSize == graph.size)
        model = try LiteRTModel(library: try Self.library(), file: url)
    }

    func embed(_ ids: [Int], types: [Int]? = nil) throws -> [Double] {
        func tensor(_ name: String, _ values: [Int]) -> LiteRTTensor {
            LiteRTTensor(name, values.map { Int32($0) }, shape: [values.count])
        }
        var inputs = [tensor("input_ids", ids), tensor("positions", Array(ids.indices))]
        if let types { inputs.append(tensor("token_type_ids", types)) }
        let answers = try model.run(inputs: inputs, outputs: ["sentence_embedding"])
        let answer = try #require(answers.first)
        #expect(answer.shape == [1, graph.configuration.width])
        return try #require(answer.floats).map(Double.init)
    }
}

/// How far vectors are apart.
enum Distance {
    static func largest(_ x: [Double], _ y: [Double]) -> Double {
        zip(x, y).map { abs($0 - $1) }.max() ?? .infinity
    }

    /// The length of the difference, in lengths of the second.
    static func relative(_ x: [Double], _ y: [Double]) -> Double {
        length(zip(x, y).map(-)) / length(y)
    }

    static func cosine(_ x: [Double], _ y: [Double]) -> Double {
        zip(x, y).map(*).reduce(0, +) / (length(x) * length(y))
    }

    private static func length(_ x: [Double]) -> Double {
        x.map { $0 * $0 }.reduce(0, +).squareRoot()
    }
}
