import CLiteRt

/// What LiteRT said, in its own terms. Becomes a `BreezeError` at the module's edge and stays its
/// `underlying` one.
struct LiteRTFault: Error, Sendable {
    /// A `LiteRtStatus`; 0 where LiteRT reported success and gave nothing.
    let status: Int
    /// What was being done, as "map the file".
    let action: String
    /// What LiteRT wrote about it; often nothing.
    var notes = ""

    /// The first note that reports an error, at most 300 characters, or else the action and the status: what
    /// fits into one sentence.
    var summary: String {
        let lines = notes.split(whereSeparator: \.isNewline)
        guard let line = lines.first(where: { $0.hasPrefix("ERROR: ") })?.dropFirst(7), !line.isEmpty else {
            return "LiteRT could not \(action) (status \(status))"
        }
        return line.count > 300 ? line.prefix(300) + "…" : String(line)
    }
}

/// The functions of an open library.
// @unchecked: the table is constant, and so is the library, which is never closed.
struct LiteRTAPI: @unchecked Sendable {
    let table: litert_api

    func check(_ status: Int32, _ action: String) throws(LiteRTFault) {
        guard status == Int32(LITERT_OK) else { throw LiteRTFault(status: Int(status), action: action) }
    }

    /// What a call wrote to where its parameter points.
    func read<Value>(
        _ action: String,
        _ initial: Value,
        _ call: (UnsafeMutablePointer<Value>) -> Int32
    ) throws(LiteRTFault) -> Value {
        var value = initial
        try check(call(&value), action)
        return value
    }

    /// A view into, or an object of, the library.
    func pointer(
        _ action: String,
        _ call: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(LiteRTFault) -> OpaquePointer {
        guard let pointer = try read(action, nil, call) else { throw LiteRTFault(status: 0, action: action) }
        return pointer
    }

    func text(
        _ action: String,
        _ call: (UnsafeMutablePointer<UnsafePointer<CChar>?>) -> Int32
    ) throws(LiteRTFault) -> String {
        guard let text = try read(action, nil, call) else { throw LiteRTFault(status: 0, action: action) }
        return String(cString: text)
    }
}

/// An object of the library: released when nothing refers to it any more, and before what it refers to
/// itself.
final class LiteRTObject {
    let pointer: OpaquePointer
    private let release: (OpaquePointer) -> Void
    private let keeping: [LiteRTObject]

    init(
        _ api: LiteRTAPI,
        _ action: String,
        keeping: [LiteRTObject] = [],
        release: @escaping (OpaquePointer) -> Void,
        create: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) throws(LiteRTFault) {
        pointer = try api.pointer(action, create)
        self.release = release
        self.keeping = keeping
    }

    deinit { release(pointer) }
}
