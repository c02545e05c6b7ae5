#if Hub
import BreezeAccess
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@Suite struct PullTests {
    let fixture: Fixture
    var access: AccessControl { fixture.access }
    private let terms = PullTerms(
        model: "qwen3-0.6b",
        source: "huggingface:Qwen/Qwen3-0.6B-GGUF@23749fefcc72300e3a2ad315e1317431b06b590a",
        bytes: 639_446_688,
        license: "apache-2.0",
        licenseURL: "https://www.apache.org/licenses/LICENSE-2.0"
    )

    init() throws { fixture = try Fixture() }

    @Test func `a pull waits until its terms are accepted`() async throws {
        let app = try await fixture.app().app
        var changes = access.changes().makeAsyncIterator()
        for _ in 0..<2 {
            let error = await #expect(throws: BreezeError.self) {
                try await access.requirePull(terms, by: app.id)
            }
            #expect(error?.code == .consentRequired)
            #expect(error?.message.contains("not accepted") == true)
            #expect(error?.code == .consentRequired)
        }
        let waiting = try #require(try await access.pulls().first)
        #expect(await changes.next() == .pull(waiting))
        #expect(waiting.app == app.id && waiting.state == .waiting && waiting.terms == terms)
        fixture.watch.advance(by: 5)
        let accepted = try await access.decidePull(waiting.id, accept: true, shown: terms)
        #expect(accepted.decided == fixture.watch.now)
        #expect(await changes.next() == .pull(accepted))
        try await access.close()
        let again = try fixture.again()
        #expect(try await again.requirePull(terms, by: app.id) == accepted)
        #expect(try await again.pulls() == [accepted])
    }

    @Test func `acceptance of one is none of another`() async throws {
        _ = try? await access.requirePull(terms, by: nil)
        let id = try #require(try await access.pulls().first?.id)
        try await access.decidePull(id, accept: true, shown: terms)
        var others = [terms, terms, terms, terms]
        others[0].source += "x"
        others[1].model += "x"
        others[2].license = "cc-by-nc-4.0"
        others[3].bytes += 1
        for other in others {
            fixture.watch.advance(by: 1)
            await #expect(throws: BreezeError.self) { try await access.requirePull(other, by: nil) }
        }
        #expect(try await access.pulls().map(\.state) == [.accepted, .waiting, .waiting, .waiting, .waiting])
    }

    @Test func `what was not shown is not accepted`() async throws {
        _ = try? await access.requirePull(terms, by: nil)
        let id = try #require(try await access.pulls().first?.id)
        var shown = terms
        shown.license = "mit"
        let other = shown
        await #expect(throws: BreezeError.self) {
            try await access.decidePull(id, accept: true, shown: other)
        }
        #expect(try await access.pulls().map(\.state) == [.waiting])
    }

    @Test func `a refused pull stays refused until the owner thinks better of it`() async throws {
        _ = try? await access.requirePull(terms, by: nil)
        let id = try #require(try await access.pulls().first?.id)
        try await access.decidePull(id, accept: false, shown: terms)
        let error = await #expect(throws: BreezeError.self) { try await access.requirePull(terms, by: nil) }
        #expect(error?.message.contains("refused") == true)
        try await access.decidePull(id, accept: true, shown: terms)
        #expect(try await access.requirePull(terms, by: nil).state == .accepted)
    }

    @Test func `terms that could mislead, and too many at once, are refused`() async throws {
        var hostile = terms
        hostile.license = "mit\u{202E}"
        let bad = hostile
        let error = await #expect(throws: BreezeError.self) { try await access.requirePull(bad, by: nil) }
        #expect(error?.code == .invalidRequest)
        let fixture = try Fixture { $0.waitingLimit = 1 }
        _ = try? await fixture.access.requirePull(terms, by: nil)
        var second = terms
        second.model = "other"
        let other = second
        let full = await #expect(throws: BreezeError.self) {
            try await fixture.access.requirePull(other, by: nil)
        }
        #expect(full?.code == .busy)
    }

    @Test func `another process's acceptance is told of`() async throws {
        _ = try? await access.requirePull(terms, by: nil)
        try await access.poll()
        let id = try #require(try await access.pulls().first?.id)
        var changes = access.changes().makeAsyncIterator()
        try await fixture.again().decidePull(id, accept: true, shown: terms)
        try await access.poll()
        guard case .pull(let accepted) = await changes.next() else {
            Issue.record("no change came")
            return
        }
        #expect(accepted.state == .accepted)
    }
}
#endif
