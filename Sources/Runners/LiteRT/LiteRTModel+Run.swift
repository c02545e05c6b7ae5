import BreezeCore
import CLiteRt
import Foundation

extension LiteRTModel {
    /// Runs the model on the caller's thread and blocks it. A run whose input shapes are those of the last
    /// one uses its buffers; another shape costs some tens of microseconds.
    ///
    /// Every input that the model declares is needed; the outputs come in the order of `outputs`. Throws
    /// `.invalidRequest` for inputs or output names that do not fit the model, `.unsupported` for an output
    /// that is neither of floats nor of 32-bit integers, or `.runFailed`.
    public func run(inputs given: [LiteRTTensor], outputs names: [String]) throws -> [LiteRTTensor] {
        let tensors = try check(inputs: given)
        let wanted = try check(outputs: names)
        do throws(LiteRTFault) {
            let buffers = try prepare(tensors.map(\.shape))
            for (index, tensor) in tensors.enumerated() { try buffers.fill(index, with: tensor) }
            try buffers.run(compiled)
            var results: [LiteRTTensor] = []
            for index in wanted { results.append(try buffers.read(index, outputs[index])) }
            return results
        } catch {
            // What a failure leaves behind in the compiled model is not known: the next run sets it up anew.
            buffers = nil
            throw failure(error)
        }
    }

    private func prepare(_ shapes: [[Int]]) throws(LiteRTFault) -> LiteRTBuffers {
        if let buffers, buffers.inputShapes == shapes { return buffers }
        // The old ones go first: never are both held.
        buffers = nil
        let made = try LiteRTBuffers(self, inputShapes: shapes)
        buffers = made
        return made
    }

    private func failure(_ fault: LiteRTFault) -> BreezeError {
        var fault = fault
        fault.notes += takeMessages()
        return BreezeError(
            .runFailed,
            "\(file.lastPathComponent) failed: \(fault.summary)",
            remedy: "Check that the inputs' values and shapes fit the model.",
            underlying: fault
        )
    }

    /// What LiteRT has kept for the caller since the last time.
    private func takeMessages() -> String {
        var text: UnsafeMutablePointer<CChar>?
        _ = library.api.table.error_messages(compiled.pointer, &text)
        _ = library.api.table.clear_errors(compiled.pointer)
        guard let text else { return "" }
        defer { free(text) }
        let lines = String(cString: text).split(whereSeparator: \.isNewline)
        return lines.map { "ERROR: \($0)\n" }.joined()
    }
}
