import Synchronization

/// The last bytes of what a process wrote to its standard error.
final class ErrorTail: Sendable {
    private let capacity: Int
    private let bytes = Mutex<[UInt8]>([])

    init(capacity: Int = 64 << 10) {
        self.capacity = capacity
    }

    func append(_ piece: UnsafeRawBufferPointer) {
        bytes.withLock { bytes in
            bytes.append(contentsOf: piece)
            // Cut seldom, so that a chatty process does not move the whole of it for every line.
            if bytes.count > 2 * capacity { bytes.removeFirst(bytes.count - capacity) }
        }
    }

    var text: String { String(decoding: bytes.withLock { $0.suffix(capacity) }, as: UTF8.self) }
}
