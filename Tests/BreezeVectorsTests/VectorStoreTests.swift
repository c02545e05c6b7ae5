import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeVectors

/// Four blocks a file: 256 rows of 8 dimensions in 10,496 bytes.
struct SmallStore {
    static let bytesOfBlock = 1_088 + 64 * 8
    let layout: SegmentLayout
    let scratch: ScratchFolder

    init() throws {
        layout = try SegmentLayout(dimension: 8, blocks: 4)
        scratch = try ScratchFolder()
    }

    var folder: URL { scratch.url.appending(path: "index") }
    var file: URL { folder.appending(path: "1.vectors") }

    func open(
        encoder: String = "encoder-1",
        others: VectorStore.OtherVectors = .refuse,
        write: @escaping SegmentFile.Write = SegmentFile.writeAll
    ) throws -> VectorStore {
        try VectorStore(folder, layout, encoder: encoder, others: others, write: write)
    }

    func read() throws -> StoreReader {
        try StoreReader(folder, dimension: 8, encoder: "encoder-1", isVerified: true)
    }

    /// Whether every row has the vector that belongs to its id, and which ids these are.
    static func ids(_ index: VectorIndex) throws -> [Int64] {
        let rows = Array(index.rows { _ in true })
        let wrong = try rows.filter { try index.vector(of: $0) != VectorSamples.of(index.id(of: $0) ?? -1) }
        #expect(wrong.isEmpty)
        return rows.compactMap { index.id(of: $0) }
    }
}

@Suite struct `A store of vectors` {
    private let small: SmallStore

    init() throws { small = try SmallStore() }

    @Test func `gives back what was appended, over several files and openings`() throws {
        do {
            let store = try small.open()
            #expect(try store.append(VectorSamples.entries(0..<3)) == 0..<3)
            #expect(try store.append(VectorSamples.entries(3..<600)) == 3..<600)
            #expect(try store.append([]) == 600..<600)
            #expect(try SmallStore.ids(store.index) == Array(0..<600))
        }
        let store = try small.open()
        #expect(store.damagedCount == 0)
        #expect(try store.append(VectorSamples.entries(600..<700)) == 600..<700)
        #expect(try SmallStore.ids(store.index) == Array(0..<700))
        #expect(try SmallStore.ids(small.read().index) == Array(0..<700))
        try store.flush()
    }

    @Test func `answers like an index in memory`() async throws {
        let store = try small.open()
        try store.append(VectorSamples.entries(0..<700))
        try store.remove(stride(from: 0, to: 700, by: 3))
        var memory = VectorIndex(small.layout)
        for entry in try VectorSamples.entries(0..<700) { try memory.append(entry.vector, id: entry.id) }
        for row in stride(from: 0, to: 700, by: 3) { memory.remove(row: row) }
        for query in 0..<20 as Range<Int64> {
            let vector = try VectorSamples.of(query)
            let expected = try await memory.search(vector, limit: 9)
            #expect(try await store.index.search(vector, limit: 9) == expected)
            #expect(try await small.read().index.search(vector, limit: 9) == expected)
        }
    }

    @Test func `keeps in mind what was removed and replaced`() throws {
        do {
            let store = try small.open()
            try store.append(VectorSamples.entries(0..<300))
            try store.remove([0, 64, 65, 255, 256, 299, 299, 5_000, -1])
            try store.remove([1])
            let error = #expect(throws: BreezeError.self) {
                try store.replace(row: 0, with: VectorSamples.of(1))
            }
            #expect(error?.code == .invalidParameter)
            #expect(try store.replace(row: 2, with: VectorSamples.of(1_000)) == 300)
        }
        let store = try small.open()
        let gone = Set([0, 1, 2, 64, 65, 255, 256, 299])
        for row in 0..<300 { #expect(store.index.id(of: row) == (gone.contains(row) ? nil : Int64(row))) }
        #expect(store.index.id(of: 300) == 2)
        #expect(try store.index.vector(of: 300) == VectorSamples.of(1_000))
        #expect(store.damagedCount == 0)
    }

    @Test func `writes anew what is sparse, while others go on reading`() throws {
        let store = try small.open()
        try store.append(VectorSamples.entries(0..<1_000))
        try store.remove((256..<768).filter { $0 % 2 == 0 })
        let (before, reader) = (store.index, try small.read().index)
        let ids = Array(0..<1_000 as Range<Int64>).filter { !(256..<768).contains($0) || $0 % 2 == 1 }
        try store.compact()
        for index in [before, reader] { #expect(try SmallStore.ids(index) == ids) }
        for index in [store.index, try small.read().index] {
            #expect(try SmallStore.ids(index).sorted() == ids)
            #expect(index.generation == 1 && index.removedCount == 0)
        }
        // 744 rows: one file that was left alone, and two new ones.
        let files = try FileManager.default.contentsOfDirectory(atPath: small.folder.path)
        #expect(files.sorted() == ["1.vectors", "5.vectors", "6.vectors", "lock", "vectors.json"])
        try store.append(VectorSamples.entries(1_000..<1_100))
        #expect(try SmallStore.ids(small.read().index).sorted() == ids + Array(1_000..<1_100))
    }

    @Test func `of another encoder or dimension is refused, or started anew`() throws {
        let reader: @Sendable (Int, String) throws -> VectorIndex = { [small] in
            try VectorStore.read(small.folder, dimension: $0, encoder: $1)
        }
        var error = #expect(throws: BreezeError.self) { try reader(8, "encoder-1") }
        #expect(error?.code == .unavailable)
        do { try small.open().append(VectorSamples.entries(0..<10)) }
        error = #expect(throws: BreezeError.self) { try small.open(encoder: "encoder-2") }
        #expect(error?.code == .invalidParameter)
        error = #expect(throws: BreezeError.self) { try reader(9, "encoder-1") }
        #expect(error?.code == .invalidParameter)
        error = #expect(throws: BreezeError.self) {
            try small.open(encoder: String(repeating: "x", count: 129))
        }
        #expect(error?.code == .invalidParameter)
        #expect(try SmallStore.ids(small.open().index) == Array(0..<10))
        let anew = try small.open(encoder: "encoder-2", others: .startAnew)
        #expect(anew.index.count == 0 && anew.index.generation == 1)
        #expect(try reader(8, "encoder-2").count == 0)
        #expect(!FileManager.default.fileExists(atPath: small.file.path))
    }

    @Test func `has one writer, and takes no vector of another dimension`() throws {
        let store = try small.open()
        let error = #expect(throws: BreezeError.self) { try small.open() }
        #expect(error?.code == .busy)
        let entries = try VectorSamples.entries(0..<2) + VectorSamples.entries(0..<1, dimension: 9)
        #expect(throws: BreezeError.self) { try store.append(entries) }
        #expect(store.index.count == 0)
    }

    @Test func `is a value where its index is taken out`() throws {
        let store = try small.open()
        try store.append(VectorSamples.entries(0..<70))
        var index = store.index
        try index.append(VectorSamples.of(500), id: 500)
        try store.append(VectorSamples.entries(70..<75))
        #expect(try SmallStore.ids(index) == Array(0..<70) + [500])
        #expect(try SmallStore.ids(store.index) == Array(0..<75))
    }

    @Test func `is read by two while one writes`() async throws {
        let store = try small.open()
        try store.append(VectorSamples.entries(0..<1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask { [small] in
                    for _ in 0..<60 {
                        let read = try small.read()
                        let ids = try SmallStore.ids(read.index)
                        #expect(read.damaged == 0 && Set(ids).count == ids.count && ids.contains(0))
                        await Task.yield()
                    }
                }
            }
            for next in stride(from: 1, to: 421, by: 7) as StrideTo<Int64> {
                try store.append(VectorSamples.entries(next..<next + 7))
                if next % 70 == 1 {
                    // What is removed comes back elsewhere, and its old place is compacted.
                    try store.remove(store.index.rows { $0 >= next / 2 + 1 })
                    try store.compact()
                    try store.append(VectorSamples.entries(next / 2 + 1..<next + 7))
                }
                await Task.yield()
            }
            try await group.waitForAll()
        }
        #expect(store.index.generation == 6)
        #expect(try SmallStore.ids(small.read().index).sorted() == Array(0..<421))
    }
}
