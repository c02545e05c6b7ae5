/// Answers requests. The engine does so in process, a hub client over the wire; features know nothing else.
public protocol InferenceService: Sendable {
    /// The whole answer. Cancelling the calling task cancels the work.
    func run(_ request: InferenceRequest) async throws -> InferenceResult

    /// The answer piece by piece. Dropping the stream cancels the work.
    func stream(_ request: InferenceRequest) -> InferenceStream

    /// Ends the request with this id with ``BreezeError/Code/cancelled``.
    /// - Returns: Whether there was such a request.
    @discardableResult
    func cancel(_ id: String) async -> Bool

    /// What `run` would choose now, and why. Loads and runs nothing.
    func explain(_ request: InferenceRequest) async throws -> RoutingDecision
}
