import BreezeCore
import BreezeFiles
import BreezeTestSupport
import BreezeTransport
import Foundation
import Synchronization
import Testing

@testable import BreezeDownloads

/// The table of what servers do. Each body is 300,000 bytes of a seed; what must come out is what hashlib
/// says of them.
@Suite(.enabled(if: Oracle.python != nil, "no Python: run make setup"))
struct `A download against a server that misbehaves` {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: String
        /// Where each request's range begins.
        let ranges: [Int?]
        /// Seconds between requests.
        var delays: [Double] = []
        var seed = 1

        init(_ name: String, _ steps: String, _ ranges: [Int?], delays: [Double] = [], seed: Int = 1) {
            testDescription = name
            self.steps = steps
            self.ranges = ranges
            self.delays = delays
            self.seed = seed
        }
    }

    private static let body = #""seed":1,"size":300000,"etag":"\"v1\"""#
    private static let cut = #"{\#(body),"end_after":100000}"#
    private static let whole = "{\(body)}"

    static let mended = [
        Case("nothing", whole, [nil]),
        Case("ends early", "\(cut),\(whole)", [nil, 100_000], delays: [0.25]),
        Case(
            "ends early in chunks",
            #"{\#(body),"chunked":true,"end_after":100000},\#(whole)"#,
            [nil, 100_000],
            delays: [0.25]
        ),
        Case(
            "ends early again and again",
            #"\#(cut),{\#(body),"end_after":50000},{\#(body),"end_after":50000},\#(whole)"#,
            [nil, 100_000, 150_000, 200_000],
            delays: [0.25, 0.5, 1]
        ),
        Case(
            "only a date tells the file",
            #"{"seed":1,"size":300000,"modified":"Sun, 06 Nov 1994 08:49:37 GMT","end_after":100000},"#
                + #"{"seed":1,"size":300000,"modified":"Sun, 06 Nov 1994 08:49:37 GMT"}"#,
            [nil, 100_000],
            delays: [0.25]
        ),
        Case("ignores ranges", #"\#(cut),{\#(body),"ranges":false}"#, [nil, 100_000], delays: [0.25]),
        Case(
            "sends another range",
            #"\#(cut),{\#(body),"content_range":"bytes 5-299999/300000"},\#(whole)"#,
            [nil, 100_000, nil],
            delays: [0.25]
        ),
        Case(
            "sends a range of another length",
            #"\#(cut),{\#(body),"content_range":"bytes 100000-299998/300000"},\#(whole)"#,
            [nil, 100_000, nil],
            delays: [0.25]
        ),
        Case(
            "has another file meanwhile",
            #"{"seed":2,"size":280000,"etag":"\"v0\"","end_after":100000},\#(whole)"#,
            [nil, 100_000],
            delays: [0.25]
        ),
        Case(
            "has another file meanwhile and heeds no condition",
            #"{"seed":2,"size":300000,"etag":"\"v0\"","end_after":100000},"#
                + #"{"seed":1,"size":300000,"etag":"\"v0\"","headers":{"ETag":"\"v1\""}},\#(whole)"#,
            [nil, 100_000, nil],
            delays: [0.25]
        ),
        Case(
            "says that there is nothing more",
            #"{\#(body),"length":300050},\#(whole)"#,
            [nil, 300_000],
            delays: [0.25]
        ),
        Case(
            "fails thrice",
            #"{"status":500},{"status":502},{"status":503},\#(whole)"#,
            [nil, nil, nil, nil],
            delays: [0.25, 0.5, 1]
        ),
        Case(
            "asks for seconds",
            #"{"status":429,"headers":{"Retry-After":"7"}},\#(whole)"#,
            [nil, nil],
            delays: [7]
        ),
        // The clock of the test says 08:49:37, RFC 9110's example of a date.
        Case(
            "asks for a date",
            #"{"status":503,"headers":{"Retry-After":"Sun, 06 Nov 1994 08:50:07 GMT"}},\#(whole)"#,
            [nil, nil],
            delays: [30]
        ),
        Case("drips", #"{\#(body),"piece":30000,"pause":0.01}"#, [nil]),
        Case("answers garbage", #"{"raw":"no HTTP at all\r\n\r\n"},\#(whole)"#, [nil, nil], delays: [0.25]),
    ]

    @Test(arguments: mended)
    func `ends with the right bytes`(example: Case) async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", "[\(example.steps)]")
            let plan = try await bench.plan("/model", seed: example.seed)
            let file = try #require(try await bench.fetch(plan).first)
            #expect(file.sha256 == plan.files.first?.sha256)
            #expect(file.size == 300_000)
            let bytes = [UInt8](try Data(contentsOf: file.url))
            var digest = try ContentHasher()
            bytes.withUnsafeBytes { digest.update($0) }
            #expect(digest.digest() == file.sha256)
            let log = try await bench.server.log("/model")
            #expect(log.map(\.rangeStart) == example.ranges)
            #expect(bench.clock.sleeps.map(\.inSeconds) == example.delays)
            #expect(try bench.remains == ["model", "model.part.json"])
        }
    }

    static let hopeless: [(Case, String)] = [
        (Case("is not there", #"{"status":404}"#, [nil]), "download_failed"),
        (Case("was there", #"{"status":410}"#, [nil]), "download_failed"),
        (Case("is gated", #"{"status":403,"headers":{"X-Error-Code":"GatedRepo"}}"#, [nil]), "auth_required"),
        (Case("wants to know who asks", #"{"status":401}"#, [nil]), "auth_required"),
        (Case("does not understand", #"{"status":400}"#, [nil]), "download_failed"),
        (
            Case("compresses unasked", #"{\#(body),"headers":{"Content-Encoding":"gzip"}}"#, [nil]),
            "download_failed"
        ),
        (Case("has other bytes", #"{"seed":3,"size":300000}"#, [nil]), "integrity"),
        (Case("says less than it has", #"{\#(body),"length":200000}"#, [nil]), "integrity"),
        (
            Case("asks for too long a pause", #"{"status":429,"headers":{"Retry-After":"600"}}"#, [nil]),
            "resource_unavailable"
        ),
        (
            Case(
                "fails for ever",
                #"{"status":503}"#,
                [nil, nil, nil, nil, nil, nil],
                delays: [0.25, 0.5, 1, 2, 4]
            ),
            "resource_unavailable"
        ),
        (
            Case(
                "is another file each time",
                (0..<8).map { #"{"seed":9,"size":300000,"etag":"\"\#($0)\"","end_after":270000}"# }
                    .joined(separator: ","),
                [nil, 270_000, 270_000, 270_000, 270_000, 270_000, 270_000],
                delays: [0.25, 0.25, 0.25, 0.25, 0.25, 0.25]
            ),
            "download_failed"
        ),
    ]

    @Test(arguments: hopeless)
    func `is a typed error where nothing helps`(example: Case, code: String) async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", "[\(example.steps)]")
            let error = try await bench.failure(try await bench.plan("/model?signature=s3cret"))
            #expect(error?.code.rawValue == code)
            #expect(error?.description.contains("s3cret") == false)
            #expect(error?.remedy != nil)
            #expect(try await bench.server.log("/model").map(\.rangeStart) == example.ranges)
            #expect(bench.clock.sleeps.map(\.inSeconds) == example.delays)
            #expect(try !bench.remains.contains("model"))
            if code == "integrity" { #expect(try bench.remains.isEmpty) }
        }
    }

    @Test func `a pause too long to wait for is passed on`() async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", #"[{"status":429,"headers":{"Retry-After":"600"}}]"#)
            #expect(try await bench.failure(try await bench.plan("/model"))?.retryAfter == .seconds(600))
        }
    }

    @Test func `another length than the plan says is refused before its bytes come`() async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", "[\(Self.whole)]")
            let error = try await bench.failure(try await bench.plan("/model", size: 299_999))
            #expect(error?.code == .integrity)
            #expect(try bench.remains.isEmpty)
        }
    }

    @Test func `after a wrong digest the next try begins anew`() async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/model", #"[{"seed":3,"size":300000},\#(Self.whole)]"#)
            let plan = try await bench.plan("/model")
            #expect(try await bench.failure(plan)?.code == .integrity)
            #expect(try await bench.fetch(plan).first?.sha256 == plan.files.first?.sha256)
            #expect(try await bench.server.log("/model").map(\.rangeStart) == [nil, nil])
        }
    }

    @Test func `a silent server is given up, and asked for the rest`() async throws {
        let clock = ManualClock()
        try await DownloadBench.run(transportClock: clock) { bench in
            try await bench.server.script("/model", #"[{\#(Self.body),"stall_after":100000},\#(Self.whole)]"#)
            let came = Gate()
            let requests = Mutex(0)
            // Asked before each request: the second one gets all the time that it needs.
            let authorization = DownloadAuthorization(service: "Test", remedy: "none") { _, _ in
                requests.withLock { $0 += 1 }
                return [:]
            }
            let plan = try await bench.plan("/model", authorization: authorization)
            let watching = WatchingTransport(transport: bench.transport) { if $0 >= 100_000 { came.open() } }
            let fetching = Task { try await bench.fetch(plan, with: bench.downloader(over: watching)) }
            await came.pass()
            while true {
                await clock.sleeper(within: .seconds(45))
                if requests.withLock({ $0 }) > 1 { break }
                clock.advance(by: .seconds(45))
                await Task.yield()
            }
            #expect(try await fetching.value.first?.sha256 == plan.files.first?.sha256)
            #expect(try await bench.server.log("/model").map(\.rangeStart) == [nil, 100_000])
        }
    }

    @Test func `the second source has what the first one lacks`() async throws {
        try await DownloadBench.run { bench in
            try await bench.server.script("/first", #"[{"status":404}]"#)
            try await bench.server.script("/second", "[\(Self.whole)]")
            let plan = try await bench.plan("/first", "/second")
            #expect(try await bench.fetch(plan).first?.sha256 == plan.files.first?.sha256)
        }
    }

    @Test func `without a digest or a validator nothing is patched together`() async throws {
        try await DownloadBench.run { bench in
            let bare = #""seed":1,"size":300000"#
            try await bench.server.script("/model", #"[{\#(bare),"end_after":100000},{\#(bare)}]"#)
            let file = try #require(try await bench.fetch(try await bench.plan("/model", seed: nil)).first)
            #expect(file.sha256 == (try await bench.server.digest(seed: 1, size: 300_000)))
            #expect(try await bench.server.log("/model").map(\.rangeStart) == [nil, nil])
        }
    }
}
