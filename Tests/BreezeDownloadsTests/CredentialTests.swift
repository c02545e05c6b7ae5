import BreezeCore
import BreezeTestSupport
import BreezeTransport
import Foundation
import Synchronization
import Testing

@testable import BreezeDownloads

@Suite(.enabled(if: Oracle.python != nil, "no Python: run make setup"))
struct `Credentials while a download runs` {
    private static let body = #""seed":1,"size":300000,"etag":"\"v1\"""#

    /// Counts what it is asked for; a refused token is followed by the next one.
    private final class Tokens: Sendable {
        let asked = Mutex<[DownloadAuthorization.Occasion]>([])

        func authorization() -> DownloadAuthorization {
            DownloadAuthorization(service: "Test Hub", remedy: "breeze secrets set test") { _, occasion in
                let number = self.asked.withLock { asked in
                    asked.append(occasion)
                    return asked.filter { $0 == .refused }.count
                }
                return ["Authorization": "Bearer token\(number)"]
            }
        }
    }

    @Test func `a token that runs out is renewed, and the download goes on where it was`() async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script(
                "/model",
                #"[{\#(Self.body),"authorization":"Bearer token0","end_after":100000},"#
                    + #"{\#(Self.body),"authorization":"Bearer token1"}]"#
            )
            let tokens = Tokens()
            let plan = try await bench.plan("/model", authorization: tokens.authorization())
            #expect(try await bench.fetch(plan).first?.sha256 == plan.files.first?.sha256)
            let log = try await bench.server.log("/model")
            #expect(log.map(\.status) == [200, 401, 206])
            #expect(log.map(\.rangeStart) == [nil, 100_000, 100_000])
            #expect(tokens.asked.withLock { $0 } == [.request, .request, .refused])
        }
    }

    @Test func `a token refused twice is an error that names the service`() async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", #"[{"status":401}]"#)
            let tokens = Tokens()
            let error = try await bench.failure(
                try await bench.plan("/model", authorization: tokens.authorization())
            )
            #expect(error?.code == .authRequired)
            #expect(error?.message.hasPrefix("Test Hub: ") == true)
            #expect(error?.remedy == "breeze secrets set test")
            #expect(error?.description.contains("token") == false)
            #expect(try await bench.server.log("/model").count == 2)
        }
    }

    @Test func `the server behind a redirect gets no token, and a signature that ran out is asked for anew`()
        async throws
    {
        try await DownloadBench.run { bench in
            try await bench.server.script(
                "/model",
                #"[{"status":302,"headers":{"Location":"{cdn}/blob?Signature=1"},"text":""},"#
                    + #"{"status":302,"headers":{"Location":"{cdn}/blob?Signature=2"},"text":""}]"#
            )
            try await bench.server.script(
                "/blob",
                #"[{\#(Self.body),"end_after":100000},{"status":403},{\#(Self.body)}]"#
            )
            let plan = try await bench.plan("/model", authorization: Tokens().authorization())
            #expect(try await bench.fetch(plan).first?.sha256 == plan.files.first?.sha256)
            let blobs = try await bench.server.log("/blob")
            #expect(blobs.allSatisfy { $0.headers["authorization"] == nil && $0.port == "cdn" })
            #expect(blobs.map(\.query) == ["Signature=1", "Signature=2", "Signature=2"])
            #expect(blobs.map(\.rangeStart) == [nil, 100_000, 100_000])
            #expect(
                try await bench.server.log("/model").allSatisfy {
                    $0.headers["authorization"] == "Bearer token0"
                }
            )
            // What is kept on disk of where the bytes come from is no secret either.
            let record = try String(
                contentsOf: bench.staging.appending(path: "model.part.json"),
                encoding: .utf8
            )
            #expect(!record.contains("Signature"))
        }
    }
}
