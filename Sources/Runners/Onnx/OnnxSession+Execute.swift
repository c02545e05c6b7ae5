import COnnxRuntime

/// One call of the runtime. The arrays of pointers that it takes lie on the stack; the inputs' elements are
/// lent, the outputs' elements are copied once.
extension OnnxSession {
    /// `outputs` are positions in the model's list; the inputs have been checked. Throws an `OnnxFault`.
    func execute(_ given: [OnnxTensor], _ wanted: [Int], options: OpaquePointer?) throws -> [OnnxTensor] {
        try withPointers(given.count) { (values: UnsafeMutableBufferPointer<OpaquePointer?>) in
            try withPointers(given.count) { (names: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>) in
                for (position, tensor) in given.enumerated() {
                    names[position] = inputIndex(tensor.name).flatMap { inputNames[$0] }
                }
                return try lend(given[...], into: values) {
                    try call(UnsafeBufferPointer(values), UnsafeBufferPointer(names), wanted, options)
                }
            }
        }
    }

    /// Makes one value after the other over the inputs' own memory and calls `body` while all of it is lent.
    private func lend(
        _ rest: ArraySlice<OnnxTensor>,
        into values: UnsafeMutableBufferPointer<OpaquePointer?>,
        _ body: () throws -> [OnnxTensor]
    ) throws -> [OnnxTensor] {
        guard let tensor = rest.first else { return try body() }
        return try tensor.withUnsafeBytes { bytes in
            let value = try OnnxObject(library.api, release: ort_release_value) { out in
                makeValue(tensor, over: bytes, out)
            }
            values[rest.startIndex] = value.pointer
            return try lend(rest.dropFirst(), into: values, body)
        }
    }

    private func makeValue(
        _ tensor: OnnxTensor,
        over bytes: UnsafeRawBufferPointer,
        _ out: UnsafeMutablePointer<OpaquePointer?>
    ) -> OpaquePointer? {
        withUnsafeTemporaryAllocation(of: Int64.self, capacity: tensor.shape.count) { shape in
            _ = shape.initialize(from: tensor.shape.lazy.map(Int64.init))
            // ONNX Runtime does not write to an input. It wants an address even for a tensor without
            // elements, which it then does not read.
            guard
                let address = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                    ?? UnsafeMutableRawPointer(out)
            else { return nil }
            return ort_create_tensor(
                library.api.table,
                library.memory,
                address,
                bytes.count,
                shape.baseAddress,
                shape.count,
                Int32(tensor.elementType.rawValue),
                out
            )
        }
    }

    private func call(
        _ values: UnsafeBufferPointer<OpaquePointer?>,
        _ names: UnsafeBufferPointer<UnsafePointer<CChar>?>,
        _ wanted: [Int],
        _ options: OpaquePointer?
    ) throws -> [OnnxTensor] {
        let api = library.api
        return try withPointers(wanted.count) { (results: UnsafeMutableBufferPointer<OpaquePointer?>) in
            try withPointers(wanted.count) {
                (resultNames: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>) in
                for (position, index) in wanted.enumerated() { resultNames[position] = outputNames[index] }
                guard let valuesStart = values.baseAddress, let namesStart = names.baseAddress,
                    let resultsStart = results.baseAddress, let resultNamesStart = resultNames.baseAddress
                else { return [] }
                defer { for result in results { ort_release_value(api.table, result) } }
                try api.check(
                    ort_run(
                        api.table,
                        handle.pointer,
                        options,
                        namesStart,
                        valuesStart,
                        values.count,
                        resultNamesStart,
                        wanted.count,
                        resultsStart
                    )
                )
                return try zip(wanted, results).map { index, result in
                    try read(result, name: outputs[index].name)
                }
            }
        }
    }

    private func read(_ value: OpaquePointer?, name: String) throws(OnnxFault) -> OnnxTensor {
        guard let value else {
            throw OnnxFault(code: Int(ORT_FAIL), text: "the output \"\(name)\" is absent")
        }
        let api = library.api
        let info = try OnnxObject(api, release: ort_release_tensor_info) {
            ort_tensor_info_of(api.table, value, $0)
        }
        let shape = try api.dimensions(of: info.pointer)
        let count = try api.count { ort_element_count(api.table, info.pointer, $0) }
        let type = try api.elementType(of: info.pointer)
        var data: UnsafeMutableRawPointer?
        try api.check(ort_tensor_data(api.table, value, &data))
        switch type {
        case .float:
            return OnnxTensor(name, copy(data, count, as: Float.self), shape: shape)
        case .int64:
            return OnnxTensor(name, copy(data, count, as: Int64.self), shape: shape)
        default:
            throw OnnxFault(code: Int(ORT_FAIL), text: "the output \"\(name)\" is of \(type)")
        }
    }

    private func copy<Element>(_ data: UnsafeMutableRawPointer?, _ count: Int, as _: Element.Type)
        -> [Element]
    {
        guard let data, count > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: data.assumingMemoryBound(to: Element.self), count: count))
    }

    private func withPointers<Pointer, Result>(
        _ count: Int,
        _ body: (UnsafeMutableBufferPointer<Pointer?>) throws -> Result
    ) rethrows -> Result {
        // Room for one at least: the runtime wants an address even where there is nothing to point at.
        try withUnsafeTemporaryAllocation(of: Pointer?.self, capacity: max(count, 1)) { memory in
            memory.initialize(repeating: nil)
            return try body(UnsafeMutableBufferPointer(rebasing: memory[..<count]))
        }
    }
}
