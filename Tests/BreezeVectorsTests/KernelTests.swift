import BreezeTestSupport
import CVectorSearch
import Testing

@Suite struct `A kernel` {
    /// All that this processor runs; which those are is its own to say.
    static let levels = [
        VECTOR_PORTABLE, VECTOR_NEON, VECTOR_NEON_DOT, VECTOR_AVX2, VECTOR_AVX512_VNNI,
    ].filter(vector_level_runs)

    static let dimensions =
        Array(1...130) + [191, 192, 255, 256, 257, 383, 384, 385, 767, 768, 769, 1024, 1536]

    @Test(arguments: levels)
    func `gives exact sums for random values, odd dimensions and unaligned starts`(_ level: vector_level) {
        var random = SeededGenerator(seed: 1)
        for dimension in Self.dimensions {
            let count = Int.random(in: 1...9, using: &random)
            let start = Int.random(in: 0..<64, using: &random)
            expectExact(level, dimension, count, start) { Int8.random(in: .min ... .max, using: &random) }
        }
    }

    @Test(arguments: levels)
    func `gives exact sums for extreme values, -128 among them`(_ level: vector_level) {
        var random = SeededGenerator(seed: 2)
        for dimension in Self.dimensions {
            expectExact(level, dimension, 5, 3) { -128 }
            expectExact(level, dimension, 5, 3) { 127 }
            expectExact(level, dimension, 5, 3) { [-128, 127, 0, -127].randomElement(using: &random) ?? 0 }
        }
    }

    @Test(arguments: levels)
    func `does not overflow at the largest dimension`(_ level: vector_level) {
        expectExact(level, VECTOR_MAX_DIMENSION, 2, 0) { -128 }
        var sign = 1
        expectExact(level, VECTOR_MAX_DIMENSION - 1, 2, 0) {
            sign = -sign
            return sign < 0 ? -128 : 127
        }
    }

    @Test func `is the best that runs`() {
        #expect(Self.levels.contains(vector_best_level()))
        #expect(Self.levels.allSatisfy { $0.rawValue <= vector_best_level().rawValue })
    }

    /// Query and rows begin `start` bytes behind an aligned address, and end where their memory ends.
    private func expectExact(
        _ level: vector_level,
        _ dimension: Int,
        _ count: Int,
        _ start: Int,
        _ value: () -> Int8
    ) {
        let query = (0..<dimension).map { _ in value() }
        let rows = (0..<dimension * count).map { _ in value() }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: start + rows.count, alignment: 64)
        defer { memory.deallocate() }
        let place = (memory + start).initializeMemory(as: Int8.self, from: rows, count: rows.count)
        var sums = [Int32](repeating: 7, count: count)
        vector_sums(level, query, place, count, dimension, &sums)
        let expected = (0..<count).map { row in
            (0..<dimension).reduce(0) { $0 + Int(query[$1]) * Int(rows[row * dimension + $1]) }
        }
        #expect(sums.map(Int.init) == expected, "dimension \(dimension), start \(start)")
    }
}

@Suite struct `A check` {
    /// RFC 3720, appendix B.4, and the check value of the catalogue of parametrised CRC algorithms.
    static let published: [(bytes: [UInt8], check: UInt32)] = [
        (Array(repeating: 0, count: 32), 0x8A91_36AA),
        (Array(repeating: 0xFF, count: 32), 0x62A8_AB43),
        (Array(0..<32), 0x46DD_794E),
        (Array((0..<32).reversed()), 0x113F_DB5C),
        (Array("123456789".utf8), 0xE306_9283),
    ]

    @Test(arguments: published)
    func `is CRC-32C`(_ bytes: [UInt8], _ expected: UInt32) {
        #expect(vector_crc32c(0, bytes, bytes.count) == expected)
        #expect(vector_crc32c_portable(0, bytes, bytes.count) == expected)
        let head = vector_crc32c(0, bytes, 5)
        #expect(vector_crc32c(head, Array(bytes[5...]), bytes.count - 5) == expected)
    }
}
