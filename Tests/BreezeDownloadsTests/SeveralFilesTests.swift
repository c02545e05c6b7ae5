import BreezeCore
import BreezeFiles
import BreezeTestSupport
import BreezeTransport
import Foundation
import Testing

@testable import BreezeDownloads

@Suite(.enabled(if: Oracle.python != nil, "no Python: run make setup"))
struct `A download of several files` {
    private func plan(_ bench: DownloadBench, _ count: Int) async throws -> DownloadPlan {
        var files: [DownloadPlan.File] = []
        for number in 0..<count {
            try await bench.server.script(
                "/f\(number)",
                #"[{"seed":\#(number),"size":50000,"gate":"all","gate_after":20000}]"#
            )
            files.append(
                DownloadPlan.File(
                    name: "part/\(number).bin",
                    sources: [try bench.server.url("/f\(number)")],
                    size: 50_000,
                    sha256: try await bench.server.digest(seed: number, size: 50_000)
                )
            )
        }
        return DownloadPlan(id: "several", files: files)
    }

    @Test func `fetches so many at once and no more`() async throws {
        try await DownloadBench.run { bench in
            let plan = try await plan(bench, 5)
            let fetching = Task { try await bench.fetch(plan) }
            for number in 0..<3 { try await bench.server.wait("/f\(number)", bytes: 20_000) }
            #expect(try await bench.server.log("/f3").isEmpty)
            #expect(try await bench.server.log("/f4").isEmpty)
            try await bench.server.open(gate: "all")
            let files = try await fetching.value
            #expect(files.map(\.name) == plan.files.map(\.name))
            #expect(files.map(\.sha256) == plan.files.compactMap(\.sha256))
            #expect(files.allSatisfy { FileStatus.size(of: $0.url) == 50_000 })
        }
    }

    @Test func `tells how far each is, and all of them`() async throws {
        try await DownloadBench.run { bench in
            let plan = try await plan(bench, 2)
            try await bench.server.open(gate: "all")
            let log = ProgressLog()
            _ = try await bench.downloader().run(plan, into: bench.staging) { log.add($0) }
            let stages = log.all.map(\.stage).reduce(into: [DownloadStage]()) { stages, stage in
                if stages.last != stage { stages.append(stage) }
            }
            #expect(stages == [.discovery, .download, .validation])
            #expect(log.all.first?.total == 100_000)
            #expect(log.all.first?.received == 0)
            let last = try #require(log.all.last)
            #expect(last.received == 100_000 && last.files.allSatisfy { $0.isDone && $0.received == 50_000 })
            #expect(zip(log.all, log.all.dropFirst()).allSatisfy { $0.received <= $1.received })
        }
    }

    @Test func `one that is not what it should be stops the others, which go on with the next try`()
        async throws
    {
        try await DownloadBench.run { bench in
            let plan = try await plan(bench, 3)
            try await bench.server.script(
                "/f1",
                #"[{"seed":99,"size":50000,"gate":"one","gate_after":20000}]"#
            )
            let fetching = Task { try await bench.failure(plan) }
            for number in 0..<3 { try await bench.server.wait("/f\(number)", bytes: 20_000) }
            try await bench.server.open(gate: "one")
            #expect(try await fetching.value?.code == .integrity)
            for number in [0, 2] { try await bench.server.wait("/f\(number)", closed: 1) }
            try await bench.server.script("/f1", #"[{"seed":1,"size":50000}]"#)
            try await bench.server.open(gate: "all")
            #expect(try await bench.fetch(plan).count == 3)
        }
    }

    @Test func `time left is what is missing over the rate`() {
        let file = DownloadProgress.File(
            name: "a",
            received: 400,
            total: 1_000,
            bytesPerSecond: 60,
            isDone: false
        )
        let unknown = DownloadProgress.File(
            name: "b",
            received: 1,
            total: nil,
            bytesPerSecond: 60,
            isDone: false
        )
        #expect(file.secondsLeft == 10)
        #expect(unknown.secondsLeft == nil)
        let one = DownloadProgress(id: "m", stage: .download, files: [file], bytesPerSecond: 100)
        #expect(one.secondsLeft == 6 && one.total == 1_000 && one.received == 400)
        let both = DownloadProgress(id: "m", stage: .download, files: [file, unknown], bytesPerSecond: 100)
        #expect(both.secondsLeft == nil && both.total == nil && both.received == 401)
    }
}
