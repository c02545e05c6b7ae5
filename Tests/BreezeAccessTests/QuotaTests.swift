#if Hub
import BreezeAccess
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@Suite struct QuotaTests {
    private func outcome(tokens: Int = 0, seconds: Double = 0) -> RequestOutcome {
        RequestOutcome(
            "stop",
            usage: Usage(inputTokens: tokens / 2, outputTokens: tokens - tokens / 2),
            timings: Timings(run: seconds)
        )
    }

    @Test func `of a hundred at once exactly ten are let in`() async throws {
        let fixture = try Fixture()
        let key = try await fixture.app(quota: Quota(requests: 10)).key
        let access = fixture.access
        let refusals = await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { access.refusal(key)?.code } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(refusals.count { $0 == nil } == 10)
        #expect(refusals.count { $0 == .quotaExceeded } == 90)
    }

    @Test func `requests are counted while they run`() async throws {
        let fixture = try Fixture()
        let key = try await fixture.app(quota: Quota(requests: 2)).key
        let running = [try fixture.access.ask(key), try fixture.access.ask(key)]
        #expect(fixture.access.refusal(key)?.code == .quotaExceeded)
        running[0].settle(outcome())
        #expect(fixture.access.refusal(key)?.code == .quotaExceeded)
        // What never ran is given back; once.
        let refused = BreezeError(.invalidRequest, "no")
        running[1].release(refused)
        running[1].release(refused)
        #expect(fixture.access.refusal(key) == nil)
        #expect(fixture.access.refusal(key)?.code == .quotaExceeded)
    }

    @Test func `tokens count as they were, and what runs is held`() async throws {
        let fixture = try Fixture()
        let (app, key) = try await fixture.app(quota: Quota(tokens: 100))
        let access = fixture.access
        let first = try access.ask(key, expecting: 60)
        let second = try access.ask(key, expecting: 60)
        #expect(access.refusal(key)?.code == .quotaExceeded)
        first.settle(outcome(tokens: 31))
        let third = try access.ask(key, expecting: 1)
        second.settle(outcome(tokens: 31))
        third.settle(outcome(tokens: 37))
        #expect(access.gate.useToday(of: app.id) == QuotaUse(requests: 3, tokens: 99))
        try access.ask(key).settle(outcome(tokens: 1))
        let error = access.refusal(key)
        #expect(error?.message == "Mail has used its 100 tokens of today.")
    }

    @Test func `minutes of compute count as they were`() async throws {
        let fixture = try Fixture()
        let key = try await fixture.app(quota: Quota(computeMinutes: 1)).key
        try fixture.access.ask(key).settle(outcome(seconds: 59.5))
        try fixture.access.ask(key).settle(outcome(seconds: 0.5))
        #expect(fixture.access.refusal(key)?.code == .quotaExceeded)
    }

    @Test func `a grant that is dropped is over, and counts`() async throws {
        let fixture = try Fixture()
        let (app, key) = try await fixture.app(quota: Quota(tokens: 10))
        _ = try fixture.access.ask(key, expecting: 10)
        #expect(fixture.access.refusal(key) == nil)
        #expect(fixture.access.gate.useToday(of: app.id).requests == 2)
        #expect(fixture.access.health().running == 0)
        let entries = try await fixture.access.audit().entries
        #expect(entries.map(\.outcome) == ["stop", "cancelled"])
    }

    @Test func `settling twice counts once`() async throws {
        let fixture = try Fixture()
        let (app, key) = try await fixture.app()
        let grant = try fixture.access.ask(key)
        grant.settle(outcome(tokens: 5))
        grant.settle(outcome(tokens: 5))
        grant.release(BreezeError(.cancelled, "late"))
        #expect(fixture.access.gate.useToday(of: app.id) == QuotaUse(requests: 1, tokens: 5))
        #expect(try await fixture.access.audit().entries.count == 1)
    }

    // Midnight of 3 March in Vienna is 23:00 UTC, in Auckland 11:00 UTC, in Los Angeles 08:00 UTC.
    @Test(arguments: [
        ("Europe/Vienna", 13 * 3600), ("Pacific/Auckland", 3600), ("America/Los_Angeles", 22 * 3600),
    ])
    func `the day turns at the device's own midnight`(zone: String, seconds: Int) async throws {
        let fixture = try Fixture(zone: zone)
        let key = try await fixture.app(quota: Quota(requests: 1)).key
        #expect(fixture.access.refusal(key) == nil)
        let error = fixture.access.refusal(key)
        #expect(error?.code == .quotaExceeded)
        #expect(error?.retryAfter == .seconds(seconds))
        fixture.watch.advance(by: Double(seconds) - 0.5)
        #expect(fixture.access.refusal(key)?.retryAfter == .seconds(1))
        fixture.watch.advance(by: 0.5)
        #expect(fixture.access.refusal(key) == nil)
    }

    // In Vienna 29 March 2026 has 23 hours: it ends at 22:00 UTC, having begun at 23:00 UTC.
    @Test func `a day of 23 hours ends after 23`() async throws {
        let fixture = try Fixture(at: "2026-03-28T23:00:00Z")
        let key = try await fixture.app(quota: Quota(requests: 0)).key
        #expect(fixture.access.refusal(key)?.retryAfter == .seconds(23 * 3600))
    }

    @Test func `a clock that is set back does not give the day anew`() async throws {
        let fixture = try Fixture()
        let key = try await fixture.app(quota: Quota(requests: 1)).key
        #expect(fixture.access.refusal(key) == nil)
        fixture.watch.advance(by: 86_400)
        #expect(fixture.access.refusal(key) == nil)
        fixture.watch.advance(by: -86_400)
        #expect(fixture.access.refusal(key)?.code == .quotaExceeded)
    }

    @Test func `what was used is there after a restart`() async throws {
        let fixture = try Fixture()
        let (app, key) = try await fixture.app(quota: Quota(requests: 3))
        for _ in 0..<2 { try fixture.access.ask(key).settle(outcome(tokens: 7, seconds: 1.5)) }
        try await fixture.access.close()
        let again = try fixture.again()
        #expect(again.gate.useToday(of: app.id) == QuotaUse(requests: 2, tokens: 14, computeSeconds: 3))
        #expect(again.refusal(key) == nil)
        #expect(again.refusal(key)?.code == .quotaExceeded)
        #expect(again.apps().first?.lastUsed == fixture.watch.now)
    }

    @Test func `looking around is free`() async throws {
        let fixture = try Fixture()
        let key = try await fixture.app(quota: Quota(requests: 1)).key
        for _ in 0..<5 { #expect(fixture.access.refusal(key, .listing) == nil) }
        #expect(fixture.access.refusal(key) == nil)
        #expect(fixture.access.refusal(key)?.code == .quotaExceeded)
        #expect(fixture.access.refusal(key, .listing) == nil)
    }

    @Test(arguments: [
        Quota(requests: -1), Quota(tokens: -1), Quota(computeMinutes: -0.1), Quota(computeMinutes: .infinity),
        Quota(computeMinutes: .nan),
    ])
    func `a quota that is no number of things is refused`(quota: Quota) async throws {
        let fixture = try Fixture()
        let app = try await fixture.app().app
        await #expect(throws: BreezeError.self) { try await fixture.access.setQuota(app.id, quota) }
    }
}
#endif
