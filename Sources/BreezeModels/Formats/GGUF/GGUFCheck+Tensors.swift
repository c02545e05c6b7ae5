import BreezeCore
import Foundation

extension GGUFCheck {
    /// llama.cpp wants the tensors one behind the other, each padded to the alignment.
    func checkTensors() throws {
        let file = fields.file
        guard !file.tensors.isEmpty else {
            throw fields.fault("it holds no tensors, only a description")
        }
        var end = 0
        for tensor in file.tensors {
            let label = "tensor \"\(tensor.name.excerpt)\""
            let count = try byteCount(of: tensor)
            guard tensor.offset == end else {
                let kind = tensor.offset < end ? "overlaps its neighbour" : "leaves a hole before it"
                throw fields.fault("\(label) \(kind), at data byte \(tensor.offset) and not \(end)")
            }
            guard count <= file.size - file.dataOffset - end else {
                throw fields.fault(
                    "\(label) ends behind the file's \(file.size) bytes: the download never finished"
                )
            }
            // No overflow: both are within the file.
            end = (end + count + file.alignment - 1) / file.alignment * file.alignment
            guard end <= file.size - file.dataOffset || tensor == file.tensors.last else {
                throw fields.fault("\(label) is the last one that the file's \(file.size) bytes hold")
            }
        }
    }

    private func byteCount(of tensor: GGUFFile.Tensor) throws -> Int {
        let label = "Tensor \"\(tensor.name.excerpt)\" in \(fields.file.url.path)"
        guard let type = tensor.type else {
            throw BreezeError(
                .unsupported,
                "\(label) has the type \(tensor.typeCode), which llama.cpp cannot run.",
                remedy: "Take another quantisation of the model, such as Q4_K_M."
            )
        }
        guard let count = tensor.byteCount else {
            throw fields.fault(
                "tensor \"\(tensor.name.excerpt)\" has rows of \(tensor.dimensions.first ?? 1) elements, "
                    + "no whole blocks of \(type.name)"
            )
        }
        // Tables of indices are whole numbers; norms and biases take part in sums and products, which the
        // processor back end has for F32 alone.
        let isVector =
            tensor.dimensions.count < 2 || tensor.name.hasSuffix("norm.weight")
            || tensor.name.hasSuffix(".bias")
        let runs = type == .i32 || (isVector ? type == .f32 : type.canBeWeight)
        guard runs else {
            throw BreezeError(
                .unsupported,
                "\(label) is a \(isVector ? "vector" : "matrix") of \(type.name), which llama.cpp cannot run.",
                remedy: "Take another quantisation of the model, such as Q4_K_M."
            )
        }
        return count
    }
}
