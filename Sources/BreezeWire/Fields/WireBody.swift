import BreezeCore

/// A body as it came in: read once, bounded in depth and in number of values.
enum WireBody {
    /// Reads the fields of the one object that a body holds.
    static func read<Value>(
        _ bytes: [UInt8],
        _ body: (inout WireFields) throws -> Value
    ) throws -> (Value, WireRemarks) {
        let document: StrictJSON
        do {
            document = try StrictJSON(parsing: bytes)
        } catch {
            throw BreezeError(
                .invalidRequest,
                bytes.isEmpty ? "The body is empty." : "The body is not JSON: \(error.words(in: bytes)).",
                remedy: "Send one JSON object."
            )
        }
        let collector = RemarkCollector()
        var fields = try WireFields(document, at: .root, collector)
        let value = try body(&fields)
        fields.finish()
        return (value, collector.remarks)
    }
}
