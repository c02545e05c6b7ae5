import BreezeCore
import BreezeTestSupport
import BreezeTransport
import Foundation
import Synchronization
import Testing

@testable import BreezeDownloads

@Suite(.enabled(if: Oracle.python != nil, "no Python: run make setup"))
struct `Downloads of one process` {
    /// The server holds at 100,000 bytes until its gate is opened.
    private static let held =
        #"[{"seed":1,"size":300000,"etag":"\"v1\"","gate":"half","gate_after":100000}]"#

    private func run(
        _ body:
            @escaping @Sendable (DownloadBench, DownloadCoordinator, DownloadCoordinator.Job) async throws ->
            Void
    ) async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", Self.held)
            let plan = try await bench.plan("/model")
            let coordinator = DownloadCoordinator(downloader: bench.downloader())
            try await body(bench, coordinator, DownloadCoordinator.Job(plan, into: bench.staging))
        }
    }

    @Test func `who asks for the same joins, and who leaves stops nothing`() async throws {
        try await run { bench, coordinator, job in
            try await coordinator.start(job)
            try await coordinator.start(job)
            try await bench.server.wait("/model", bytes: 100_000)
            let leaving = Task { try await coordinator.wait(for: "model") }
            leaving.cancel()
            await #expect(throws: CancellationError.self) { _ = try await leaving.value }
            #expect(await coordinator.list().map(\.state) == [.running])
            async let outcome = coordinator.wait(for: "model")
            try await bench.server.open(gate: "half")
            guard case .downloaded(let files) = try await outcome else {
                throw ChildFailure(description: "no files")
            }
            #expect(files.map(\.sha256) == job.plan.files.compactMap(\.sha256))
            #expect(try await bench.server.log("/model").count == 1)
            #expect(await coordinator.status(of: "model")?.state == .finished(.downloaded(files)))
        }
    }

    @Test func `a paused one keeps what is there and goes on with it`() async throws {
        try await run { bench, coordinator, job in
            try await coordinator.start(job)
            try await bench.server.wait("/model", bytes: 100_000)
            try await coordinator.pause("model")
            #expect(await coordinator.status(of: "model")?.state == .paused)
            try await bench.server.wait("/model", closed: 1)
            let kept = try #require(bench.partSize())
            await #expect(throws: BreezeError.self) { _ = try await coordinator.wait(for: "model") }
            // Another process would obey, too.
            #expect(try await bench.failure(job.plan)?.code == .paused)
            try await bench.server.open(gate: "half")
            try await coordinator.resume("model")
            _ = try await coordinator.wait(for: "model")
            #expect(try await bench.server.log("/model").last?.rangeStart ?? 0 == kept)
        }
    }

    @Test func `a cancelled one stops and leaves nothing`() async throws {
        try await run { bench, coordinator, job in
            try await coordinator.start(job)
            try await bench.server.wait("/model", bytes: 100_000)
            try await coordinator.cancel("model")
            #expect(await coordinator.status(of: "model")?.state == .cancelled)
            try await bench.server.wait("/model", closed: 1)
            #expect(try bench.remains.isEmpty)
            try await bench.server.open(gate: "half")
            try await coordinator.start(job)
            _ = try await coordinator.wait(for: "model")
            #expect(try await bench.server.log("/model").map(\.rangeStart) == [nil, nil])
        }
    }

    @Test(arguments: [StagingFolder.Order.pause, .cancel])
    func `another process's order is obeyed`(order: StagingFolder.Order) async throws {
        try await run { bench, coordinator, job in
            try await coordinator.start(job)
            try await bench.server.wait("/model", bytes: 100_000)
            try StagingFolder(bench.staging).setOrder(order)
            let error = await #expect(throws: BreezeError.self) {
                _ = try await coordinator.wait(for: "model")
            }
            #expect(error?.code == (order == .pause ? .paused : .cancelled))
            #expect(try bench.remains.isEmpty == (order == .cancel))
        }
    }

    @Test func `a watcher sees the end, and stages that the caller adds`() async throws {
        try await run { bench, coordinator, job in
            let seen = Mutex<[DownloadStage]>([])
            let job = DownloadCoordinator.Job(job.plan, into: job.staging) { files, report in
                #expect(files.count == 1)
                report(.initialisation)
                seen.withLock { $0.append(.initialisation) }
            }
            try await bench.server.open(gate: "half")
            try await coordinator.start(job)
            let stream = try #require(await coordinator.watch("model"))
            var last: DownloadStatus?
            for await status in stream {
                last = status
                if status.state.isAtRest { break }
            }
            #expect(last?.progress.stage == .initialisation)
            #expect(last?.progress.received == 300_000)
            #expect(seen.withLock { $0 } == [.initialisation])
        }
    }

    @Test func `work that another one has done is not done again`() async throws {
        try await run { bench, coordinator, job in
            let job = DownloadCoordinator.Job(job.plan, into: job.staging, unless: { true })
            try await coordinator.start(job)
            #expect(try await coordinator.wait(for: "model") == .alreadyDone)
            #expect(try await bench.server.log("/model").isEmpty)
        }
    }

    @Test func `a failure stays until somebody resumes`() async throws {
        try await run { bench, coordinator, job in
            try await bench.server.script("/model", #"[{"status":404},{"seed":1,"size":300000}]"#)
            try await coordinator.start(job)
            let error = await #expect(throws: BreezeError.self) {
                _ = try await coordinator.wait(for: "model")
            }
            #expect(error?.code == .downloadFailed)
            #expect(await coordinator.list().map(\.state) == [.failed(try #require(error))])
            try await coordinator.resume("model")
            _ = try await coordinator.wait(for: "model")
            let unknown = await #expect(throws: BreezeError.self) { try await coordinator.pause("other") }
            #expect(unknown?.code == .invalidRequest)
        }
    }

    @Test func `two tasks that fetch into one folder take turns`() async throws {
        try await run { bench, _, job in
            let first = Task { try await bench.fetch(job.plan) }
            try await bench.server.wait("/model", bytes: 100_000)
            let log = ProgressLog()
            let follows = Gate()
            let second = Task {
                try await bench.downloader().run(job.plan, into: bench.staging) { progress in
                    log.add(progress)
                    follows.open()
                }
            }
            await follows.pass()
            try await bench.server.open(gate: "half")
            let files = try await first.value
            #expect(try await second.value == .downloaded(files))
            #expect(try await bench.server.log("/model").count == 1)
        }
    }
}
