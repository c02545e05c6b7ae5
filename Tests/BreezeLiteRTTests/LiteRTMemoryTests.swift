#if os(Linux)
import BreezeCore
import BreezeLiteRT
import Foundation
import Testing

/// Each test runs in a process of its own, so that what other tests allocate does not count.
@Suite(.needsRuntime) struct LiteRTMemoryTests {
    @Test func `models that are let go give their memory back`() async {
        await #expect(processExitsWith: .success) {
            try TinyModel.linear.withFile { file in
                let cache = file.deletingLastPathComponent().appendingPathComponent("cache")
                let library = try Runtime.library()
                // A leaked model of this size is some 100 KiB, 20 MB in all.
                try expectGrowth(under: 4 << 20, runs: 200) {
                    let model = try LiteRTModel(library: library, file: file, weightCache: cache)
                    let x = LiteRTTensor("x", [1, 1, 1, 1] as [Float], shape: [1, 4])
                    _ = try model.run(inputs: [x], outputs: ["y"])
                }
            }
        }
    }

    @Test func `loads that fail give their memory back`() async {
        await #expect(processExitsWith: .success) {
            // An operator that does not exist is found only when everything before it has been made.
            try TinyModel.unknownOperator.withFile { file in
                let library = try Runtime.library()
                try expectGrowth(under: 4 << 20, runs: 1_000) {
                    let error = #expect(throws: BreezeError.self) {
                        _ = try LiteRTModel(library: library, file: file)
                    }
                    #expect(error?.code == .loadFailed)
                }
            }
        }
    }

    @Test func `runs of the same and of other shapes do not grow the process`() async {
        await #expect(processExitsWith: .success) {
            let model = try Runtime.model(.linear)
            var round = 0
            // A leaked set of buffers would be 96 KiB a run at the least.
            try expectGrowth(under: 8 << 20, runs: 2_000) {
                round += 1
                let rows = 4096 + (round / 2) % 2
                let x = LiteRTTensor("x", [Float](repeating: 1, count: rows * 4), shape: [rows, 4])
                _ = try model.run(inputs: [x], outputs: ["y"])
            }
        }
    }

    @Test func `failing runs do not grow the process`() async {
        await #expect(processExitsWith: .success) {
            let model = try Runtime.model(.gather)
            let outside = LiteRTTensor("ids", [7] as [Int32], shape: [1])
            try expectGrowth(under: 4 << 20, runs: 10_000) {
                #expect(throws: BreezeError.self) { try model.run(inputs: [outside], outputs: ["rows"]) }
            }
        }
    }
}

/// Compares the resident size before and after, once a tenth of the runs has warmed the allocators up.
private func expectGrowth(under limit: Int, runs: Int, _ body: () throws -> Void) throws {
    for _ in 0..<max(runs / 10, 50) { try body() }
    let before = try residentSize()
    for _ in 0..<runs { try body() }
    let growth = try residentSize() - before
    #expect(growth < limit, "grew by \(growth) bytes")
}

private func residentSize() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(Int(fields[1])) * sysconf(Int32(_SC_PAGESIZE))
}
#endif
