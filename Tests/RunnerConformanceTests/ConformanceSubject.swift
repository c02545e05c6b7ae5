import BreezeCore
import Testing

/// A runner as the conformance suite sees it. Every runner has an entry in ``all``.
struct ConformanceSubject: Sendable, CustomTestStringConvertible {
    let name: String
    /// A fresh one, not loaded.
    let make: @Sendable () async throws -> any Runner
    /// One that answers in at least `steps` chunks.
    let request: InferenceRequest
    let steps: Int
    /// One that the runner takes and cannot answer, with the code of its error.
    let impossible: (request: InferenceRequest, code: BreezeError.Code)

    var testDescription: String { name }
}
