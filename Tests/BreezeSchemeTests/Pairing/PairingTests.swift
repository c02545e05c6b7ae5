#if Hub || Pairing
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeScheme

@Suite struct PairingTests {
    private let now: Int64 = 1_800_000_000_000

    private func app(_ name: String = "Cool Notes", last: Int64? = nil) throws -> AppPairing {
        let callback = try CallbackScheme("mycoolapp")
        return try AppPairing(name: name, callback: callback, asked: [.chat: .onDevice], at: now, last: last)
    }

    private func code(_ work: () throws -> Void) -> String? {
        do {
            try work()
            Issue.record("nothing was refused")
            return nil
        } catch let refusal as SchemeRefusal {
            return refusal.error.code.rawValue
        } catch {
            return (error as? BreezeError)?.code.rawValue
        }
    }

    @Test func `both people's yes makes keys, in either order`() throws {
        for confirmsFirst in [true, false] {
            var app = try app()
            var hub = HubPairing()
            let offer = try hub.take(app.hello, at: now)
            let reveal = try app.take(SchemeAnswer(parsing: offer.bytes()), at: now)
            let question = try hub.take(reveal: reveal, at: now)
            #expect(question.code == app.code && question.code.count == 7)
            let paired = try hub.approve(at: now)
            let kept: AppPairing.Paired?
            if confirmsFirst {
                #expect(app.confirm(at: now) == nil)
                kept = try app.take(paired: paired.envelope.bytes, at: now)
            } else {
                #expect(try app.take(paired: paired.envelope.bytes, at: now) == nil)
                kept = app.confirm(at: now)
            }
            let keys = try #require(kept)
            #expect(keys.app == paired.app.id && keys.granted == ["chat": .onDevice])
            #expect(keys.keys.toHub.bytes == paired.app.keys.toHub.bytes)
            #expect(keys.keys.toHub.bytes != keys.keys.toApp.bytes)
            #expect("\(keys.keys)".contains("[") == false)
        }
    }

    @Test func `one who stands between is refused by the code, however often he tries`() throws {
        var generator = SeededGenerator(seed: 11)
        func drawn() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
        let callback = try CallbackScheme("mycoolapp")
        func side() throws -> AppPairing {
            let key = try #require(PairingKey(drawn()))
            let nonce = drawn()
            let commit = PairingAgreement.commitment(key: key.publicBytes, nonce: nonce)
            let text = """
                {"v":1,"name":"Cool Notes","callback":"\(callback.name)","commit":"\(StrictBase64.url(commit))",\
                "asked":{"chat":"onDevice"}}
                """
            return AppPairing(try PairingHello(parsing: Array(text.utf8)), key: key, nonce: nonce, at: now)
        }
        for _ in 0..<Soak.count(2_000) {
            var app = try side()
            var his = try side()
            var hub = HubPairing()
            // He must commit before he sees the hub's nonce, and offer before he sees the app's.
            let theirs = try #require(PairingKey(drawn()))
            let offer = try hub.take(his.hello, at: now, key: theirs, nonce: drawn())
            let id = try #require(offer.offer?.prefix(12))
            let hisKey = try #require(PairingKey(drawn()))
            _ = try app.take(offer: id + hisKey.publicBytes + drawn(), at: now)
            let reveal = try his.take(offer: try #require(offer.offer), at: now)
            let question = try hub.take(reveal: reveal, at: now)
            #expect(question.code != app.code)
            // Two people compare, and say no.
            app.refuse()
            #expect(app.confirm(at: now) == nil)
            let refused = hub.refuse()
            let (answer, told) = try #require(refused)
            #expect(answer.error?.code.rawValue == "app_refused" && told == callback)
            #expect(code { _ = try hub.approve(at: now) } == "pairing_failed")
        }
    }

    @Test func `what the man in the middle cannot know the app does not take`() throws {
        var app = try app()
        var hub = HubPairing()
        let offer = try hub.take(app.hello, at: now)
        let reveal = try app.take(offer, at: now)
        _ = try hub.take(reveal: reveal, at: now)
        let paired = try hub.approve(at: now).envelope.bytes
        #expect(app.confirm(at: now) == nil)
        for place in paired.indices {
            var changed = paired
            changed[place] ^= 1
            #expect(throws: BreezeError.self) { try app.take(paired: changed, at: now) }
        }
        var plain = SchemeAnswer(.paired, to: app.hello.requestID)
        plain.granted = ["chat": .networkAllowed]
        #expect(code { _ = try app.take(paired: plain.bytes(), at: now) } == "unsealed_answer")
        #expect(try app.take(paired: paired, at: now + 239_999) != nil)
    }

    @Test func `an app takes one offer, in its time, and a second one ends the pairing`() throws {
        var hub = HubPairing()
        var first = try app()
        let offer = try hub.take(first.hello, at: now)
        _ = try first.take(offer, at: now)
        #expect(code { _ = try first.take(offer, at: now) } == "pairing_failed")
        #expect(first.code == nil && first.confirm(at: now) == nil)
        var late = try app()
        var other = HubPairing()
        let tooLate = try other.take(late.hello, at: now)
        #expect(code { _ = try late.take(tooLate, at: now + 60_000) } == "pairing_failed")
        // Somebody else's offer changes nothing.
        var third = try app()
        #expect(code { _ = try third.take(offer, at: now) } == "pairing_failed")
        var last = HubPairing()
        _ = try third.take(last.take(third.hello, at: now), at: now)
        #expect(third.code != nil)
    }

    @Test func `the hub's last word comes in four minutes, or not at all`() throws {
        var app = try app()
        var hub = HubPairing()
        let reveal = try app.take(hub.take(app.hello, at: now), at: now)
        _ = try hub.take(reveal: reveal, at: now)
        let paired = try hub.approve(at: now).envelope.bytes
        #expect(app.confirm(at: now) == nil)
        #expect(code { _ = try app.take(paired: paired, at: now + 240_000) } == "pairing_failed")
    }

    @Test func `an app tries once a minute, and a hub that starts again remembers`() throws {
        #expect(code { _ = try app(last: now - 59_999) } == "rate_limited")
        #expect(throws: Never.self) { try app(last: now - 60_000) }
        var hub = HubPairing()
        let hello = try app().hello
        _ = try hub.take(hello, at: now)
        var again = HubPairing(lastHello: hub.lastHello)
        let refusal = #expect(throws: SchemeRefusal.self) { try again.take(hello, at: now + 59_000) }
        #expect(refusal?.error.retryAfter == .seconds(1) && refusal?.callback?.name == "mycoolapp")
        _ = try again.take(hello, at: now + 60_000)
    }

    @Test(arguments: [
        "", " Cool", "Cool ", "Cool\u{202E}", "\u{200B}", "a\u{0301}\u{0301}\u{0301}\u{0301}\u{0301}",
        "Cool\u{A0}Notes",
        "Cool\nNotes", "\u{3164}", "\u{E000}", String(repeating: "a", count: 65),
    ])
    func `a name that a person cannot read is refused`(name: String) {
        #expect(code { _ = try app(name) } == "invalid_request")
    }

    @Test(arguments: ["a", "Cool Notes", "風の手帳 🌬️", "Näher", String(repeating: "é", count: 64)])
    func `names in all scripts are taken`(name: String) throws {
        #expect(try app(name).hello.name == name)
    }
}
#endif
