/// A runner that answers piece by piece. It writes to a sink that waits for its reader, so a slow reader
/// holds the decode back and memory stays flat; the published ``Runner/run(request:)`` is an adapter on it.
public protocol StreamingRunner: Runner {
    /// Sends each piece to `sink` and returns the whole answer. The sink throws once nobody reads any more:
    /// pass the error on.
    func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult
}

extension StreamingRunner {
    public func run(request: InferenceRequest) async throws -> InferenceResult {
        try await run(request: request, into: ChunkSink(callback: request.streamingCallback))
    }
}

extension Runner {
    /// Runs any runner into `sink`. The pieces of one that is no ``StreamingRunner`` are kept until the sink
    /// has taken them, since a callback cannot be held back.
    public func stream(_ request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        if let runner = self as? any StreamingRunner {
            return try await runner.run(request: request, into: sink)
        }
        return try await relay(request, into: sink)
    }

    private func relay(_ request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        let (chunks, continuation) = AsyncStream.makeStream(of: InferenceChunk.self)
        var published = request
        published.streamingCallback = { continuation.yield($0) }
        async let delivery: Void = {
            for await chunk in chunks { try await sink.send(chunk) }
        }()
        let outcome: Result<InferenceResult, any Error>
        do { outcome = .success(try await run(request: published)) } catch { outcome = .failure(error) }
        continuation.finish()
        try await delivery
        return try outcome.get()
    }
}
