import BreezeCore
import BreezeFiles
public import Foundation
import Synchronization

/// A ``VectorIndex`` in a folder of files, one for each 32,768 rows, which are mapped and searched where they lie.
///
/// One process writes: it opens the store. Any number of others ``read(_:dimension:encoder:isVerified:)`` what is there
/// at that moment, without waiting for the writer or being waited for. A process that dies at any moment leaves every
/// row that an ``append(_:)`` had returned for. After a power cut, rows that were not flushed may be missing or damaged,
/// which the next opening tells; ``flush()`` makes sure of them.
///
/// Vectors are made from texts that are kept elsewhere, so what is damaged is left out and counted, never guessed.
public final class VectorStore: Sendable {
    public let folder: URL
    /// Rows that opening the store found damaged or missing, and left out of ``index``.
    public let damagedCount: Int
    private let lock: FileLock
    private let state: Mutex<StoreState>

    /// What to do with vectors of another encoder, or another dimension.
    public enum OtherVectors: Sendable {
        case refuse
        /// They are removed.
        case startAnew
    }

    /// Opens a folder to write, and makes it where it is missing.
    /// - Parameters:
    ///   - folder: of its own; files in it that no index names are removed.
    ///   - dimension: of each vector, 1 to 65,536.
    ///   - encoder: what makes the vectors, with its version, at most 128 bytes; vectors of two encoders cannot be
    ///     compared.
    ///   - others: what to do where vectors of another encoder or dimension are there.
    /// - Throws: ``BreezeError``: `busy` where somebody else writes, `invalid_parameter` for other vectors that are not
    ///   to be removed, `invalid_file` where a file is damaged so that none of it can be used, `input_output`,
    ///   `insufficient_disk`.
    public convenience init(
        _ folder: URL,
        dimension: Int,
        encoder: String,
        others: OtherVectors = .refuse
    ) throws {
        let layout = try SegmentLayout(dimension: dimension)
        try self.init(folder, layout, encoder: encoder, others: others, write: SegmentFile.writeAll)
    }

    init(
        _ folder: URL,
        _ layout: SegmentLayout,
        encoder: String,
        others: OtherVectors = .refuse,
        write: @escaping SegmentFile.Write
    ) throws {
        guard encoder.utf8.count <= SegmentHeader.encoderBytes else {
            throw BreezeError(
                .invalidParameter,
                "The encoder's name is longer than \(SegmentHeader.encoderBytes) bytes."
            )
        }
        try Folder.make(folder)
        guard let lock = try FileLock.ifFree(folder.appending(path: "lock")) else {
            throw BreezeError(
                .busy,
                "Another process writes the vectors in \(folder.path).",
                remedy: "Wait until it has ended."
            )
        }
        let state = try StoreState(folder, layout, encoder: encoder, others: others, write: write)
        self.folder = folder
        self.lock = lock
        damagedCount = state.damaged
        self.state = Mutex(state)
    }

    /// What is there now; later changes are not seen in it.
    public var index: VectorIndex { state.withLock { $0.index } }

    /// Appends in the order given. Another process sees all entries of a call that fit into one file, or none.
    /// - Returns: the rows' numbers.
    /// - Throws: ``BreezeError`` with `invalid_parameter` where a vector has another dimension, before anything is
    ///   written; `insufficient_disk` or `input_output`, when rows of earlier files may have been appended.
    @discardableResult
    public func append(_ entries: [VectorEntry]) throws -> Range<Int> {
        try state.withLock { try $0.append(entries) }
    }

    /// Rows that are not there are none afterwards either.
    public func remove(_ rows: some Sequence<Int>) throws {
        let rows = Array(rows)
        try state.withLock { try $0.remove(rows) }
    }

    /// Puts another vector in the place of a row's, which gets a new number. Where the process dies in between, both
    /// rows are there, with the same id.
    /// - Throws: ``BreezeError`` with `invalid_parameter` where there is no such row, or the dimension is another one.
    public func replace(row: Int, with vector: QuantizedVector) throws -> Int {
        try state.withLock { state in
            guard let id = state.index.id(of: row) else { throw VectorFault.noRow(row) }
            let new = try state.append([VectorEntry(id: id, vector: vector)])
            try state.remove([row])
            return new.lowerBound
        }
    }

    /// Writes files anew of whose rows a quarter or more was removed; rows get other numbers. Who reads goes on reading
    /// the old ones.
    public func compact() throws {
        try state.withLock { try $0.compact() }
    }

    /// Waits until the disk has what was written.
    public func flush() throws {
        try state.withLock { try $0.flush() }
    }

    /// What another process has written so far, to be searched.
    ///
    /// Where it `isVerified`, each row is held against its check, which reads all files; else a row that the disk spoilt
    /// is found or not like any other.
    /// - Throws: ``BreezeError``: `unavailable` where there is no index, `invalid_parameter` where it holds vectors of
    ///   another encoder or dimension, `invalid_file`, `input_output`.
    public static func read(
        _ folder: URL,
        dimension: Int,
        encoder: String,
        isVerified: Bool = true
    ) throws -> VectorIndex {
        try StoreReader(folder, dimension: dimension, encoder: encoder, isVerified: isVerified).index
    }
}
