import COnnxRuntime

typealias CountCall = (ort_api, OpaquePointer, UnsafeMutablePointer<Int>) -> OpaquePointer?
typealias NameCall = (
    ort_api, OpaquePointer, Int, OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> OpaquePointer?
typealias TypeCall = (ort_api, OpaquePointer, Int, UnsafeMutablePointer<OpaquePointer?>) -> OpaquePointer?

extension OnnxObject {
    /// The inputs or the outputs of a session, by the three calls that list them.
    func describe(
        _ api: OnnxAPI,
        count: CountCall,
        name: NameCall,
        type: TypeCall
    ) throws(OnnxFault) -> [OnnxValueInfo] {
        let total = try api.count { count(api.table, pointer, $0) }
        let allocator = try api.make { ort_default_allocator(api.table, $0) }
        var values: [OnnxValueInfo] = []
        for index in 0..<total {
            var text: UnsafeMutablePointer<CChar>?
            try api.check(name(api.table, pointer, index, allocator, &text))
            guard let text else { throw OnnxFault(code: Int(ORT_FAIL), text: "ONNX Runtime gave no name") }
            let valueName = String(cString: text)
            api.ignore(ort_free(api.table, allocator, text))
            let info = try OnnxObject(api, release: ort_release_type_info) {
                type(api.table, pointer, index, $0)
            }
            var tensor: OpaquePointer?
            try api.check(ort_cast_to_tensor_info(api.table, info.pointer, &tensor))
            guard let tensor else {
                values.append(OnnxValueInfo(name: valueName, elementType: nil, shape: []))
                continue
            }
            let shape = try api.dimensions(of: tensor).map { $0 < 0 ? nil : $0 }
            values.append(
                OnnxValueInfo(name: valueName, elementType: try api.elementType(of: tensor), shape: shape)
            )
        }
        return values
    }
}

extension OnnxAPI {
    func elementType(of info: OpaquePointer) throws(OnnxFault) -> OnnxElementType {
        var type: Int32 = 0
        try check(ort_element_type(table, info, &type))
        return OnnxElementType(rawValue: Int(type))
    }

    /// A dimension that is not known is -1.
    func dimensions(of info: OpaquePointer) throws(OnnxFault) -> [Int] {
        let rank = try count { ort_dimension_count(table, info, $0) }
        guard rank > 0 else { return [] }
        var dimensions = [Int64](repeating: 0, count: rank)
        try check(ort_dimensions(table, info, &dimensions, rank))
        return dimensions.map { Int($0) }
    }
}
