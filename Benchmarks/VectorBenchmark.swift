import BreezeCore
import BreezeEngine
import BreezeVectors
import Foundation

/// The vector index over rows that the asking side made.
struct VectorBenchmark {
    struct Command: Decodable {
        enum Kind: String, Decodable { case make, open, search, read, memory }

        let kind: Kind
        /// `make` and `open`: where the index is.
        let folder: String?
        /// `make`: a file of signed bytes, row after row.
        let rows: String?
        let dimension: Int?
        /// `open`: whether every row is held against its check.
        let verified: Bool?
        /// `search`: signed bytes, the components of each query one after the other.
        let queries: [[Int8]]?
        let limit: Int?
        /// `search` and `read`.
        let workers: Int?
    }

    struct Figures: Encodable {
        var seconds: Double
        var count: Int?
        /// Of mapped files.
        var bytes: Int?
        /// The first query's answers, best first.
        var ids: [Int64]?
        /// `memory`: bytes of the process in memory, on Linux with the pages of mapped files that it has touched.
        var resident: Int64?
    }

    private static let encoder = "benchmark"
    private var index: VectorIndex?

    mutating func answer(_ command: Command) async throws -> Figures {
        switch command.kind {
        case .make: return try make(command)
        case .open: return try open(command)
        case .search: return try await search(command)
        case .memory: return Figures(seconds: 0, resident: SystemProcessMemory().resident())
        case .read:
            let (index, clock) = (try opened(), Stopwatch())
            _ = await index.read(workers: command.workers ?? 1)
            return Figures(seconds: clock.wallSeconds)
        }
    }

    private func make(_ command: Command) throws -> Figures {
        let dimension = command.dimension ?? 384
        let folder = URL(filePath: command.folder ?? "")
        let rows = try Data(contentsOf: URL(filePath: command.rows ?? ""), options: .alwaysMapped)
        let clock = Stopwatch()
        let store = try VectorStore(folder, dimension: dimension, encoder: Self.encoder)
        for first in stride(from: 0, to: rows.count / dimension, by: 4_096) {
            let batch = try (first..<min(first + 4_096, rows.count / dimension)).map { row in
                let bytes = rows[row * dimension..<(row + 1) * dimension]
                let vector = try QuantizedVector(values: bytes.map { Int8(bitPattern: $0) })
                return VectorEntry(id: Int64(row), vector: vector)
            }
            try store.append(batch)
        }
        try store.flush()
        return Figures(seconds: clock.wallSeconds, count: store.index.count, bytes: store.index.bytes)
    }

    private mutating func open(_ command: Command) throws -> Figures {
        let clock = Stopwatch()
        let opened = try VectorStore.read(
            URL(filePath: command.folder ?? ""),
            dimension: command.dimension ?? 384,
            encoder: Self.encoder,
            isVerified: command.verified ?? true
        )
        index = opened
        return Figures(seconds: clock.wallSeconds, count: opened.count, bytes: opened.bytes)
    }

    private func search(_ command: Command) async throws -> Figures {
        let index = try opened()
        let queries = try (command.queries ?? []).map { try QuantizedVector(values: $0) }
        let clock = Stopwatch()
        let found = try await index.search(queries, limit: command.limit ?? 10, workers: command.workers ?? 1)
        return Figures(seconds: clock.wallSeconds, ids: found.first?.map(\.id))
    }

    private func opened() throws -> VectorIndex {
        guard let index else { throw BreezeError(.invalidRequest, "No index is open.") }
        return index
    }
}
