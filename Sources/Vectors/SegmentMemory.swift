import BreezeCore
import Foundation
import Synchronization

/// The blocks of one segment: memory of this process, or a mapped file.
///
/// Unchecked because of the pointer. Whoever reads, reads rows that were whole before the value that names them was
/// handed to him, and no row changes after that; rows behind them are written by the one whom ``claim(_:)`` let.
final class SegmentMemory: @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let length: Int
    let blocks: UnsafeMutableRawPointer
    /// Rows that somebody wrote or writes.
    private let claimed: Mutex<Int>
    /// What a mapped file has claimed: no row of it is written through the mapping.
    private static let never = -1

    /// Zeros. What is not written takes no memory. The first `claimed` rows are the caller's to write.
    init(_ layout: SegmentLayout, claimed: Int = 0) throws {
        self.claimed = Mutex(claimed)
        length = layout.bytes
        let flags = MAP_PRIVATE | MAP_ANON
        guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED
        else {
            throw VectorFault.noMemory(length)
        }
        (base, blocks) = (memory, memory)
    }

    /// The first `length` bytes of a file, of which the blocks begin at `offset`. Pages that the file does not have
    /// must not be touched.
    init(mapping descriptor: Int32, length: Int, offset: Int) throws {
        claimed = Mutex(Self.never)
        self.length = length
        guard let memory = mmap(nil, length, PROT_READ, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else {
            throw VectorFault.noMemory(length)
        }
        (base, blocks) = (memory, memory + offset)
    }

    deinit { munmap(base, length) }

    /// Whether the caller may write the row behind the first `row` ones: once, so that two copies of an index that
    /// share this memory do not write over each other.
    func claim(_ row: Int) -> Bool {
        claimed.withLock { next in
            guard next == row else { return false }
            next += 1
            return true
        }
    }
}
