import BreezeCore
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@testable import BreezeVectors

@Suite struct `A store of vectors that was damaged` {
    private let small: SmallStore
    /// Of 70 rows, in two blocks.
    private let whole: [UInt8]

    init() throws {
        small = try SmallStore()
        do {
            let store = try small.open()
            try store.append(VectorSamples.entries(0..<70))
            try store.remove([5, 66])
        }
        whole = Array(try Data(contentsOf: small.file))
    }

    private static let removed: Set<Int64> = [5, 66]

    /// Rows whose bytes all lie within the first `length`: a block's values stand at its end, row after row.
    private func rows(within length: Int) -> Int {
        let blocks = max(0, length - 4_096)
        let inLast = max(0, blocks % SmallStore.bytesOfBlock - 1_088) / 8
        return min(70, blocks / SmallStore.bytesOfBlock * 64 + inLast)
    }

    @Test func `by a cut at any byte has the rows before it`() throws {
        let used = 4_096 + 2 * SmallStore.bytesOfBlock
        for length in Array(stride(from: 0, to: 4_096, by: 61)) + Array(4_095...used) + [
            used + 1, whole.count,
        ] {
            try Data(whole[..<length]).write(to: small.file)
            guard length >= 4_096 else {
                let error = #expect(throws: BreezeError.self) { try small.read() }
                #expect(error?.code == .invalidFile)
                continue
            }
            let read = try small.read()
            let rows = rows(within: length)
            #expect(read.index.segments[0].rows == rows && read.damaged == 70 - rows, "length \(length)")
            #expect(try SmallStore.ids(read.index) == (0..<Int64(rows)).filter { !Self.removed.contains($0) })
        }
    }

    @Test func `by a cut is written on behind what is left`() throws {
        for length in stride(from: 4_096, through: 4_096 + 2 * SmallStore.bytesOfBlock, by: 37) {
            try Data(whole[..<length]).write(to: small.file)
            let rows = Int64(rows(within: length))
            let left = (0..<rows).filter { !Self.removed.contains($0) }
            do {
                let store = try small.open()
                #expect(store.damagedCount == 70 - Int(rows))
                #expect(try store.append(VectorSamples.entries(100..<170)) == Int(rows)..<Int(rows) + 70)
                #expect(try SmallStore.ids(store.index) == left + Array(100..<170))
            }
            // A row in the place of one that had been removed is not.
            let store = try small.open()
            #expect(store.damagedCount == 0)
            #expect(try SmallStore.ids(store.index) == left + Array(100..<170))
        }
    }

    @Test func `by a flipped bit lacks the row that has it, and never answers with a wrong one`() throws {
        var random = SeededGenerator(seed: 6)
        let there = (0..<70 as Range<Int64>).filter { !Self.removed.contains($0) }
        let bytes = 4_096 + 2 * SmallStore.bytesOfBlock
        for byte in stride(from: 0, to: bytes, by: Soak.isWhole ? 1 : 5) {
            var bytes = whole
            bytes[byte] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try Data(bytes).write(to: small.file)
            if byte < 160 {
                let error = #expect(throws: BreezeError.self) { try small.read() }
                #expect(error?.code == .invalidFile, "byte \(byte)")
                continue
            }
            let read = try small.read()
            let ids = try SmallStore.ids(read.index)
            #expect(there.count - ids.count == (Set(there).subtracting(ids).count), "byte \(byte)")
            #expect(ids.count >= there.count - 1)
            #expect((ids.count < there.count) == (read.damaged > 0) || isRemovalWord(byte), "byte \(byte)")
        }
    }

    /// Whether a byte belongs to the words that say which rows were removed: a fault there is told of, also where it
    /// takes no row away.
    private func isRemovalWord(_ byte: Int) -> Bool {
        let offset = (byte - 4_096) % SmallStore.bytesOfBlock
        return (1_024..<1_040).contains(offset)
    }

    /// The system may end a process within any write, and after any of its bytes.
    @Test func `by a process that dies at any byte has every row that was counted`() throws {
        let folder = small.folder.path
        let saved = small.scratch.url.appending(path: "saved").path
        try FileManager.default.copyItem(atPath: folder, toPath: saved)
        let before = (0..<70 as Range<Int64>).filter { !Self.removed.contains($0) }
        let after = before + Array(200..<260)
        // The length of the whole append: 24 bytes a row, and the count.
        let all = 60 * 24 + 8
        for budget in 0...all {
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.copyItem(atPath: saved, toPath: folder)
            do {
                let dying = DyingWriter(budget)
                let store = try small.open(write: dying.write)
                let isDone = (try? store.append(VectorSamples.entries(200..<260))) != nil
                #expect(isDone == (budget == all))
            }
            for _ in 0..<2 {
                let store = try small.open()
                let ids = try SmallStore.ids(store.index)
                #expect(
                    ids == (budget == all ? after : before) || budget > all - 8 && ids == after,
                    "\(budget)"
                )
                #expect(store.damagedCount == 0, "\(budget)")
            }
        }
    }

    @Test func `so that nobody knows what belongs to it is refused`() throws {
        let manifest = small.folder.appending(path: "vectors.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        let faults: [(String, BreezeError.Code)] = [
            ("", .invalidFile), ("{}", .invalidFile), (String(text.dropLast(2)), .invalidFile),
            (text.replacing("\"format\" : 1", with: "\"format\" : 2"), .unsupported),
            (text.replacing("\"blocks\" : 4", with: "\"blocks\" : 5"), .invalidFile),
            (text.replacing("\"dimension\" : 8", with: "\"dimension\" : 0"), .invalidParameter),
            (text.replacing("    1\n", with: "    2\n"), .inputOutput),
        ]
        for (fault, code) in faults {
            try Data(fault.utf8).write(to: manifest)
            let error = #expect(throws: BreezeError.self) { try small.read() }
            #expect(error?.code == code, "\(fault)")
        }
    }

    @Test func `by files that nobody names is rid of them`() throws {
        try Data().write(to: small.folder.appending(path: "9.vectors"))
        try Data().write(to: small.folder.appending(path: ".new-1"))
        _ = try small.open()
        let files = try FileManager.default.contentsOfDirectory(atPath: small.folder.path)
        #expect(files.sorted() == ["1.vectors", "lock", "vectors.json"])
    }
}

/// Writes so many bytes, and from then on nothing.
private final class DyingWriter: Sendable {
    private let budget: Mutex<Int>

    init(_ budget: Int) { self.budget = Mutex(budget) }

    @Sendable func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ url: URL) throws {
        let count = budget.withLock { budget in
            let count = min(budget, bytes.count)
            budget -= count
            return count
        }
        try SegmentFile.writeAll(file, UnsafeRawBufferPointer(rebasing: bytes[..<count]), offset, url)
        guard count == bytes.count else { throw CancellationError() }
    }
}
