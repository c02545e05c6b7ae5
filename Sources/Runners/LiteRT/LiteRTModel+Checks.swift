import BreezeCore
import CLiteRt
import Foundation

/// What can be seen to be wrong before LiteRT is asked, in words that name the input at fault.
extension LiteRTModel {
    /// The tensors in the order of the model's inputs.
    func check(inputs given: [LiteRTTensor]) throws -> [LiteRTTensor] {
        var byName: [String: LiteRTTensor] = [:]
        for tensor in given {
            guard let input = inputs.first(where: { $0.name == tensor.name }) else {
                throw misfit("has no input \"\(tensor.name)\"; it has \(list(inputs))")
            }
            guard byName.updateValue(tensor, forKey: tensor.name) == nil else {
                throw misfit("was given its input \"\(tensor.name)\" twice")
            }
            try check(tensor, fits: input)
        }
        let missing = inputs.filter { byName[$0.name] == nil }
        guard missing.isEmpty else { throw misfit("also needs \(list(missing))") }
        return inputs.compactMap { byName[$0.name] }
    }

    /// Where the named outputs stand in the model's list.
    func check(outputs names: [String]) throws -> [Int] {
        guard !names.isEmpty else { throw misfit("was asked for no output; it has \(list(outputs))") }
        return try names.map(outputIndex)
    }

    private func outputIndex(_ name: String) throws -> Int {
        guard let index = outputs.firstIndex(where: { $0.name == name }) else {
            throw misfit("has no output \"\(name)\"; it has \(list(outputs))")
        }
        guard [.float, .int32].contains(outputs[index].elementType) else {
            throw BreezeError(
                .unsupported,
                "The output \"\(name)\" of \(file.lastPathComponent) is of \(outputs[index].elementType), "
                    + "where floats and 32-bit integers can be read.",
                remedy: "Ask for another output, or convert the model."
            )
        }
        return index
    }

    private func check(_ tensor: LiteRTTensor, fits input: LiteRTTensorInfo) throws {
        guard input.elementType == tensor.elementType else {
            throw misfit("takes \(input.elementType) as \"\(tensor.name)\", not \(tensor.elementType)")
        }
        guard count(tensor.shape) == tensor.count else {
            throw misfit(
                "was given \(tensor.count) elements as \"\(tensor.name)\" with shape \(tensor.shape)"
            )
        }
        guard tensor.count > 0 else { throw misfit("takes at least one element as \"\(tensor.name)\"") }
        let fits =
            input.shape.count == tensor.shape.count
            && zip(input.shape, tensor.shape).allSatisfy { $0 == nil || $0 == $1 }
        guard fits else {
            let wanted = input.shape.map { $0.map(String.init) ?? "any" }.joined(separator: ", ")
            throw misfit("takes shape [\(wanted)] as \"\(tensor.name)\", not \(tensor.shape)")
        }
    }

    /// The number of elements of a shape; `nil` where a dimension is negative or a number too large for
    /// LiteRT.
    private func count(_ shape: [Int]) -> Int? {
        var count = 1
        for dimension in shape {
            let (product, overflow) = count.multipliedReportingOverflow(by: dimension)
            guard dimension >= 0, !overflow, product <= Int32.max else { return nil }
            count = product
        }
        return count
    }

    private func list(_ values: [LiteRTTensorInfo]) -> String {
        values.map { "\"\($0.name)\"" }.joined(separator: ", ")
    }

    private func misfit(_ text: String) -> BreezeError {
        BreezeError(
            .invalidRequest,
            "The model \(file.lastPathComponent) \(text).",
            remedy: "Use the names, types and shapes that the model declares."
        )
    }
}
