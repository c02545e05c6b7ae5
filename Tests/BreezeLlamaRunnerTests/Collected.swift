import BreezeCore
import Synchronization

/// The chunks that a sink was given.
final class Collected: Sendable {
    private let list: Mutex<[InferenceChunk]> = Mutex([])

    var chunks: [InferenceChunk] { list.withLock { $0 } }
    func add(_ chunk: InferenceChunk) { list.withLock { $0.append(chunk) } }
}
