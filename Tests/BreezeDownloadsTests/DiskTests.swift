import BreezeCore
import BreezeTestSupport
import BreezeTransport
import Foundation
import Synchronization
import Testing

@testable import BreezeDownloads

@Suite(.enabled(if: Oracle.python != nil, "no Python: run make setup"))
struct `A download and its disk` {
    private static let body = #""seed":1,"size":300000,"etag":"\"v1\"""#
    private static let whole = "[{\(body)}]"

    @Test func `too little room is seen before anything is asked for`() async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", Self.whole)
            let spare = DownloadOptions().spareDiskBytes
            let tight = bench.downloader(freeBytes: { _ in spare + 299_999 })
            let plan = try await bench.plan("/model", size: 300_000)
            #expect(try await bench.failure(plan, with: tight)?.code == .insufficientDisk)
            #expect(try await bench.server.log("/model").isEmpty)
            let enough = bench.downloader(freeBytes: { _ in spare + 300_000 })
            #expect(try await bench.fetch(plan, with: enough).count == 1)
        }
    }

    @Test func `where only the server knows the size, it is seen before the first byte is kept`() async throws
    {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", Self.whole)
            let spare = DownloadOptions().spareDiskBytes
            let tight = bench.downloader(freeBytes: { _ in spare + 299_999 })
            #expect(
                try await bench.failure(try await bench.plan("/model"), with: tight)?.code
                    == .insufficientDisk
            )
            #expect(bench.partSize() == 0)
        }
    }

    @Test func `room that others take meanwhile is noticed, and what is there is gone on with`() async throws
    {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", Self.whole)
            let looks = Mutex(0)
            let free: @Sendable (URL) -> Int64? = { _ in
                looks.withLock { looks in
                    looks += 1
                    return looks > 3 ? 0 : 1 << 40
                }
            }
            let pieces = WatchingTransport(transport: bench.transport, pieceSize: 10_000)
            let shrinking = bench.downloader(freeBytes: free, over: pieces) { $0.syncEvery = 50_000 }
            let plan = try await bench.plan("/model")
            #expect(try await bench.failure(plan, with: shrinking)?.code == .insufficientDisk)
            let kept = try #require(bench.partSize())
            // Looked at for all, for this file, after 50,000 bytes, and after as many again.
            #expect((100_000..<120_000).contains(kept))
            #expect(try await bench.fetch(plan).first?.sha256 == plan.files.first?.sha256)
            #expect(try await bench.server.log("/model").map(\.rangeStart) == [nil, kept])
        }
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "needs the right to mount a small disk"))
    func `a disk that is full keeps what came, and the next try goes on there`() async throws {
        try await DownloadBench.run { bench in
            let disk = try SmallDisk(at: bench.staging, megabytes: 2)
            defer { disk.unmount() }
            let ballast = bench.staging.appending(path: ".ballast")
            try Data(count: 1_900_000).write(to: ballast)
            try await bench.server.script("/model", Self.whole)
            let plan = try await bench.plan("/model")
            let failure = try await bench.failure(plan)
            #expect(failure?.code == .insufficientDisk)
            #expect(failure?.remedy?.contains("goes on where it stopped") == true)
            let kept = try #require(bench.partSize())
            #expect(kept > 0 && kept < 300_000)
            #expect(try !bench.remains.contains("model"))
            try FileManager.default.removeItem(at: ballast)
            #expect(try await bench.fetch(plan).first?.sha256 == plan.files.first?.sha256)
            #expect(try await bench.server.log("/model").map(\.rangeStart) == [nil, kept])
        }
    }

    /// Leaves the first 100,000 bytes behind, as a process that was killed does.
    private func interrupted(_ bench: DownloadBench, _ plan: DownloadPlan) async throws {
        try await bench.server.script("/model", #"[{\#(Self.body),"end_after":100000},{"status":400}]"#)
        _ = try await bench.failure(plan)
        #expect(bench.partSize() == 100_000)
        try await bench.server.script("/model", Self.whole)
    }

    @Test func `after a power cut only what was synced counts`() async throws {
        try await DownloadBench.run { bench in
            let plan = try await bench.plan("/model")
            try await interrupted(bench, plan)
            let folder = StagingFolder(bench.staging)
            var record = try #require(folder.readRecord("model"))
            #expect(record.total == 300_000 && record.boot != nil)
            record.boot = "of a system that is gone"
            record.synced = 40_000
            try folder.write(record, "model")
            #expect(try await bench.fetch(plan).first?.sha256 == plan.files.first?.sha256)
            #expect(try await bench.server.log("/model").last?.rangeStart == 40_000)
        }
    }

    @Test(arguments: ["", "{", #"{"source":5}"#])
    func `bytes of which nothing is known are not gone on with`(text: String) async throws {
        try await DownloadBench.run { bench in
            let plan = try await bench.plan("/model")
            try await interrupted(bench, plan)
            try Data(text.utf8).write(to: StagingFolder(bench.staging).record("model"))
            #expect(try await bench.fetch(plan).first?.sha256 == plan.files.first?.sha256)
            #expect(try await bench.server.log("/model").last?.rangeStart == nil)
        }
    }

    @Test func `bytes that changed on disk are found out by the digest`() async throws {
        try await DownloadBench.run { bench in
            let plan = try await bench.plan("/model")
            try await interrupted(bench, plan)
            let handle = try FileHandle(forWritingTo: StagingFolder(bench.staging).part("model"))
            try handle.write(contentsOf: Data("changed".utf8))
            try handle.close()
            #expect(try await bench.failure(plan)?.code == .integrity)
            #expect(try bench.remains.isEmpty)
        }
    }

    @Test func `a finished file is not asked for again unless it changed`() async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", Self.whole)
            let plan = try await bench.plan("/model")
            let first = try await bench.fetch(plan)
            #expect(try await bench.fetch(plan) == first)
            #expect(try await bench.server.log("/model").count == 1)
            let url = try #require(first.first?.url)
            try Data(count: 300_000).write(to: url)
            #expect(try await bench.fetch(plan) == first)
            #expect(try await bench.server.log("/model").count == 2)
        }
    }

    @Test func `files and folders are their owner's alone`() async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", Self.whole)
            try await bench.fetch(try await bench.plan("/model"))
            for (path, mode) in [("", 0o700), ("model", 0o600), ("model.part.json", 0o600), (".lock", 0o600)]
            {
                let file = bench.staging.appending(path: path).path
                let found = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                #expect(found == mode, "\(path)")
            }
        }
    }
}
