#if os(Linux)
import BreezeCore
import BreezeLiteRT
import Foundation
import Testing

/// To the C stream, as a C library's message; Swift lets nobody name a variable that C may set at any time.
private func note(_ text: String) { perror(text) }

/// In processes of their own, whose standard error holds what these tests' bodies write and nothing else.
@Suite(.needsRuntime) struct LiteRTQuietTests {
    @Test func `loading, running and failing write nothing to standard error`() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            try TinyModel.linear.withFile { file in
                let cache = file.deletingLastPathComponent().appendingPathComponent("cache")
                for content in [nil, Data(), Data(repeating: 1, count: 5_000)] {
                    try content?.write(to: cache)
                    let model = try LiteRTModel(library: Runtime.library(), file: file, weightCache: cache)
                    for rows in [1, 2] {
                        let x = LiteRTTensor("x", [Float](repeating: 1, count: rows * 4), shape: [rows, 4])
                        _ = try model.run(inputs: [x], outputs: ["y"])
                    }
                }
            }
            let gather = try Runtime.model(.gather)
            _ = try? gather.run(
                inputs: [LiteRTTensor("ids", [7] as [Int32], shape: [1])],
                outputs: ["rows"]
            )
            try TinyModel.unknownOperator.withFile { file in
                _ = try? LiteRTModel(library: Runtime.library(), file: file)
            }
            try TinyModel(bytes: Array("garbage, and not a model".utf8)).withFile { file in
                _ = try? LiteRTModel(library: Runtime.library(), file: file)
            }
        }
        let written = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(written.isEmpty, "\(written)")
    }

    @Test func `what others write meanwhile arrives`() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardErrorContent]
        ) {
            let group = DispatchGroup()
            group.enter()
            Thread {
                for _ in 0..<500 { note("kept") }
                group.leave()
            }.start()
            for _ in 0..<50 { _ = try Runtime.model(.linear) }
            group.wait()
            note("end")
        }
        let written = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        let lines = written.split(separator: "\n")
        #expect(lines.count == 501)
        #expect(lines.dropLast().allSatisfy { $0.hasPrefix("kept") })
        #expect(lines.last?.hasPrefix("end") == true)
    }
}
#endif
