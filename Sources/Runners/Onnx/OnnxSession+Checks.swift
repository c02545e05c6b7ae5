import BreezeCore
import Foundation

/// What can be seen to be wrong before ONNX Runtime is asked, in words that name the input at fault.
extension OnnxSession {
    func check(inputs given: [OnnxTensor]) throws {
        for (position, tensor) in given.enumerated() {
            guard let index = inputIndex(tensor.name) else {
                throw misfit("has no input \"\(tensor.name)\"; it has \(list(inputs))")
            }
            guard !given[..<position].contains(where: { $0.name == tensor.name }) else {
                throw misfit("was given its input \"\(tensor.name)\" twice")
            }
            try check(tensor, fits: inputs[index])
        }
        guard given.count < inputs.count else { return }
        let missing = inputs.filter { input in !given.contains { $0.name == input.name } }
        throw misfit("also needs \(list(missing))")
    }

    func inputIndex(_ name: String) -> Int? {
        inputs.firstIndex { $0.name == name }
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
        guard let type = outputs[index].elementType, type == .float || type == .int64 else {
            let type = outputs[index].elementType.map { "of \($0)" } ?? "no tensor"
            throw BreezeError(
                .unsupported,
                "The output \"\(name)\" of \(modelPath.lastPathComponent) is \(type), "
                    + "where floats and 64-bit integers can be read.",
                remedy: "Ask for another output, or convert the model."
            )
        }
        return index
    }

    private func check(_ tensor: OnnxTensor, fits input: OnnxValueInfo) throws {
        guard input.elementType == tensor.elementType else {
            let wanted = input.elementType.map { "\($0)" } ?? "no tensor"
            throw misfit("takes \(wanted) as \"\(tensor.name)\", not \(tensor.elementType)")
        }
        guard count(tensor.shape) == tensor.count else {
            throw misfit(
                "was given \(tensor.count) elements as \"\(tensor.name)\" with shape \(tensor.shape)"
            )
        }
        let fits =
            input.shape.count == tensor.shape.count
            && zip(input.shape, tensor.shape).allSatisfy { $0 == nil || $0 == $1 }
        guard fits else {
            let wanted = input.shape.map { $0.map(String.init) ?? "any" }.joined(separator: ", ")
            throw misfit("takes shape [\(wanted)] as \"\(tensor.name)\", not \(tensor.shape)")
        }
    }

    /// The number of elements of a shape; `nil` where a dimension is negative or the number too large.
    private func count(_ shape: [Int]) -> Int? {
        var count = 1
        for dimension in shape {
            let (product, overflow) = count.multipliedReportingOverflow(by: dimension)
            guard dimension >= 0, !overflow else { return nil }
            count = product
        }
        return count
    }

    private func list(_ values: [OnnxValueInfo]) -> String {
        values.map { "\"\($0.name)\"" }.joined(separator: ", ")
    }

    private func misfit(_ text: String) -> BreezeError {
        BreezeError(
            .invalidRequest,
            "The model \(modelPath.lastPathComponent) \(text).",
            remedy: "Use the names, types and shapes that the model declares."
        )
    }
}
