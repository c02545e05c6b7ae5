import Synchronization

/// The pieces of one answer, as they come; the last one is the whole ``InferenceResult``.
///
/// The work starts with the first iterator and belongs to it: dropping the iterator, or cancelling the task
/// that reads it, cancels the work down to the decode loop. One reader only.
public struct InferenceStream: AsyncSequence, Sendable {
    public typealias Element = InferenceChunk

    /// Chunks that may wait for the reader before the runner is held back.
    public static let defaultCapacity = 16

    private let capacity: Int
    private let produce: @Sendable (ChunkSink) async throws -> Void

    /// `produce` sends every chunk, the result included; what it throws is thrown to the reader.
    public init(
        capacity: Int = Self.defaultCapacity,
        _ produce: @escaping @Sendable (ChunkSink) async throws -> Void
    ) {
        self.capacity = capacity
        self.produce = produce
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(capacity: capacity, produce: produce)
    }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private let work: Work

        fileprivate init(capacity: Int, produce: @escaping @Sendable (ChunkSink) async throws -> Void) {
            work = Work(capacity: capacity, produce: produce)
        }

        /// Ends the work, from wherever; its reader gets a `CancellationError`.
        public func cancel() { work.stop() }

        public mutating func next() async throws -> InferenceChunk? {
            try await work.next()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> InferenceChunk? {
            try await work.next()
        }
    }

    /// Ties the producing task's life to the iterator's.
    private final class Work: Sendable {
        private let channel: BoundedChannel<InferenceChunk>
        private let task: Task<Void, Never>
        private let isStopped = Atomic(false)

        init(capacity: Int, produce: @escaping @Sendable (ChunkSink) async throws -> Void) {
            let channel = BoundedChannel<InferenceChunk>(capacity: capacity)
            self.channel = channel
            task = Task {
                do {
                    try await produce(ChunkSink { try await channel.send($0) })
                    channel.finish()
                } catch {
                    channel.finish(throwing: error)
                }
            }
        }

        deinit { stop() }

        func stop() {
            isStopped.store(true, ordering: .relaxed)
            task.cancel()
            channel.abandon()
        }

        func next() async throws -> InferenceChunk? {
            if !Task.isCancelled, let chunk = channel.receiveAtOnce() { return chunk }
            return try await withTaskCancellationHandler {
                try Task.checkCancellation()
                let chunk = try await channel.receive()
                // A cancelled reader is woken by the channel's end, which must not look like the answer's.
                if chunk == nil, isStopped.load(ordering: .relaxed) { throw CancellationError() }
                return chunk
            } onCancel: {
                stop()
            }
        }
    }
}
