#if Hub
import BreezeCore

/// The chunks of all choices of one call, in the order in which they come.
struct AnswerFeed: Sendable {
    private let stream: InferenceStream.Iterator?
    private let merged: Merged?

    init(_ requests: [InferenceRequest], _ service: any InferenceService) {
        if let request = requests.first, requests.count == 1 {
            stream = service.stream(request).makeAsyncIterator()
            merged = nil
        } else {
            stream = nil
            merged = Merged(requests, service)
        }
    }

    func next() async throws -> (choice: Int, chunk: InferenceChunk)? {
        if let merged { return try await merged.next() }
        var stream = stream
        return try await stream?.next().map { (0, $0) }
    }

    /// Ends every choice, from wherever.
    func cancel() {
        stream?.cancel()
        merged?.cancel()
    }

    /// Several answers at once: the first that fails ends the others.
    private final class Merged: Sendable {
        private let channel = BoundedChannel<(choice: Int, chunk: InferenceChunk)>(capacity: 16)
        private let task: Task<Void, Never>

        init(_ requests: [InferenceRequest], _ service: any InferenceService) {
            let channel = channel
            task = Task {
                do {
                    try await withThrowingTaskGroup { group in
                        for (choice, request) in requests.enumerated() {
                            group.addTask {
                                for try await chunk in service.stream(request) {
                                    try await channel.send((choice, chunk))
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                    channel.finish()
                } catch {
                    channel.finish(throwing: error)
                }
            }
        }

        deinit { cancel() }

        func next() async throws -> (choice: Int, chunk: InferenceChunk)? {
            let next = try await channel.receive()
            if next == nil, task.isCancelled { throw CancellationError() }
            return next
        }

        func cancel() {
            task.cancel()
            channel.abandon()
        }
    }
}
#endif
