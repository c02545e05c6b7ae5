import BreezeCore

extension QueryFault {
    /// The one error that leaves the query's reading.
    static func error(_ message: String, _ range: Range<Int>, _ expected: String) -> BreezeError {
        BreezeError(
            .invalidRequest,
            message,
            remedy: "Write \(expected) at character \(range.lowerBound + 1).",
            underlying: QueryFault(range: range, expected: expected)
        )
    }
}
