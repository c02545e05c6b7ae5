#if Hub
import BreezeCore
import BreezeScheme
import BreezeStore
import BreezeTestSupport
import Foundation
import GRDB
import Testing

@testable import BreezeSchemeStore

/// Paired apps, and how an app becomes one over three processes.
@Suite struct AppTests {
    private let home: Home

    init() throws { home = try Home() }

    @Test func `a pairing goes over three processes, and leaves the keys that the app has`() throws {
        let kept = try pair(home, asked: [.chat: .networkAllowed, .embedding: .onDevice])
        let store = try home.open()
        let app = try #require(try store.apps().first)
        #expect(try store.apps().count == 1 && app.id == kept.app && app.name == "Cool Notes")
        #expect(app.callback.name == "mycoolapp" && !app.isOver)
        #expect(app.reach(for: .chat) == .networkAllowed && app.reach(for: .embedding) == .onDevice)
        #expect(app.reach(for: .asr) == nil)
        let found = try #require(try store.pairedApp(kept.app))
        #expect(found.keys.toHub.bytes == kept.keys.toHub.bytes)
        #expect(found.keys.toApp.bytes == kept.keys.toApp.bytes)
        #expect(try store.app(try #require(AppID("aaaaaaaaaaaa"))) == nil)
    }

    @Test func `of vlm and vision the lesser holds`() throws {
        let both = SchemeApp(
            id: try #require(AppID("aaaaaaaaaaaa")),
            name: "A",
            callback: try CallbackScheme("mycoolapp"),
            granted: ["vlm": .networkAllowed, "vision": .onDevice],
            paired: 0,
            revoked: nil,
            uses: 0
        )
        #expect(both.reach(for: .vlm) == .onDevice)
    }

    @Test func `neither keys nor questions nor parts lie open on the disk`() throws {
        let kept = try pair(home)
        let store = try home.open()
        let prompt = "a prompt that only its owner reads"
        let plain = PlainRequest(
            InferenceRequest(.chat, prompt: prompt),
            callback: try CallbackScheme("mycoolapp")
        )
        try store.post(.run(RunQuestion(plain)), as: "q", at: now)
        let parts = PartSet(
            digest: [UInt8](repeating: 1, count: 32),
            count: 2,
            content: Array(prompt.utf8),
            next: 1,
            time: now
        )
        try store.putParts(parts, of: kept.app)
        try store.keepAnswer([Array(prompt.utf8), Array(prompt.utf8)], of: kept.app, at: now)
        let disk = try home.bytes()
        #expect(disk.range(of: Data("mycoolapp".utf8)) != nil, "it is looked for where it would be")
        for secret in [kept.keys.toHub.bytes, kept.keys.toApp.bytes, Array(prompt.utf8)] {
            #expect(disk.range(of: Data(secret)) == nil)
            #expect(disk.range(of: Data(Data(secret).base64EncodedString().utf8)) == nil)
        }
        let mode = try FileManager.default.attributesOfItem(
            atPath: home.file.deletingPathExtension().appendingPathExtension("key").path
        )[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test(arguments: [nil, 31, 33]) func `without their key no pairing is guessed`(length: Int?) throws {
        let key = home.file.deletingPathExtension().appendingPathExtension("key")
        // Where nothing is sealed yet, a key is made.
        try home.open().close()
        try FileManager.default.removeItem(at: key)
        _ = try pair(home)
        try FileManager.default.removeItem(at: key)
        if let length {
            let isMade = FileManager.default.createFile(
                atPath: key.path,
                contents: Data(repeating: 7, count: length),
                attributes: [.posixPermissions: 0o600]
            )
            try #require(isMade)
        }
        let error = #expect(throws: BreezeError.self) { try home.open() }
        #expect(error?.code == .invalidFile && error?.message.contains(key.path) == true)
    }

    @Test func `a key that others may read is not used`() throws {
        _ = try pair(home)
        let key = home.file.deletingPathExtension().appendingPathExtension("key")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key.path)
        #expect(throws: BreezeError.self) { try home.open() }
    }

    @Test func `a new pairing takes the place of the one with its callback, and of no other`() throws {
        let first = try pair(home)
        let other = try pair(home, name: "Other", callback: "other-app", at: now + minute)
        let second = try pair(home, name: "Cool Notes 2", at: now + 2 * minute)
        let store = try home.open()
        #expect(try store.apps().map(\.id) == [other.app, second.app])
        #expect(try store.pairedApp(first.app) == nil)
    }

    @Test func `the owner is told whose place a pairing would take`() throws {
        _ = try pair(home)
        let store = try home.open()
        let time = now + minute
        var app = try AppPairing(
            name: "Cool Nates",
            callback: CallbackScheme("mycoolapp"),
            asked: [.chat: .onDevice],
            at: time,
            last: nil
        )
        let reveal = try app.take(store.begin(app.hello, at: time), at: time)
        let question = PairQuestion(try store.reveal(reveal, at: time))
        #expect(question.replaced == ["Cool Notes"] && question.name == "Cool Nates")
        #expect(question.code == app.code && question.callback == "mycoolapp")
    }

    @Test func `a yes to one pairing is no yes to the next`() throws {
        let store = try home.open()
        func reveal(at time: Int64) throws -> AppID {
            var app = try AppPairing(
                name: "A",
                callback: CallbackScheme("mycoolapp"),
                asked: [.chat: .onDevice],
                at: time,
                last: nil
            )
            return try store.reveal(app.take(store.begin(app.hello, at: time), at: time), at: time).question
                .app
        }
        let first = try reveal(at: now)
        let second = try reveal(at: now + 200_000)
        #expect(refusal { _ = try store.approve(first, at: now + 200_001) } == "pairing_failed")
        #expect(try store.refusePairing(first, at: now + 200_001) == nil)
        _ = try store.approve(second, at: now + 200_002)
        #expect(try store.apps().map(\.id) == [second])
    }

    @Test func `a hello is taken once a minute, and a wrong reveal ends the pairing, over processes`() throws
    {
        var app = try AppPairing(
            name: "A",
            callback: CallbackScheme("mycoolapp"),
            asked: [.chat: .onDevice],
            at: now,
            last: nil
        )
        var store = try home.open()
        let offer = try store.begin(app.hello, at: now)
        try store.close()
        store = try home.open()
        #expect(refusal { _ = try store.begin(app.hello, at: now + 59_999) } == "rate_limited")
        var reveal = try app.take(offer, at: now)
        reveal[70] ^= 1
        #expect(refusal { _ = try store.reveal(reveal, at: now + 1) } == "pairing_failed")
        try store.close()
        store = try home.open()
        reveal[70] ^= 1
        #expect(refusal { _ = try store.reveal(reveal, at: now + 2) } == "pairing_failed")
        _ = try store.begin(app.hello, at: now + 60_000)
    }

    @Test func `what is withdrawn stays known, and what is removed does not`() throws {
        let kept = try pair(home)
        let store = try home.open()
        try store.revoke(kept.app, at: now + 1)
        try store.revoke(kept.app, at: now + 2)
        #expect(try store.app(kept.app)?.isOver == true && store.app(kept.app)?.revoked == now + 1)
        #expect(try store.pairedApp(kept.app) != nil)
        try store.remove(kept.app)
        #expect(try store.pairedApp(kept.app) == nil && store.apps().isEmpty)
        let unknown = "unknown_app"
        #expect(refusal { try store.remove(kept.app) } == unknown)
        #expect(refusal { try store.revoke(kept.app, at: now) } == unknown)
    }

    @Test func `a pairing is over when its keys were used as often as they may be`() throws {
        let kept = try pair(home)
        let store = try home.open()
        try store.store.writeNow { try $0.execute(sql: "UPDATE app SET uses = 4294967294") }
        let expiry = UInt64(now + minute)
        _ = try store.take(nonce(1), of: kept.app, until: expiry, at: now)
        _ = try store.take(nonce(1), of: kept.app, until: expiry, at: now)
        #expect(try store.app(kept.app)?.isOver == false)
        // Expired, and told so: that is an envelope, too.
        _ = try store.take(nonce(2), of: kept.app, until: 5, at: now)
        #expect(try store.app(kept.app)?.isOver == true)
    }

    @Test func `parts are one set an app, and are forgotten`() throws {
        let kept = try pair(home)
        let store = try home.open()
        let set = PartSet(digest: [1, 2], count: 3, content: [4, 5], next: 1, time: now)
        try store.putParts(set, of: kept.app)
        let next = PartSet(digest: [1, 2], count: 3, content: [4, 5, 6], next: 2, time: now + 5)
        try store.putParts(next, of: kept.app)
        #expect(try store.takeParts(of: kept.app) == next)
        #expect(try store.takeParts(of: kept.app) == nil)
        try store.putParts(set, of: kept.app)
        _ = try store.take(nonce(1), of: kept.app, until: UInt64(now + 400_000), at: now + 300_000)
        #expect(try store.takeParts(of: kept.app) == nil)
    }

    @Test func `a part of an answer goes to its own app, by its digest, and the last one ends it`() throws {
        let store = try home.open()
        let app = try #require(AppID("aaaaaaaaaaaa"))
        let other = try #require(AppID("bbbbbbbbbbbb"))
        let message = [UInt8](repeating: 9, count: 150_000)
        let parts = try MessageParts.cut(message)
        let digest = Array(parts[0].prefix(32))
        try store.keepAnswer(parts, of: app, at: now)
        #expect(try store.answerPart(1, digest: digest, of: other, at: now) == nil)
        #expect(try store.answerPart(3, digest: digest, of: app, at: now) == nil)
        #expect(try store.answerPart(1, digest: [UInt8](repeating: 0, count: 32), of: app, at: now) == nil)
        #expect(try store.answerPart(1, digest: digest, of: app, at: now) == parts[1])
        #expect(try store.answerPart(1, digest: digest, of: app, at: now + 299_999) == parts[1])
        #expect(try store.answerPart(2, digest: digest, of: app, at: now + 599_998) == parts[2])
        #expect(try store.answerPart(2, digest: digest, of: app, at: now + 599_998) == nil)
        try store.keepAnswer(parts, of: app, at: now)
        #expect(try store.answerPart(1, digest: digest, of: app, at: now + 300_000) == nil)
    }
}
#endif
