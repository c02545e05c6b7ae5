import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeVectors

@Suite struct `An index` {
    @Test func `keeps what was appended, row by row`() throws {
        let index = try VectorSamples.index(rows: 200, dimension: 7)
        #expect(index.count == 200 && index.removedCount == 0 && index.dimension == 7)
        for row in 0..<200 {
            #expect(index.id(of: row) == Int64(row))
            #expect(try index.vector(of: row) == VectorSamples.of(Int64(row), dimension: 7))
        }
        #expect(index.id(of: 200) == nil && index.id(of: -1) == nil && index.vector(of: 200) == nil)
    }

    /// 64 rows of 384 bytes with 17 more each, and the bitmap's word: 1,000,000 rows take 401.1 MB.
    @Test func `takes less than 450 MB for a million rows of 384`() throws {
        var index = try VectorIndex(dimension: 384)
        let vector = try VectorSamples.of(1, dimension: 384)
        for row in 0..<(64 * 3) { try index.append(vector, id: Int64(row)) }
        #expect(index.bytes == 3 * (64 * (384 + 17) + 8))
        #expect(index.bytes / (64 * 3) * 1_000_000 < 450_000_000)
    }

    @Test func `forgets rows that are removed, and no others`() throws {
        var index = try VectorSamples.index(rows: 130, dimension: 8)
        for row in [0, 63, 64, 129, 129, 5_000, -1] { index.remove(row: row) }
        #expect(index.count == 126 && index.removedCount == 4)
        #expect([0, 63, 64, 129].allSatisfy { index.id(of: $0) == nil })
        #expect([1, 62, 65, 128].allSatisfy { index.id(of: $0) == Int64($0) })
    }

    @Test func `replaces a row under its id`() throws {
        var index = try VectorSamples.index(rows: 3, dimension: 8)
        let other = try VectorSamples.of(99)
        #expect(try index.replace(row: 1, with: other) == 3)
        #expect(index.id(of: 1) == nil && index.id(of: 3) == 1 && index.vector(of: 3) == other)
        let error = #expect(throws: BreezeError.self) { try index.replace(row: 1, with: other) }
        #expect(error?.code == .invalidParameter)
        #expect(index.count == 3)
    }

    @Test func `is a value: copies that share memory do not see each other's rows`() throws {
        var one = try VectorSamples.index(rows: 70, dimension: 8)
        var two = one
        try one.append(VectorSamples.of(1_000), id: 1_000)
        try two.append(VectorSamples.of(2_000), id: 2_000)
        try two.append(VectorSamples.of(2_001), id: 2_001)
        one.remove(row: 3)
        #expect(one.id(of: 70) == 1_000 && one.id(of: 71) == nil && one.id(of: 3) == nil)
        #expect(two.id(of: 70) == 2_000 && two.id(of: 71) == 2_001 && two.id(of: 3) == 3)
        for row in 0..<70 { #expect(try two.vector(of: row) == VectorSamples.of(Int64(row))) }
        #expect(try one.vector(of: 70) == VectorSamples.of(1_000))
    }

    @Test func `gives back the room of removed rows, and refuses rows chosen before`() async throws {
        var index = VectorIndex(try SegmentLayout(dimension: 8, blocks: 1))
        for id in 0..<200 as Range<Int64> { try index.append(VectorSamples.of(id), id: id) }
        let chosen = index.rows { $0 < 10 }
        for row in 64..<128 where row % 2 == 0 { index.remove(row: row) }
        index.remove(row: 0)
        let before = index.bytes
        try index.compact()
        // The second segment is half empty, the last one not full; of the first, one row alone is gone.
        #expect(
            index.generation == 1 && index.count == 167 && index.removedCount == 1 && index.bytes < before
        )
        let ids = Set(index.rows { _ in true }.compactMap { index.id(of: $0) })
        #expect(ids == Set(0..<200).subtracting([0]).subtracting((64..<128).filter { $0 % 2 == 0 }))
        for row in index.rows(where: { _ in true }) {
            #expect(try index.vector(of: row) == VectorSamples.of(#require(index.id(of: row))))
        }
        let now = index
        let error = await #expect(throws: BreezeError.self) {
            try await now.search(VectorSamples.of(1), limit: 1, where: chosen)
        }
        #expect(error?.code == .invalidParameter)
        let compacted = index.generation
        try index.compact()
        #expect(index.generation == compacted)
    }

    @Test(arguments: [0, -1, 65_537])
    func `has a dimension`(_ dimension: Int) {
        let error = #expect(throws: BreezeError.self) { try VectorIndex(dimension: dimension) }
        #expect(error?.code == .invalidParameter)
    }

    @Test func `refuses vectors of another dimension`() async throws {
        var index = try VectorSamples.index(rows: 3, dimension: 8)
        let wrong = try VectorSamples.of(1, dimension: 9)
        #expect(throws: BreezeError.self) { try index.append(wrong, id: 1) }
        #expect(throws: BreezeError.self) { try index.replace(row: 0, with: wrong) }
        #expect(index.count == 3)
        let now = index
        await #expect(throws: BreezeError.self) { try await now.search(wrong, limit: 1) }
    }
}

@Suite struct `A set of rows` {
    @Test func `holds what was put in`() throws {
        var rows = RowSet(for: try VectorSamples.index(rows: 100, dimension: 8))
        for row in [0, 63, 64, 99, 99_999] { rows.insert(row) }
        rows.remove(64)
        rows.remove(65)
        rows.remove(1_000_000)
        #expect(Array(rows) == [0, 63, 99, 99_999] && rows.count == 4)
        #expect(rows.contains(63) && !rows.contains(64) && !rows.contains(-1) && !rows.contains(1_000_000))
    }

    @Test func `of a test of ids has the rows that have them`() throws {
        var index = try VectorSamples.index(rows: 300, dimension: 8)
        index.remove(row: 7)
        let rows = index.rows { $0 % 7 == 0 }
        #expect(Array(rows) == (0..<300).filter { $0 % 7 == 0 && $0 != 7 })
    }
}
