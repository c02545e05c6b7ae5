/// Where a runner writes the pieces of its answer.
public struct ChunkSink: Sendable {
    private let deliver: @Sendable (InferenceChunk) async throws -> Void
    /// Whether anybody sees the chunks; where nobody does, those that are no part of the answer need no making.
    package let isRead: Bool

    /// `deliver` returns when there is room for the next chunk.
    public init(_ deliver: @escaping @Sendable (InferenceChunk) async throws -> Void) {
        self.init(isRead: true, deliver)
    }

    package init(
        isRead: Bool,
        _ deliver: @escaping @Sendable (InferenceChunk) async throws -> Void
    ) {
        self.deliver = deliver
        self.isRead = isRead
    }

    /// A sink that calls `callback` for each chunk, or drops them where it is `nil`.
    public init(callback: (@Sendable (InferenceChunk) -> Void)?) {
        deliver = { chunk in callback?(chunk) }
        isRead = callback != nil
    }

    /// Waits until the reader has room.
    /// - Throws: `CancellationError` once the request was cancelled or nobody reads any more.
    public func send(_ chunk: InferenceChunk) async throws {
        try Task.checkCancellation()
        try await deliver(chunk)
    }
}
