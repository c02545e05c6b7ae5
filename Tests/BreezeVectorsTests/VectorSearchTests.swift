import BreezeCore
import BreezeTestSupport
import CVectorSearch
import Foundation
import Synchronization
import Testing

@testable import BreezeVectors

@Suite struct `A search` {
    /// All rows that may be answers, sorted. Integers until the end, and there the two multiplications that the
    /// header of the kernels promises.
    private func sorted(_ index: VectorIndex, _ query: QuantizedVector, _ wanted: (Int) -> Bool)
        -> [VectorMatch]
    {
        index.rows { _ in true }.filter(wanted).compactMap { row -> VectorMatch? in
            guard let vector = index.vector(of: row), let id = index.id(of: row) else { return nil }
            let sum = zip(query.values, vector.values).reduce(0) { $0 + Int($1.0) * Int($1.1) }
            return VectorMatch(row: row, id: id, score: Float(sum) * vector.scale * query.scale)
        }.sorted { ($0.score, -$0.row) > ($1.score, -$1.row) }
    }

    @Test(arguments: `A kernel`.levels)
    func `finds what sorting finds, on every kernel`(_ level: vector_level) async throws {
        var random = SeededGenerator(seed: 4)
        for dimension in [1, 3, 16, 33, 64, 100, 384] {
            var index = VectorIndex(try SegmentLayout(dimension: dimension, blocks: 3))
            for id in 0..<500 as Range<Int64> {
                try index.append(VectorSamples.random(dimension, using: &random), id: 7 * id)
            }
            for row in 0..<500 where Int.random(in: 0..<5, using: &random) == 0 { index.remove(row: row) }
            var rows = RowSet(for: index)
            // Blocks with all, with some, with few and with none.
            for row in 0..<500 where row < 64 || row / 64 % 4 == 1 && row % 3 == 0 || row % 50 == 0 {
                rows.insert(row)
            }
            let query = try VectorSamples.random(dimension, using: &random)
            for filter in [nil, rows] {
                let expected = sorted(index, query) { filter?.contains($0) ?? true }
                for (limit, workers) in [
                    (0, 1), (1, 1), (10, 1), (10, 3), (100, 2), (1_000, 2), (Int.max, 1),
                ] {
                    let scan = try VectorScan(
                        index,
                        queries: [query],
                        limit: limit,
                        rows: filter,
                        threshold: -.infinity,
                        level: level,
                        sliceBytes: 1
                    )
                    #expect(try await scan.run(workers: workers)[0] == Array(expected.prefix(limit)))
                }
            }
        }
    }

    @Test func `answers with no row below the threshold`() async throws {
        let index = try VectorSamples.index(rows: 300, dimension: 8)
        let query = try VectorSamples.of(17)
        for threshold in [-2, -0.25, 0, 0.5, 0.999, 1.5] as [Float] {
            let found = try await index.search(query, limit: 1_000, threshold: threshold)
            #expect(found == sorted(index, query) { _ in true }.filter { $0.score >= threshold })
        }
        #expect(try await index.search(query, limit: 1)[0].id == 17)
    }

    @Test func `of equal rows answers with the first ones`() async throws {
        var index = VectorIndex(try SegmentLayout(dimension: 8, blocks: 1))
        for id in 0..<300 as Range<Int64> { try index.append(VectorSamples.of(1), id: id) }
        index.remove(row: 2)
        for workers in 1...3 {
            let found = try await index.search(VectorSamples.of(1), limit: 5, workers: workers)
            #expect(found.map(\.row) == [0, 1, 3, 4, 5])
        }
    }

    @Test func `of many queries answers each as if it were alone`() async throws {
        let index = try VectorSamples.index(rows: 500, dimension: 24)
        let queries = try (0..<40).map { try VectorSamples.of(10_000 + $0, dimension: 24) }
        let rows = index.rows { $0 % 3 != 0 }
        let found = try await index.search(queries, limit: 7, where: rows, threshold: 0.1)
        for (query, found) in zip(queries, found) {
            #expect(try await index.search(query, limit: 7, where: rows, threshold: 0.1) == found)
        }
        #expect(try await index.search([], limit: 7).isEmpty)
    }

    @Test func `sees what was there when it began`() async throws {
        var index = try VectorSamples.index(rows: 100, dimension: 8)
        let before = index
        let rows = RowSet(for: index)
        for id in 100..<40_000 as Range<Int64> { try index.append(VectorSamples.of(1), id: id) }
        #expect(try await before.search(VectorSamples.of(1), limit: 1_000).count == 100)
        #expect(try await index.search(VectorSamples.of(1), limit: 50_000).count == 40_000)
        #expect(try await index.search(VectorSamples.of(1), limit: 10, where: rows).isEmpty)
    }

    @Test func `of nothing finds nothing`() async throws {
        var index = try VectorIndex(dimension: 8)
        #expect(try await index.search(VectorSamples.of(1), limit: 3).isEmpty)
        try index.append(VectorSamples.of(1), id: 1)
        index.remove(row: 0)
        #expect(try await index.search([VectorSamples.of(1), VectorSamples.of(2)], limit: 3) == [[], []])
    }

    @Test(arguments: [(-1, 0), (1, Float.nan)])
    func `refuses what it cannot mean`(_ limit: Int, _ threshold: Float) async throws {
        let index = try VectorSamples.index(rows: 1, dimension: 8)
        let error = await #expect(throws: BreezeError.self) {
            try await index.search(VectorSamples.of(1), limit: limit, threshold: threshold)
        }
        #expect(error?.code == .invalidParameter)
    }

    @Test(arguments: [1, 2])
    func `that is cancelled ends after the slices that it is at`(_ workers: Int) async throws {
        let index = try VectorSamples.index(rows: 64 * 100, dimension: 8)
        var scan = try VectorScan(
            index,
            queries: [VectorSamples.of(1)],
            limit: 1,
            rows: nil,
            threshold: 0,
            sliceBytes: 1
        )
        let search = Mutex<Task<[[VectorMatch]], any Error>?>(nil)
        let seen = Mutex(0)
        scan.onSlice = { _ in
            seen.withLock { $0 += 1 }
            search.withLock { $0?.cancel() }
        }
        // The lock is held until the task is there to be cancelled.
        let task = search.withLock { place in
            let task = Task { [scan] in try await scan.run(workers: workers) }
            place = task
            return task
        }
        let error = await #expect(throws: BreezeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(seen.withLock { $0 } <= workers)
    }
}
