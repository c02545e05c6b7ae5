import COnnxRuntime

/// What ONNX Runtime said, in its own terms. Becomes a `BreezeError` at the module's edge and stays its
/// `underlying` one.
struct OnnxFault: Error, Sendable {
    /// An `OrtErrorCode`.
    let code: Int
    let text: String

    /// The first line without the source position that ONNX Runtime puts in front, at most 300 characters:
    /// what fits into one sentence.
    var summary: String {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason given"
        return line.count > 300 ? line.prefix(300) + "…" : line
    }
}

/// The slot table of an open library.
// @unchecked: the table is constant data of a library that is never closed.
struct OnnxAPI: @unchecked Sendable {
    let table: ort_api

    /// Throws what a status holds, and releases it; a call that went well has none.
    func check(_ status: OpaquePointer?) throws(OnnxFault) {
        guard let status else { return }
        defer { ort_release_status(table, status) }
        throw OnnxFault(
            code: Int(ort_status_code(table, status)),
            text: String(cString: ort_status_message(table, status))
        )
    }

    /// For calls whose failure changes nothing for the caller: the status is released all the same.
    func ignore(_ status: OpaquePointer?) {
        if let status { ort_release_status(table, status) }
    }

    /// An object that the library made and that must go back to it; use ``OnnxObject`` where its life is a
    /// scope.
    func make(
        _ create: (UnsafeMutablePointer<OpaquePointer?>) -> OpaquePointer?
    ) throws(OnnxFault) -> OpaquePointer {
        var object: OpaquePointer?
        try check(create(&object))
        guard let object else { throw OnnxFault(code: Int(ORT_FAIL), text: "ONNX Runtime made no object") }
        return object
    }

    func count(_ read: (UnsafeMutablePointer<Int>) -> OpaquePointer?) throws(OnnxFault) -> Int {
        var count = 0
        try check(read(&count))
        return count
    }
}

/// An object of the library that is released when its owner goes out of scope, on error paths too.
struct OnnxObject: ~Copyable {
    let pointer: OpaquePointer
    private let api: OnnxAPI
    private let release: (ort_api, OpaquePointer?) -> Void

    init(
        _ api: OnnxAPI,
        release: @escaping (ort_api, OpaquePointer?) -> Void,
        create: (UnsafeMutablePointer<OpaquePointer?>) -> OpaquePointer?
    ) throws(OnnxFault) {
        pointer = try api.make(create)
        self.api = api
        self.release = release
    }

    deinit { release(api.table, pointer) }
}
