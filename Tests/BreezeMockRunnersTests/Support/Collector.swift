import BreezeCore
import Synchronization

/// Keeps the chunks that a runner sends.
final class Collector: Sendable {
    private let chunks = Mutex<[InferenceChunk]>([])

    var all: [InferenceChunk] { chunks.withLock { $0 } }
    var texts: [String] { all.compactMap(\.text) }
    var sink: ChunkSink { ChunkSink { chunk in self.chunks.withLock { $0.append(chunk) } } }
}
