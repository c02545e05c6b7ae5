import BreezeCore
import BreezeTestSupport
import BreezeTransport
import Foundation
import Testing

@testable import BreezeDownloads

@Suite struct `What an answer means` {
    private func record(total: Int64? = 1_000, etag: String? = "\"a\"") throws -> PartRecord {
        let url = try #require(URL(string: "https://a.example/model?Signature=s3cret"))
        return PartRecord(source: url, headers: etag.map { ["etag": $0] } ?? [:], total: total)
    }

    private func answer(_ status: Int, _ headers: HeaderFields, have: Int64 = 100) throws -> ServerAnswer {
        ServerAnswer(
            status: status,
            headers: headers,
            have: have,
            record: try record(),
            now: Date(timeIntervalSince1970: 784_111_777)
        )
    }

    @Test(arguments: [
        ("bytes 100-999/1000", ServerAnswer.more(total: 1_000)),
        ("bytes 99-999/1000", .beginAnew), ("bytes 101-999/1000", .beginAnew),
        ("bytes 100-998/1000", .beginAnew),
        ("bytes 100-999/*", .beginAnew), ("bytes 100-1000/1001", .beginAnew),
        ("bytes 100-999/900", .beginAnew),
        ("bytes */1000", .beginAnew), ("bytes 100-999", .beginAnew), ("items 100-999/1000", .beginAnew),
        ("bytes -100-999/1000", .beginAnew), ("", .beginAnew),
        ("bytes 100-99999999999999999999/99999999999999999999999", .beginAnew),
    ])
    func `206`(range: String, expected: ServerAnswer) throws {
        #expect(try answer(206, ["Content-Range": range]) == expected)
    }

    @Test func `206 that was not asked for, or without a range, is of no use`() throws {
        #expect(try answer(206, ["Content-Range": "bytes 0-999/1000"], have: 0) == .beginAnew)
        #expect(try answer(206, [:]) == .beginAnew)
    }

    @Test func `206 of a file with another ETag is of another file`() throws {
        let range = "bytes 100-999/1000"
        #expect(try answer(206, ["Content-Range": range, "ETag": "\"a\""]) == .more(total: 1_000))
        #expect(try answer(206, ["Content-Range": range, "ETag": "\"b\""]) == .beginAnew)
    }

    @Test(arguments: [
        (200, "1000", ServerAnswer.whole(total: 1_000)), (200, "-5", .whole(total: nil)),
        (200, "many", .whole(total: nil)), (401, "", .needsCredentials), (403, "", .forbidden),
        (404, "", .missing),
        (410, "", .missing), (400, "", .refused), (204, "", .refused), (301, "", .refused),
        (408, "", .later(nil)),
        (425, "", .later(nil)), (500, "", .later(nil)), (599, "", .later(nil)),
    ])
    func `other answers`(status: Int, length: String, expected: ServerAnswer) throws {
        #expect(try answer(status, ["Content-Length": length]) == expected)
    }

    @Test(arguments: [
        ("bytes */100", ServerAnswer.nothingMore), ("bytes */99", .beginAnew), ("bytes */*", .beginAnew),
        ("", .beginAnew),
    ])
    func `416`(range: String, expected: ServerAnswer) throws {
        #expect(try answer(416, ["Content-Range": range]) == expected)
    }

    // The dates are RFC 9110's own example, section 5.6.7, and what follows from it.
    @Test(arguments: [
        ("120", Duration.seconds(120)), ("0", .seconds(0)), (" 7 ", .seconds(7)),
        ("99999999999999999999", .seconds(86_400)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", .seconds(0)), ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)),
        ("Sat, 05 Nov 1994 08:49:37 GMT", .seconds(0)),
    ])
    func `Retry-After in both forms`(text: String, expected: Duration) throws {
        #expect(try answer(429, ["Retry-After": text]) == .later(expected))
    }

    @Test(arguments: ["soon", "-5", "1.5", ""])
    func `Retry-After that is none`(text: String) throws {
        #expect(try answer(429, ["Retry-After": text]) == .later(nil))
    }

    @Test func `a record holds no signature, and a weak ETag is no condition`() throws {
        #expect(try record().source == "https://a.example/model")
        #expect(try record().validator == "\"a\"")
        #expect(try record(etag: "W/\"a\"").validator == nil)
    }
}

@Suite struct `Pauses between attempts` {
    @Test func `double up to the longest, between half and all of it`() {
        var options = DownloadOptions()
        options.failuresInARow = 100
        var least = RetryPolicy(options) { 0 }
        var most = RetryPolicy(options) { 0.999_999 }
        let expected: [Double] = [0.5, 1, 2, 4, 8, 16, 30, 30]
        for seconds in expected {
            #expect(abs((least.afterFailure() ?? .zero).inSeconds - seconds / 2) < 0.001)
            #expect(abs((most.afterFailure() ?? .zero).inSeconds - seconds) < 0.001)
        }
    }

    @Test func `end after so many in a row, which bytes interrupt`() {
        var policy = RetryPolicy(DownloadOptions()) { 0 }
        for _ in 0..<5 { #expect(policy.afterFailure() != nil) }
        policy.brought(1 << 20)
        for _ in 0..<5 { #expect(policy.afterFailure() != nil) }
        policy.brought(1_000)
        #expect(policy.afterFailure() == nil)
    }
}

@Suite struct `Rates` {
    @Test func `a limit lets a quarter of a second through at once and holds the rest`() async throws {
        let clock = InstantClock()
        let limiter = RateLimiter(bytesPerSecond: 1_000, clock: DownloadClock(clock))
        for _ in 0..<10 { try await limiter.spend(500) }
        // 5,000 bytes less the 250 of the bucket, at 1,000 a second.
        #expect(abs(clock.now.offset.inSeconds - 4.75) < 0.01)
    }

    @Test func `are counted over five seconds`() {
        var window = RateWindow()
        #expect(window.rate(at: .seconds(1)) == 0)
        for second in 0...20 { window.add(1_000, at: .seconds(second)) }
        // The samples of the seconds 15 to 20, over 5 seconds.
        #expect(window.rate(at: .seconds(20)) == 1_200)
        #expect(window.rate(at: .seconds(100)) == 0)
    }
}

@Suite struct `Plans` {
    private func check(_ names: [String], sources: Int = 1, sha256: String? = nil) throws {
        let url = try #require(URL(string: "https://a.example/x"))
        let files = names.map {
            DownloadPlan.File(name: $0, sources: Array(repeating: url, count: sources), sha256: sha256)
        }
        try DownloadPlan(id: "model", files: files).check()
    }

    @Test(arguments: ["model.gguf", "onnx/model.onnx", ".gitattributes", "a b/ü.bin", "..."])
    func `take names that stay in their folder`(name: String) throws {
        try check([name])
    }

    @Test(arguments: [
        "", "/etc/passwd", "../x", "a/../x", "a/..", "./x", "a//b", "a/", "a\\b", "a\nb", "a\0b", ".lock",
        ".order",
        "x.part", "x.part.json", "x.part/y", String(repeating: "x", count: 201),
    ])
    func `refuse those that would leave it, or are ours`(name: String) {
        let error = #expect(throws: BreezeError.self) { try check([name]) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `refuse what cannot be done`() {
        #expect(throws: BreezeError.self) { try check([]) }
        #expect(throws: BreezeError.self) { try check(["a", "a"]) }
        #expect(throws: BreezeError.self) { try check(["a"], sources: 0) }
        #expect(throws: BreezeError.self) { try check(["a"], sha256: "abc") }
        #expect(throws: BreezeError.self) { try check(["a"], sha256: String(repeating: "g", count: 64)) }
    }
}
