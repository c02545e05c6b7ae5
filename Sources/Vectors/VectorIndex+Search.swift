import BreezeCore
import Foundation

/// One answer of a search.
public struct VectorMatch: Hashable, Sendable {
    public let row: Int
    public let id: Int64
    /// The cosine, from -1 to 1 but for the last digits of a `Float`.
    public let score: Float
}

extension VectorIndex {
    /// The `limit` rows with the largest cosines, the largest first; of equal ones the lower row. Rows with a cosine
    /// below the threshold are no answers, nor, where `rows` is there, any others than its own; blocks of 64 rows
    /// without one of these are not read.
    ///
    /// Looks at the rows in slices of about a millisecond, on `workers` tasks, by default one a core; a search that is
    /// cancelled ends after the slices that it is at.
    /// - Throws: ``BreezeError`` with `invalid_parameter` where the query has another dimension, the limit is negative,
    ///   the threshold is not a number or `rows` is of another generation; with `cancelled`.
    public func search(
        _ query: QuantizedVector,
        limit: Int,
        where rows: RowSet? = nil,
        threshold: Float = -.infinity,
        workers: Int? = nil
    ) async throws -> [VectorMatch] {
        try await search([query], limit: limit, where: rows, threshold: threshold, workers: workers)[0]
    }

    /// The same for many queries at once, in their order: the rows are read once for all of them.
    public func search(
        _ queries: [QuantizedVector],
        limit: Int,
        where rows: RowSet? = nil,
        threshold: Float = -.infinity,
        workers: Int? = nil
    ) async throws -> [[VectorMatch]] {
        let scan = try VectorScan(self, queries: queries, limit: limit, rows: rows, threshold: threshold)
        return try await scan.run(workers: workers ?? ProcessInfo.processInfo.activeProcessorCount)
    }
}
