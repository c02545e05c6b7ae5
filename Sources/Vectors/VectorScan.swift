import BreezeCore
import CVectorSearch
import Synchronization

/// One search, cut into slices that workers take one after the other.
struct VectorScan: Sendable {
    private struct Slice { let segment, first, end: Int }

    /// What workers share.
    private final class Progress: Sendable { let next = Atomic(0) }

    private let index: VectorIndex
    private let queries: [QuantizedVector]
    private let limit: Int
    private let wanted: [UInt64]?
    private let threshold: Float
    private let level: vector_level
    private let slices: [Slice]
    private let progress = Progress()
    /// Called before each slice with how many were taken before.
    var onSlice: @Sendable (Int) -> Void = { _ in }

    init(
        _ index: VectorIndex,
        queries: [QuantizedVector],
        limit: Int,
        rows: RowSet?,
        threshold: Float,
        level: vector_level = vector_best_level(),
        sliceBytes: Int = 16 << 20
    ) throws {
        for query in queries { try index.check(query) }
        guard limit >= 0, !threshold.isNaN else {
            throw BreezeError(
                .invalidParameter,
                "A search takes a limit of 0 or more, here \(limit), and a threshold that is a number, here \(threshold)."
            )
        }
        guard rows.map({ $0.generation == index.generation }) ?? true else {
            throw BreezeError(
                .invalidParameter,
                "The rows to search were chosen before the index was compacted.",
                remedy: "Choose them again."
            )
        }
        self.index = index
        self.queries = queries
        // More answers than rows need no room.
        self.limit = min(limit, index.count)
        wanted = rows?.padded(to: index.wordCount)
        self.threshold = threshold
        self.level = level
        slices = Self.slices(index, bytes: sliceBytes / max(1, queries.count / 8))
    }

    /// One core reads 16 MB in about a millisecond; eight queries over them take a few.
    private static func slices(_ index: VectorIndex, bytes: Int) -> [Slice] {
        let blocks = max(1, bytes / index.layout.blockBytes)
        return index.segments.indices.flatMap { segment in
            stride(from: 0, to: index.segments[segment].live.count, by: blocks).map { first in
                Slice(
                    segment: segment,
                    first: first,
                    end: min(first + blocks, index.segments[segment].live.count)
                )
            }
        }
    }

    func run(workers: Int) async throws -> [[VectorMatch]] {
        guard limit > 0, !slices.isEmpty, !queries.isEmpty else {
            try checkCancellation()
            return queries.map { _ in [] }
        }
        let workers = min(max(1, workers), slices.count)
        if workers == 1 { return merged([try await work()]) }
        return try await withThrowingTaskGroup(of: [[vector_match]].self) { group in
            for _ in 0..<workers { group.addTask { try await work() } }
            var found: [[[vector_match]]] = []
            for try await part in group { found.append(part) }
            return merged(found)
        }
    }

    /// Takes slices until there are none; the best rows of these, for each query, in no order.
    private func work() async throws -> [[vector_match]] {
        var best = queries.map { _ in [vector_match]() }
        while true {
            try checkCancellation()
            let number = progress.next.add(1, ordering: .relaxed).oldValue
            guard number < slices.count else { return best }
            onSlice(number)
            scan(slices[number], &best)
            // A search must not keep the cores from what else waits for them.
            await Task.yield()
        }
    }

    private func checkCancellation() throws {
        guard Task.isCancelled else { return }
        throw BreezeError(.cancelled, "The search was cancelled.")
    }

    private func scan(_ slice: Slice, _ best: inout [[vector_match]]) {
        let heaps = UnsafeMutablePointer<vector_match>.allocate(capacity: limit * queries.count)
        defer { heaps.deallocate() }
        let values = queries.flatMap(\.values)
        values.withUnsafeBufferPointer { values in
            var state = queries.indices.map { number in
                let heap = heaps + number * limit
                heap.initialize(from: best[number], count: best[number].count)
                return vector_query(
                    values: values.baseAddress.map { $0 + number * index.dimension },
                    scale: queries[number].scale,
                    threshold: threshold,
                    best: heap,
                    limit: UInt32(limit),
                    count: UInt32(best[number].count)
                )
            }
            state.withUnsafeMutableBufferPointer { scan(slice, $0) }
            for (number, query) in state.enumerated() {
                best[number] = Array(UnsafeBufferPointer(start: query.best, count: Int(query.count)))
            }
        }
    }

    private func scan(_ slice: Slice, _ state: UnsafeMutableBufferPointer<vector_query>) {
        guard let wanted else { return scan(slice, state, nil) }
        wanted.withUnsafeBufferPointer {
            scan(slice, state, $0.baseAddress.map { $0 + slice.segment * index.layout.blocks })
        }
    }

    private func scan(
        _ slice: Slice,
        _ state: UnsafeMutableBufferPointer<vector_query>,
        _ wanted: UnsafePointer<UInt64>?
    ) {
        let segment = index.segments[slice.segment]
        vector_scan(
            level,
            segment.memory.blocks,
            index.dimension,
            UInt32(slice.first),
            UInt32(slice.end),
            UInt32(segment.rows),
            segment.live,
            wanted,
            UInt32(slice.segment * index.layout.rows),
            state.baseAddress,
            state.count
        )
    }

    private func merged(_ parts: [[[vector_match]]]) -> [[VectorMatch]] {
        queries.indices.map { number in merged(parts.flatMap { $0[number] }) }
    }

    private func merged(_ found: [vector_match]) -> [VectorMatch] {
        let best = found.sorted { $0.score == $1.score ? $0.row < $1.row : $0.score > $1.score }
        return best.prefix(limit).map { match in
            let row = Int(match.row)
            let id = index.segments[row / index.layout.rows].id(row % index.layout.rows)
            return VectorMatch(row: row, id: id, score: match.score)
        }
    }
}
