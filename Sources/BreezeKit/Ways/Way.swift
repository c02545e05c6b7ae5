import BreezeCore

/// One way to an answer.
protocol Way: Sendable {
    var name: TransportReport.Way { get }

    /// The answer, its pieces sent to `sink`; `nil` where nobody reads them.
    /// - Throws: ``NothingSent`` where the next way may be tried.
    func answer(_ request: InferenceRequest, into sink: ChunkSink?) async throws -> InferenceResult
}

/// A way that is not open.
struct ClosedWay: Way {
    let name: TransportReport.Way
    let why: NothingSent

    func answer(_ request: InferenceRequest, into sink: ChunkSink?) async throws -> InferenceResult {
        throw why
    }
}
