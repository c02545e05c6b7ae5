import BreezeCore
import Foundation

/// The tensors of an encoder, found under either of the names that publishers use, with the shapes that the
/// configuration demands. Reads one tensor at a time.
struct EncoderWeights {
    let file: SafetensorsFile
    /// `bert.` where the encoder was saved inside a model with a head, else empty.
    private let prefix: String

    init(file: SafetensorsFile) {
        self.file = file
        let word = "embeddings.word_embeddings.weight"
        self.prefix = file.tensors[word] == nil && file.tensors["bert." + word] != nil ? "bert." : ""
    }

    /// - Throws: ``BreezeError`` `.invalidFile` where it is missing or has another shape or type.
    func tensor(_ name: String, shape: [Int]) throws -> SafetensorsFile.Tensor {
        // Checkpoints converted from TensorFlow call the norm's parameters gamma and beta.
        let old = name.replacing("LayerNorm.weight", with: "LayerNorm.gamma")
            .replacing("LayerNorm.bias", with: "LayerNorm.beta")
        guard let tensor = file.tensors[prefix + name] ?? file.tensors[prefix + old] else {
            throw invalid("it has no tensor \"\(name)\"")
        }
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

    /// - Throws: ``BreezeError`` `.invalidFile` where the file has more layers than `count`.
    func checkLayers(_ count: Int) throws {
        let next = prefix + "encoder.layer.\(count)."
        if file.tensors.keys.contains(where: { $0.hasPrefix(next) }) {
            throw invalid("it has more than the \(count) layers of the configuration")
        }
    }

    /// The elements as `reading` wants them.
    /// - Throws: ``BreezeError`` `.invalidFile` where one is not a number or infinite.
    func floats(_ reading: WeightReading) throws -> [Float] {
        let tensor = reading.tensor
        var values = try file.floats(of: tensor)
        // All exponent bits set means infinite or not a number. Gathered without a branch, which vectorises.
        let worst = values.reduce(into: UInt32(0)) { $0 = max($0, $1.bitPattern & 0x7F80_0000) }
        guard worst < 0x7F80_0000 else {
            throw invalid("tensor \"\(tensor.name)\" holds a value that is not a finite number")
        }
        if reading.factor != 1 {
            for index in values.indices { values[index] *= reading.factor }
        }
        guard reading.transposed else { return values }
        let rows = tensor.shape[0]
        let columns = tensor.shape[1]
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
    /// With the two dimensions of a matrix swapped.
    var transposed = false
    /// What each element is multiplied by.
    var factor: Float = 1

    var shape: [Int] { transposed ? tensor.shape.reversed() : tensor.shape }
}
