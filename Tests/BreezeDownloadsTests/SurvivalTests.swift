import BreezeCore
import BreezeFiles
import BreezeTestSupport
import BreezeTransport
import Foundation
import Testing

@testable import BreezeDownloads

/// Processes that download and are killed: `breeze-test-download`.
@Suite(
    .enabled(if: Oracle.python != nil, "no Python: run make setup"),
    .enabled(if: SurvivalBench.program != nil, "breeze-test-download was not built")
)
struct `A download whose process dies` {
    @Test func `twenty times at random moments ends with the right bytes, each fetched once`() async throws {
        let size = 24_000_000
        let chunk = 1 << 20
        try await SurvivalBench.run(size: size) { bench in
            var generator = SeededGenerator(seed: 20)
            let moments = (0..<20).map { _ in Int.random(in: 1_000..<size - 2_000_000, using: &generator) }
                .sorted()
            var sent = 0
            for moment in moments {
                // So many bytes after where this one begins. There the server falls silent: however late the kill
                // comes, the download is not over before.
                let kept = bench.partSize
                let length = max(1, moment - kept)
                let due = sent + length
                try await bench.serve(#","stall_after":\#(length)"#)
                _ = try await bench.child(syncEvery: chunk).run { child in
                    try await bench.server.wait("/model", bytes: due)
                    try child.send(SIGKILL)
                }
                let log = try await bench.server.log("/model")
                sent = log.reduce(0) { $0 + $1.sent }
                // Nothing that is on the disk is asked for again.
                #expect(log.last?.rangeStart ?? 0 == kept)
            }
            try await bench.serve()
            let outcome = try await bench.child(syncEvery: chunk).run()
            #expect(outcome.output == "done \(bench.sha256)\n")
            let log = try await bench.server.log("/model")
            let served = log.reduce(0) { $0 + $1.sent }
            #expect(log.count == 21)
            #expect(served <= size + 20 * chunk, "\(served - size) bytes were sent in vain")
            #expect(served >= size)
            let file = try Data(contentsOf: bench.staging.appending(path: "model"))
            #expect(file.count == size)
        }
    }

    @Test func `two processes share one download`() async throws {
        try await SurvivalBench.run(size: 3_000_000, gate: 1_000_000) { bench in
            async let first = bench.child().run()
            try await bench.server.wait("/model", bytes: 1_000_000)
            async let second = bench.child().run { _ in try await bench.server.open(gate: "half") }
            let outputs = try await [first.output, second.output]
            #expect(outputs == ["done \(bench.sha256)\n", "done \(bench.sha256)\n"])
            #expect(try await bench.server.log("/model").count == 1)
        }
    }

    @Test func `the second goes on where the first one died`() async throws {
        try await SurvivalBench.run(size: 3_000_000, gate: 1_000_000) { bench in
            let first = Task {
                try await bench.child().run { child in
                    try await bench.server.wait("/model", bytes: 1_000_000)
                    await bench.began.pass()
                    try child.send(SIGKILL)
                }
            }
            try await bench.server.wait("/model", bytes: 1_000_000)
            let second = try await bench.child().run { _ in
                bench.began.open()
                _ = try await first.value
                try await bench.server.open(gate: "half")
            }
            #expect(second.output == "done \(bench.sha256)\n")
            let log = try await bench.server.log("/model")
            #expect(log.count == 2)
            #expect((log.last?.rangeStart ?? 0) > 0)
        }
    }
}

struct SurvivalBench: Sendable {
    static let program = TestProgram.named("breeze-test-download")

    let server: FaultServer
    let folder: ScratchFolder
    let sha256: String
    let size: Int
    let began = Gate()

    static func run(
        size: Int,
        gate: Int? = nil,
        _ body: @escaping @Sendable (SurvivalBench) async throws -> Void
    ) async throws {
        try await FaultServer.run { server in
            let sha256 = try await server.digest(seed: 7, size: size)
            let folder = try ScratchFolder()
            let bench = SurvivalBench(server: server, folder: folder, sha256: sha256, size: size)
            try await bench.serve(gate.map { #","gate":"half","gate_after":\#($0)"# } ?? "")
            try await body(bench)
        }
    }

    /// From now on; `more` are further fields of a step.
    func serve(_ more: String = "") async throws {
        try await server.script(
            "/model",
            #"[{"seed":7,"size":\#(size),"etag":"\"v7\"","piece":32768,"pause":0.002\#(more)}]"#
        )
    }

    var staging: URL { folder.url.appending(path: "staging") }
    var partSize: Int { Int(FileStatus.size(of: StagingFolder(staging).part("model")) ?? 0) }

    func child(syncEvery: Int = 8 << 20) throws -> ChildProcess {
        let program = try #require(Self.program)
        let url = try server.url("/model?Signature=s3cret").absoluteString
        let arguments = [url, staging.path, server.trustRoot.path, sha256, "\(syncEvery)"]
        return ChildProcess(program, arguments)
    }
}
