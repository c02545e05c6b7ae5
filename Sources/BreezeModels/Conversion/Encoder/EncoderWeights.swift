import BreezeCore
import Foundation

/// The tensors of an encoder, found under either of the names that publishers use, with the shapes that the
/// configuration demands. Reads one tensor at a time.
struct EncoderWeights {
    let file: SafetensorsFile
    /// The architecture's where the encoder was saved inside a model with a head, else empty.
    private let prefix: String

    init(file: SafetensorsFile, architecture: EncoderConfiguration.Architecture) {
        self.file = file
        let word = "embeddings.word_embeddings.weight"
        let usual = architecture.parts.prefix
        self.prefix = file.tensors[word] == nil && file.tensors[usual + word] != nil ? usual : ""
    }

    /// - Throws: ``BreezeError`` `.invalidFile` where it is missing or has another shape or type.
    func tensor(_ name: String, shape: [Int]) throws -> SafetensorsFile.Tensor {
        // Checkpoints converted from TensorFlow call the norm's parameters gamma and beta.
        let old = name.replacing("LayerNorm.weight", with: "LayerNorm.gamma")
            .replacing("LayerNorm.bias", with: "LayerNorm.beta")
        // A head's own tensors stand beside the encoder and have no prefix.
        guard let tensor = file.tensors[prefix + name] ?? file.tensors[prefix + old] ?? file.tensors[name]
        else { throw invalid("it has no tensor \"\(name)\"") }
        guard tensor.shape == shape else {
            throw invalid(
                "tensor \"\(name)\" has shape \(tensor.shape), and the configuration demands \(shape)"
            )
        }
        guard tensor.type.convertsToFloat else {
            throw invalid(
                "tensor \"\(name)\" has type \(tensor.type.rawValue), and F32, F16 or BF16 was expected"
            )
        }
        return tensor
    }

    /// The last map of a head.
    /// - Throws: ``BreezeError`` `.invalidFile` also where it has not a row for each label.
    func classifier(_ path: String, labels: Int, from width: Int) throws -> LinearWeights {
        let name = path + ".weight"
        if let shape = file.tensors[name]?.shape, shape.count == 2, shape[0] != labels {
            throw invalid(
                "tensor \"\(name)\" has \(shape[0]) rows, and id2label (or num_labels) names \(labels) labels"
            )
        }
        return LinearWeights(
            path: path,
            weight: try tensor(name, shape: [labels, width]),
            bias: try tensor(path + ".bias", shape: [labels]),
            factor: 1
        )
    }

    /// - Throws: ``BreezeError`` `.invalidFile` where the file has more layers than `count`; `path` is what
    ///   they are called.
    func checkLayers(_ path: String, count: Int) throws {
        let next = prefix + path + "\(count)."
        if file.tensors.keys.contains(where: { $0.hasPrefix(next) }) {
            throw invalid("it has more than the \(count) layers of the configuration")
        }
    }

    /// The elements as `reading` wants them.
    /// - Throws: ``BreezeError`` `.invalidFile` where one is not a number or infinite.
    func floats(_ reading: WeightReading) throws -> [Float] {
        let tensor = reading.tensor
        var values = try file.floats(of: tensor)
        guard Self.areFinite(values) else {
            throw invalid("tensor \"\(tensor.name)\" holds a value that is not a finite number")
        }
        if reading.factor != 1 {
            for index in values.indices { values[index] *= reading.factor }
        }
        if let rows = reading.rows {
            let width = tensor.shape[1]
            values = rows.flatMap { values[$0 * width..<($0 + 1) * width] }
        }
        return reading.transposed ? Self.transposed(values, columns: tensor.shape[1]) : values
    }

    /// A plain loop: it vectorises, and is quick without optimisation too.
    private static func areFinite(_ values: [Float]) -> Bool {
        values.withUnsafeBufferPointer { values in
            // All exponent bits set means infinite or not a number.
            var worst: UInt32 = 0
            var index = 0
            while index < values.count {
                let exponent = values[index].bitPattern & 0x7F80_0000
                if exponent > worst { worst = exponent }
                index += 1
            }
            return worst < 0x7F80_0000
        }
    }

    private static func transposed(_ values: [Float], columns: Int) -> [Float] {
        let rows = values.count / columns
        return [Float](unsafeUninitializedCapacity: values.count) { output, count in
            values.withUnsafeBufferPointer { input in
                for row in 0..<rows {
                    for column in 0..<columns { output[column * rows + row] = input[row * columns + column] }
                }
            }
            count = values.count
        }
    }

    private func invalid(_ fault: String) -> BreezeError {
        BreezeError(
            .invalidFile,
            "\(file.url.path) does not fit its config.json: \(fault).",
            remedy: "Fetch the model's folder again."
        )
    }
}

/// A tensor as a graph wants it.
struct WeightReading {
    let tensor: SafetensorsFile.Tensor
    /// Of a matrix, the rows to take, in order and as often as they stand here; `nil` for all of it.
    var rows: [Int]?
    /// With the two dimensions of a matrix swapped, after the rows were taken.
    var transposed = false
    /// What each element is multiplied by.
    var factor: Float = 1

    var shape: [Int] {
        let taken = rows.map { [$0.count] + tensor.shape.dropFirst() } ?? tensor.shape
        return transposed ? taken.reversed() : taken
    }
}
