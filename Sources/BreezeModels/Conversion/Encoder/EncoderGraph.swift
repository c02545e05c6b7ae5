import BreezeCore
import BreezeFiles
public import Foundation

/// An encoder as a graph in one of the ``Format``s.
///
/// Output, float: `sentence_embedding`, pooled and (where the configuration says so) of length 1; or, of a
/// model with a head, `logits`, one a label.
public struct EncoderGraph: Sendable {
    public enum Format: String, Codable, Hashable, Sendable {
        /// ONNX in fp32, made of standard operators alone. Inputs, each int64 `[batch, seq]`: `input_ids`,
        /// `attention_mask` (1 for a token, 0 for padding) and, where the architecture has token types,
        /// `token_type_ids`. Output `[batch, width]` or `[batch, labels]`.
        case onnx
        /// LiteRT in fp32, one text a run, of any length: nothing is padded. Inputs, int32: `input_ids` and
        /// `positions` (the rows of the position table) `[seq]`; where pairs were asked for and the
        /// architecture has token types, `token_type_ids` `[seq]`; of MPNet `relative_positions`
        /// `[seq, seq]`, `j - i + longestSequence - 1` for row i and column j. Output `[1, width]` or
        /// `[1, labels]`.
        case liteRT = "litert-fp32"
        /// The same with the linear layers' matrices in int8, a scale for each row, and their inputs
        /// quantised row by row as they come. Norms, biases and tables stay in fp32.
        case liteRTInt8 = "litert-int8"

        /// Of the derived file. The version is raised whenever the writer changes what it writes.
        var fileName: String {
            switch self {
            case .onnx: "encoder-onnx-v2.onnx"
            case .liteRT: "encoder-litert-fp32-v1.tflite"
            case .liteRTInt8: "encoder-litert-int8-v1.tflite"
            }
        }
    }

    public let format: Format
    public let configuration: EncoderConfiguration
    private let weights: EncoderWeights
    private let writer: any EncoderGraphWriter

    /// Bytes of the file that ``write(to:progress:)`` makes.
    public var size: Int { writer.size }
    /// Numbers in the weights that the graph uses.
    public var parameterCount: Int { writer.parameterCount }

    /// Checks that every tensor is there with its shape; reads none of them. `takesPairs` gives a LiteRT graph
    /// an input for the tokens' types; without it every token is of the first one, at no cost at run time.
    /// - Throws: ``BreezeError`` `.invalidFile` naming the tensor, or `.unsupported` for a graph over 2 GiB.
    public init(
        _ format: Format = .onnx,
        configuration: EncoderConfiguration,
        weights file: SafetensorsFile,
        takesPairs: Bool = false
    ) throws {
        self.format = format
        self.configuration = configuration
        weights = EncoderWeights(file: file, architecture: configuration.architecture)
        let layout = EncoderLayout(configuration: configuration, weights: weights)
        switch format {
        case .onnx:
            var emitter = ONNXEncoderEmitter(configuration: configuration)
            try layout.emit(into: &emitter)
            writer = try ONNXWriter(graph: emitter.graph)
        case .liteRT, .liteRTInt8:
            var emitter = TFLiteEncoderEmitter(
                configuration: configuration,
                int8: format == .liteRTInt8,
                takesPairs: takesPairs
            )
            try layout.emit(into: &emitter)
            writer = try TFLiteWriter(graph: emitter.graph)
        }
    }

    /// Writes the graph to a new file, synced. Memory holds one tensor (twice, where it is transposed) and no
    /// more. Removes what it wrote when it fails.
    /// - Throws: ``BreezeError``: `.insufficientDisk`, `.inputOutput`, `.invalidFile`; `CancellationError`
    ///   between tensors.
    public func write(to url: URL, progress: (_ bytesWritten: Int) -> Void = { _ in }) throws {
        let output = try OutputFile(creating: url)
        var done = 0.0
        do {
            try writer.write(to: output) { reading in
                let share = Double(reading.tensor.elementCount) / Double(max(1, parameterCount))
                done += share * Double(size)
                progress(Int(done))
                return try weights.floats(reading)
            }
            try output.finish()
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
    }

    /// What every runtime has to answer, whatever the format.
    func probe() throws -> EncoderProbe {
        let count = min(8, configuration.longestSequence)
        let ids = (0..<count).map { Int32($0 * configuration.vocabularySize / count) }
        let output = try EncoderInterpreter.run(
            configuration: configuration,
            weights: weights.file,
            ids: ids
        )
        return EncoderProbe(ids: ids, output: output)
    }

    /// Bytes while it runs: the weights as the runtime holds them, its repacked copy of the matrices, and the
    /// activations of one text of the greatest length. For all-MiniLM-L6-v2 it says 148 MB in fp32, where ONNX
    /// Runtime 1.31 was seen to take 143 MB at most and 126 MB while it ran, and 83 MB in int8, where a process
    /// with LiteRT 2.3 was seen to take 55 MB.
    public var estimatedMemory: Int64 {
        let length = configuration.maximumLength
        let scores = 2 * configuration.heads * length * length
        let activations = length * (8 * configuration.width + 3 * configuration.intermediateWidth)
        let embeddings = configuration.vocabularySize * configuration.width
        let matrices = max(0, parameterCount - embeddings)
        let matrixBytes = format == .liteRTInt8 ? 1 : 4
        return Int64(4 * (embeddings + scores + activations) + 2 * matrixBytes * matrices)
    }

    /// - Throws: ``BreezeError`` `.insufficientMemory` where ``estimatedMemory`` passes `limit` bytes.
    public func checkMemory(limit: Int64) throws {
        guard estimatedMemory <= limit else {
            throw BreezeError(
                .insufficientMemory,
                "The model needs about \(estimatedMemory >> 20) MiB of memory; \(limit >> 20) MiB are there.",
                remedy: "Close other programs, or choose a smaller model."
            )
        }
    }
}
