#if Hub
@testable import BreezeAccess
import BreezeCore
import BreezeTestSupport
import Foundation
import GRDB
import Testing

@Suite struct KeyTests {
    let fixture: Fixture
    var access: AccessControl { fixture.access }

    init() throws { fixture = try Fixture() }

    @Test func `a key has one form, which a scanner finds`() async throws {
        var texts: Set<String> = []
        for _ in 0..<50 { texts.insert(KeyText.make(.app).text) }
        #expect(texts.count == 50)
        #expect(try texts.allSatisfy { try /brz_[a-z2-7]{12}_[A-Za-z0-9_-]{43}/.wholeMatch(in: $0) != nil })
    }

    @Test func `of every key that is changed in one place none is valid`() async throws {
        let (_, key) = try await fixture.app()
        #expect(access.refusal(key) == nil)
        for index in key.indices {
            var tampered = key
            tampered.replaceSubrange(index...index, with: key[index] == "a" ? "b" : "a")
            #expect(access.refusal(tampered)?.code == .invalidKey, "\(tampered)")
        }
    }

    @Test func `no part of a key is valid, and nothing around it`() async throws {
        let (_, key) = try await fixture.app()
        for length in 0..<key.count {
            #expect(access.refusal(String(key.prefix(length)))?.code == .invalidKey)
        }
        for text in [
            key + "A", " \(key)", key + "\n", key + "\u{0}", key.uppercased(), "Bearer \(key)", "é\(key)",
        ] {
            #expect(access.refusal(text)?.code == .invalidKey)
        }
        #expect(access.refusal(nil)?.code == .invalidKey)
    }

    @Test func `another app's secret under this app's id is not valid`() async throws {
        let (one, two) = (try await fixture.app("One").key, try await fixture.app("Two").key)
        #expect(access.refusal(String(one.prefix(17)) + two.dropFirst(17))?.code == .invalidKey)
    }

    @Test func `only a digest is kept, SHA-256 of the whole key`() async throws {
        let (_, key) = try await fixture.app()
        try await access.close()
        let file = try Data(contentsOf: fixture.file)
        #expect(file.range(of: Data(key.dropFirst(17).utf8)) == nil)
        #expect(file.range(of: KeyDigest(of: key.utf8).bytes) != nil)
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(KeyDigest(of: "abc".utf8).bytes.map { String(format: "%02x", $0) }.joined() == abc)
    }

    @Test func `digests are of one length, and every bit of them counts`() throws {
        let digest = KeyDigest(of: "abc".utf8)
        #expect(digest.bytes.count == 32)
        #expect(digest.matches(KeyDigest(of: "abc".utf8)))
        for length in [0, 1, 31, 33, 64] { #expect(KeyDigest(Data(repeating: 0, count: length)) == nil) }
        for bit in 0..<256 {
            var bytes = digest.bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(try !#require(KeyDigest(bytes)).matches(digest))
        }
    }

    @Test func `what prints a new key does not show it`() async throws {
        let (_, key) = try await access.register(
            AppRequest(name: "Mail", asked: AppScopes([.chat: .onDevice]))
        )
        let secret = key.reveal().dropFirst(17)
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] { #expect(!text.contains(secret)) }
    }

    @Test func `an app has several keys, each withdrawn alone`() async throws {
        let (app, first) = try await fixture.app()
        let second = try await access.makeKey(for: app.id, label: "laptop")
        #expect(access.refusal(second.reveal()) == nil)
        #expect(try access.keys(of: app.id).map(\.label).sorted() == ["first", "laptop"])
        try await access.revokeKey(second.key.id)
        #expect(access.refusal(second.reveal())?.code == .invalidKey)
        #expect(access.refusal(first) == nil)
        await #expect(throws: BreezeError.self) { try await access.revokeKey("nosuchkey") }
    }

    @Test func `a rotated key is taken for its grace and no longer`() async throws {
        let (app, first) = try await fixture.app()
        let id = try #require(try access.keys(of: app.id).first?.id)
        let second = try await access.rotateKey(id, grace: .seconds(60))
        #expect(access.refusal(first) == nil)
        fixture.watch.advance(by: 60)
        #expect(access.refusal(first)?.code == .invalidKey)
        let third = try await access.rotateKey(second.key.id)
        #expect(access.refusal(second.reveal())?.code == .invalidKey)
        #expect(access.refusal(third.reveal()) == nil)
    }

    @Test func `an app does not gather keys without end`() async throws {
        let fixture = try Fixture { $0.keyLimit = 2 }
        let app = try await fixture.app().app
        _ = try await fixture.access.makeKey(for: app.id, label: "2")
        await #expect(throws: BreezeError.self) { try await fixture.access.makeKey(for: app.id, label: "3") }
    }

    // MARK: - The owner

    @Test func `a link works once, for a minute`() throws {
        let watch = fixture.watch
        let sessions = OwnerSessions(now: { watch.now })
        let code = sessions.makeLinkCode()
        let token = try sessions.redeem(code).token
        #expect(sessions.isOwner(token))
        #expect(throws: BreezeError.self) { try sessions.redeem(code) }
        let late = sessions.makeLinkCode()
        watch.advance(by: 59.5)
        let other = sessions.makeLinkCode()
        watch.advance(by: 0.5)
        #expect(throws: BreezeError.self) { try sessions.redeem(late) }
        #expect(sessions.isOwner(try sessions.redeem(other).token))
        #expect(throws: BreezeError.self) { try sessions.redeem(token) }
        #expect(!sessions.isOwner(code))
    }

    @Test func `an owner's session ends by itself, and when it is ended`() throws {
        let watch = fixture.watch
        let sessions = OwnerSessions(sessionLifetime: .seconds(100), now: { watch.now })
        let token = try sessions.redeem(sessions.makeLinkCode()).token
        let other = try sessions.redeem(sessions.makeLinkCode()).token
        sessions.end(String(token.dropLast()) + "!")
        #expect(sessions.isOwner(token))
        sessions.end(token)
        #expect(!sessions.isOwner(token) && sessions.isOwner(other))
        watch.advance(by: 100)
        #expect(!sessions.isOwner(other))
    }

    @Test func `a link is made by whoever has the proof, and by nobody else`() throws {
        let watch = fixture.watch
        let sessions = OwnerSessions(now: { watch.now })
        let made = OwnerSessions.linkCode(proof: sessions.proof, now: watch.now)
        #expect(sessions.isOwner(try sessions.redeem(made).token))
        let foreign = OwnerSessions(now: { watch.now })
        #expect(throws: BreezeError.self) { try sessions.redeem(foreign.makeLinkCode()) }
        #expect(throws: BreezeError.self) { try sessions.redeem(sessions.proof) }
        // One that says that it counts for longer was not made with the proof.
        var parts = sessions.makeLinkCode().split(separator: "_", maxSplits: 3).map(String.init)
        parts[2] = "9" + parts[2].dropFirst()
        #expect(throws: BreezeError.self) { try sessions.redeem(parts.joined(separator: "_")) }
    }

    @Test func `the session that would end first makes room for one more`() throws {
        let watch = fixture.watch
        let sessions = OwnerSessions(now: { watch.now })
        let tokens = try (0..<17).map { _ in
            watch.advance(by: 0.1)
            return try sessions.redeem(sessions.makeLinkCode()).token
        }
        #expect(tokens.map(sessions.isOwner) == [false] + Array(repeating: true, count: 16))
    }
}
#endif
