import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeTransport

@Suite struct `The egress ledger` {
    private let folder: ScratchFolder
    private var file: URL { folder.url.appending(path: "egress.jsonl") }

    init() throws {
        folder = try ScratchFolder()
    }

    private func ledger(maximumBytes: Int = 1 << 20, keptFiles: Int = 4) -> EgressLedger {
        EgressLedger(url: file, maximumBytes: maximumBytes, keptFiles: keptFiles) {
            Date(timeIntervalSince1970: 1_700_000_000)
        }
    }

    private func begin(_ ledger: EgressLedger, _ host: String) async throws -> EgressEntry {
        let url = try #require(URL(string: "https://\(host)/secret/path?token=s3cret"))
        return try await ledger.begin(url, purpose: .modelSearch, bytesUp: 10)
    }

    @Test func `a connection is on disk before it is made, and once more when it is over`() async throws {
        let ledger = ledger()
        var entry = try await begin(ledger, "a.example")
        #expect(try await ledger.entries(last: 10).map(\.outcome) == [.open])
        entry.outcome = .finished
        entry.status = 200
        entry.bytesDown = 1_234
        await ledger.end(entry)
        let entries = try await ledger.entries(last: 10)
        #expect(entries == [entry])
        #expect(entries.first?.time == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(entries.first?.port == 443)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.split(separator: "\n").count == 2)
        #expect(!text.contains("s3cret") && !text.contains("/secret"))
    }

    @Test func `only its owner may read it`() async throws {
        _ = try await begin(ledger(), "a.example")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a file that has grown too large makes room, and its entries are still found`() async throws {
        let ledger = ledger(maximumBytes: 1_000, keptFiles: 2)
        for number in 0..<100 { await ledger.end(try await begin(ledger, "host\(number).example")) }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter {
            $0 != "egress.jsonl.lock"
        }
        // The newest may have been rotated away just now.
        #expect(Set(names).isSubset(of: ["egress.jsonl", "egress.jsonl.1", "egress.jsonl.2"]))
        #expect(names.count >= 2)
        let last = try await ledger.entries(last: 4).map(\.host)
        #expect(Set(last) == ["host96.example", "host97.example", "host98.example", "host99.example"])
        for name in names {
            let size = try FileManager.default.attributesOfItem(
                atPath: folder.url.appending(path: name).path
            )[.size]
            #expect((size as? Int ?? .max) < 1_500)
        }
    }

    @Test func `a line that was cut short costs no other`() async throws {
        let ledger = ledger()
        _ = try await begin(ledger, "a.example")
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(#"{"id":"half"#.utf8))
        try handle.close()
        _ = try await begin(ledger, "b.example")
        #expect(try await Set(ledger.entries(last: 10).map(\.host)) == ["a.example", "b.example"])
    }

    @Test func `without a place to write, nothing may be sent`() async throws {
        let ledger = EgressLedger(url: folder.url.appending(path: "missing/egress.jsonl"))
        let error = await #expect(throws: BreezeError.self) { _ = try await begin(ledger, "a.example") }
        #expect(error?.code == .inputOutput)
    }
}
