import BreezeCore
import BreezeTestSupport
import BreezeTransport
import Foundation
import Synchronization
import Testing

@testable import BreezeDownloads

@Suite(.enabled(if: Oracle.python != nil, "no Python: run make setup"))
struct `Downloads and what the ledger says of them` {
    private static let held =
        #"[{"seed":1,"size":300000,"etag":"\"v1\"","gate":"half","gate_after":100000}]"#

    @Test func `a download goes by who asked for it, and on by who had it go on`() async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", Self.held)
            let job = DownloadCoordinator.Job(try await bench.plan("/model"), into: bench.staging)
            let coordinator = DownloadCoordinator(downloader: bench.downloader())
            try await EgressClient.$current.withValue(.app("first")) { try await coordinator.start(job) }
            try await bench.server.wait("/model", bytes: 100_000)
            // Who joins asks the server for nothing.
            try await EgressClient.$current.withValue(.app("second")) { try await coordinator.start(job) }
            try await coordinator.pause("model")
            try await bench.server.open(gate: "half")
            try await EgressClient.$current.withValue(.owner) { try await coordinator.resume("model") }
            _ = try await coordinator.wait(for: "model")
            let ledger = EgressLedger(url: bench.folder.url.appending(path: "egress.jsonl"))
            #expect(try await ledger.entries(last: 10).map(\.client) == [.app("first"), .owner])
        }
    }

    @Test func `what is forbidden is tried once, at one source`() async throws {
        try await DownloadBench.run { bench in
            let transport = ForbiddenTransport()
            let plan = try await bench.plan("/model", "/other")
            let downloader = bench.downloader(over: transport)
            #expect(try await bench.failure(plan, with: downloader)?.code == .egressForbidden)
            #expect(transport.asked == 1)
        }
    }
}

private final class ForbiddenTransport: HTTPTransport {
    private let count = Mutex(0)

    var asked: Int { count.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        count.withLock { $0 += 1 }
        throw BreezeError(.egressForbidden, "Nothing leaves this device.")
    }
}
