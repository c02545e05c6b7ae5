#if Hub
import BreezeCore
import BreezeScheme
import BreezeSchemeHandler
import BreezeSchemeStore
import BreezeTestSupport
import Foundation
import Testing

/// How an app comes to be paired: section 5 of docs/url-scheme.md.
@Suite struct PairingTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func app(_ callback: String = "mycoolapp") throws -> AppPairing {
        try AppPairing(
            name: "Cool Notes",
            callback: CallbackScheme(callback),
            asked: [.chat: .onDevice],
            at: desk.now,
            last: nil
        )
    }

    private func reveal(_ app: inout AppPairing) async throws -> [UInt8] {
        let offer = try #require(await desk.plain(SchemeURL.hello(app.hello).written()))
        #expect(offer.state == .pairing && !offer.isFinal && offer.requestID == app.hello.requestID)
        return try app.take(offer, at: desk.now)
    }

    @Test func `an app is paired after both people compared the code`() async throws {
        var app = try app()
        let reveal = try await reveal(&app)
        #expect(desk.owner.questions.isEmpty, "nothing is shown before the reveal")
        desk.owner.say(.pair)
        try await desk.handle(SchemeURL.reveal(reveal).written())
        guard case .pair(let asked)? = desk.owner.questions.first else {
            Issue.record("the owner was not asked")
            return
        }
        #expect(asked.code == app.code && asked.name == "Cool Notes" && asked.callback == "mycoolapp")
        #expect(asked.asked == ["chat": .onDevice] && asked.replaced.isEmpty)
        _ = app.confirm(at: desk.now)
        let url = try #require(desk.opener.urls.last)
        let paired = try app.take(paired: CallbackScheme("mycoolapp").answer(in: url), at: desk.now)
        #expect(try desk.store.apps().map(\.id) == [paired?.app])
        // The reveal is worth nothing a second time.
        #expect(code(try await desk.plain(SchemeURL.reveal(reveal).written())) == nil)
        #expect(desk.owner.questions.count == 1)
    }

    @Test(arguments: [OwnerAnswer.refuse, .allowOnce, .allowAndPair])
    func `whatever is no yes to the code pairs nobody`(answer: OwnerAnswer) async throws {
        var app = try app()
        let reveal = try await reveal(&app)
        desk.owner.say(answer)
        let told = try await desk.plain(SchemeURL.reveal(reveal).written())
        #expect(code(told) == "app_refused" && told?.requestID == app.hello.requestID)
        #expect(try desk.store.apps().isEmpty)
    }

    @Test func `no answer in three minutes is a no`() async throws {
        var app = try app()
        let reveal = try await reveal(&app)
        desk.owner.say(nil)
        async let told = desk.plain(SchemeURL.reveal(reveal).written())
        await desk.owner.asked.pass()
        await desk.clock.sleeper(within: .seconds(180))
        desk.clock.advance(by: .seconds(180))
        #expect(code(try await told) == "app_refused")
        #expect(try desk.store.apps().isEmpty)
    }

    @Test func `a yes that comes too late pairs nobody`() async throws {
        var app = try app()
        let reveal = try await reveal(&app)
        desk.owner.say(.pair)
        let clock = desk.clock
        desk.owner.think { clock.advance(by: .seconds(180)) }
        let told = try await desk.plain(SchemeURL.reveal(reveal).written())
        #expect(["pairing_failed", "app_refused"].contains(code(told)))
        #expect(told?.requestID == app.hello.requestID)
        #expect(try desk.store.apps().isEmpty)
    }

    @Test func `a reveal that is not what was committed to ends the pairing, and shows nothing`() async throws
    {
        var app = try app()
        var reveal = try await reveal(&app)
        desk.owner.say(.pair)
        reveal[75] ^= 1
        let told = try await desk.plain(SchemeURL.reveal(reveal).written())
        #expect(code(told) == "pairing_failed" && told?.requestID == app.hello.requestID)
        reveal[75] ^= 1
        let outcome = try await desk.handle(SchemeURL.reveal(reveal).written())
        #expect(outcome.delivery == .nothing && outcome.error?.code.rawValue == "pairing_failed")
        #expect(desk.owner.questions.isEmpty)
        #expect(try desk.store.apps().isEmpty)
    }

    @Test func `one hello is taken in a minute, by all processes together`() async throws {
        let hello = try SchemeURL.hello(app().hello).written()
        #expect(try await desk.plain(hello)?.state == .pairing)
        let other = try SchemeURL.hello(app("other-app").hello).written()
        let before = desk.opener.urls.count
        _ = try await desk.handler().handle(other)
        let url = try #require(desk.opener.urls.dropFirst(before).first)
        #expect(code(try desk.answer(in: url, callback: "other-app")) == "rate_limited")
        desk.clock.advance(by: .seconds(60))
        #expect(try await desk.plain(hello)?.state == .pairing)
    }

    @Test func `a new app with a paired one's callback is named to the owner, and takes its place`()
        async throws
    {
        let first = try await desk.pair()
        let second = try await desk.pair()
        guard case .pair(let asked)? = desk.owner.questions.last else {
            Issue.record("the owner was not asked")
            return
        }
        #expect(asked.replaced == ["Cool Notes"])
        #expect(try desk.store.apps().map(\.id) == [second.app])
        let outcome = try await desk.handle(first.url(.status, at: desk.now))
        #expect(outcome.delivery == .nothing && outcome.error?.code.rawValue == "not_paired")
    }
}
#endif
