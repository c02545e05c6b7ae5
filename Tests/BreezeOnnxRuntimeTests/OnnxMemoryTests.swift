#if os(Linux)
import BreezeCore
import BreezeOnnxRuntime
import Foundation
import Testing

/// Each test runs in a process of its own, so that what other tests allocate does not count.
@Suite(.needsRuntime) struct OnnxMemoryTests {
    @Test func `a thousand runs do not grow the process`() async {
        await #expect(processExitsWith: .success) {
            let session = try await Runtime.session(.arithmetic)
            let rows = 16_384
            let a = OnnxTensor("a", [Float](repeating: 1, count: rows * 2), shape: [rows, 2])
            let b = OnnxTensor("b", [Float](repeating: 2, count: rows * 2), shape: [rows, 2])
            let k = OnnxTensor("k", [0] as [Int64], shape: [1])
            // A leaked output would be 128 KiB a run, 128 MiB in all.
            try await expectGrowth(under: 8 << 20, runs: 1_000) {
                _ = try session.runBlocking(
                    inputs: [a, b, k],
                    outputs: ["sum"],
                    cancellation: OnnxCancellation()
                )
            }
        }
    }

    @Test func `failing runs do not grow the process`() async {
        await #expect(processExitsWith: .success) {
            let session = try await Runtime.session(.arithmetic)
            let b = OnnxTensor("b", [Float](repeating: 1, count: 6), shape: [3, 2])
            // A leaked status holds its message, some hundred bytes: 7 MB in all.
            try await expectGrowth(under: 4 << 20, runs: 20_000) {
                #expect(throws: BreezeError.self) {
                    try session.runBlocking(
                        inputs: [OnnxSessionTests.a, b, OnnxSessionTests.k],
                        outputs: ["sum"],
                        cancellation: OnnxCancellation()
                    )
                }
            }
        }
    }

    @Test func `a session that is let go gives its memory back`() async {
        await #expect(processExitsWith: .success) {
            try await OnnxModel.loop.withFile { file in
                let library = try Runtime.library()
                // A leaked session of this model is some 90 KiB, 27 MB in all.
                try await expectGrowth(under: 8 << 20, runs: 300) {
                    _ = try OnnxSession(library: library, modelPath: file)
                }
            }
        }
    }
}

/// Compares the resident size before and after, once a tenth of the runs has warmed the allocators up.
private func expectGrowth(under limit: Int, runs: Int, _ body: () throws -> Void) async throws {
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
