import BreezeLiteRT
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

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
    /// As the reference programs read it.
    struct Text: Encodable {
        let ids: [Int]
        let types: [Int]

        init(_ ids: [Int], types: [Int]? = nil) {
            self.ids = ids
            self.types = types ?? Array(repeating: 0, count: ids.count)
        }
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

    func callAsFunction(_ text: Text) throws -> [Double] {
        let configuration = graph.configuration
        let (count, longest) = (text.ids.count, configuration.longestSequence)
        let inputs = model.inputs.map { input in
            var (numbers, shape) = ([Int](), [count])
            switch input.name {
            case "input_ids": numbers = text.ids
            case "positions": numbers = text.ids.indices.map { $0 + configuration.positions - longest }
            case "token_type_ids": numbers = text.types
            case "relative_positions":
                shape = [count, count]
                for row in 0..<count { numbers += (0..<count).map { $0 - row + longest - 1 } }
            default: Issue.record("an input that nobody knows: \(input.name)")
            }
            #expect(input.shape == shape.map { _ in nil })
            return LiteRTTensor(input.name, numbers.map { Int32($0) }, shape: shape)
        }
        let labels = configuration.head?.labels.count
        let output = labels == nil ? "sentence_embedding" : "logits"
        let answer = try #require(try model.run(inputs: inputs, outputs: [output]).first)
        #expect(answer.shape == [1, labels ?? configuration.width])
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
