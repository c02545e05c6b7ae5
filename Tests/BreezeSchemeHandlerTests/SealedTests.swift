#if Hub
import BreezeCore
import BreezeScheme
import BreezeSchemeHandler
import BreezeSchemeStore
import BreezeTestSupport
import Foundation
import Testing

/// Messages of paired apps: section 4 of docs/url-scheme.md.
@Suite struct SealedTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func run(_ prompt: String, id: String = "q-1", _ capability: AICapability = .chat) -> HubMessage {
        .run(InferenceRequest(capability, prompt: prompt, id: id), reply: .url)
    }

    /// The one answer that this URL brings.
    private func answer(_ url: String, _ client: Client) async throws -> SchemeAnswer {
        let before = desk.opener.urls.count
        try await desk.handle(url)
        try #require(desk.opener.urls.count == before + 1)
        return try client.answer(#require(desk.opener.urls.last), at: desk.now)
    }

    private func silent(_ url: String) async throws -> String? {
        let before = desk.opener.urls.count
        let outcome = try await desk.handle(url)
        #expect(outcome.delivery == .nothing && desk.opener.urls.count == before)
        return outcome.error?.code.rawValue
    }

    @Test func `a paired app is answered, sealed, at the callback of its pairing`() async throws {
        let client = try await desk.pair()
        let answer = try await answer(client.url(run("Is it urgent?"), at: desk.now), client)
        #expect(
            answer.state == .done && answer.isFinal && answer.requestID == "q-1" && answer.time == desk.now
        )
        #expect(
            answer.result?.output == .text("You said: Is it urgent?") && answer.result?.requestID == "q-1"
        )
        let ran = try #require(desk.service.requests.first)
        #expect(ran.client == "scheme:\(client.app.text)" && ran.id != "q-1")
        #expect(desk.owner.questions.count == 1, "after the pairing nobody is asked")
    }

    @Test func `neither prompt nor answer nor capability can be read in a sealed URL`() async throws {
        let client = try await desk.pair()
        let prompt = "Is this mail from my doctor urgent?"
        let sent = try client.url(run(prompt), at: desk.now)
        try await desk.handle(sent)
        let returned = try #require(desk.opener.urls.last)
        let answer = "You said: \(prompt)"
        #expect(try client.answer(returned, at: desk.now).result?.output == .text(answer))
        for url in [sent, returned] {
            let value = try #require(url.split(separator: "=").last)
            let bytes = Data(try StrictBase64.bytes(ofURL: value.utf8, limit: SchemeURL.valueLimit))
            for secret in [prompt, answer, "doctor", "chat", "q-1", "Cool Notes"] {
                let data = Data(secret.utf8)
                #expect(bytes.range(of: data) == nil && url.range(of: secret) == nil)
                // Base64 spells a text in three ways, by where it begins.
                for offset in 0..<3 {
                    let spelled = Data(repeating: 0, count: offset) + data
                    let inner = StrictBase64.url(spelled).dropFirst(offset == 0 ? 0 : offset + 1).dropLast(2)
                    if inner.count > 3 { #expect(url.range(of: inner) == nil) }
                }
            }
        }
    }

    @Test func `the same URL a second time runs nothing and tells nobody, in this process or the next`()
        async throws
    {
        let client = try await desk.pair()
        let url = try client.url(run("hello"), at: desk.now)
        _ = try await answer(url, client)
        #expect(try await silent(url) == "replayed")
        let next = try Desk(in: desk.scratch, clock: desk.clock)
        for shift in [0, -3_600_000, 60_000] as [Int64] {
            next.watch.set(shift)
            let outcome = try await next.handler().handle(url)
            #expect(outcome.delivery == .nothing && outcome.error?.code.rawValue == "replayed")
        }
        #expect(desk.service.requests.count == 1 && next.service.requests.isEmpty && next.opener.urls.isEmpty)
    }

    @Test func `an expired one runs nothing, and is told once in ten seconds`() async throws {
        let client = try await desk.pair()
        let urls = try (0..<3).map { _ in try client.url(run("hello"), at: desk.now) }
        desk.clock.advance(by: .seconds(120))
        let told = try await answer(urls[0], client)
        #expect(code(told) == "message_expired" && told.time == desk.now)
        #expect(try await silent(urls[1]) == "message_expired")
        desk.clock.advance(by: .seconds(10))
        #expect(code(try await answer(urls[2], client)) == "message_expired")
        #expect(try await silent(client.url(run("hello"), at: desk.now + 180_001)) == "message_expired")
        #expect(desk.service.requests.isEmpty)
    }

    @Test func `what was changed in any byte runs nothing and tells nobody`() async throws {
        let client = try await desk.pair()
        let envelope = try client.envelope(run("hello"), at: desk.now).bytes
        for place in stride(from: 0, to: envelope.count, by: 3) {
            var changed = envelope
            changed[place] ^= 0x10
            let url = "breezeapp://sealed?envelope=\(StrictBase64.url(changed))"
            let code = try await silent(url)
            #expect(
                ["invalid_envelope", "not_paired", "unsupported_version"].contains(code),
                "byte \(place)"
            )
        }
        #expect(desk.service.requests.isEmpty)
        // No nonce was used up by it.
        #expect(try await answer(SchemeURL.sealed(envelope).written(), client).state == .done)
    }

    @Test func `an app cannot ask in another one's name, nor read what that one is told`() async throws {
        let client = try await desk.pair()
        let other = try await desk.pair("other-app")
        let header = EnvelopeHeader(
            .request,
            app: client.app,
            nonce: .random(),
            expiry: UInt64(desk.now + 120_000)
        )
        let forged = try Envelope(sealing: Array(#"{"do":"status"}"#.utf8), header, key: other.keys.toHub)
        #expect(try await silent(SchemeURL.sealed(forged.bytes).written()) == "invalid_envelope")
        // Whoever claimed the callback gets the URL, and nothing else.
        try await desk.handle(client.url(run("hello"), at: desk.now))
        let stolen = try #require(desk.opener.urls.last)
        #expect(stolen.hasPrefix("mycoolapp://"))
        let data = try client.callback.answer(in: stolen)
        let error = #expect(throws: BreezeError.self) { try other.received(data, at: desk.now) }
        #expect(error?.code.rawValue == "invalid_envelope")
        var thief = AppSession(client.app, keys: other.keys, outstanding: [header.nonce])
        let unread = #expect(throws: BreezeError.self) { try thief.open(data, at: desk.now) }
        #expect(unread?.code.rawValue == "invalid_envelope")
    }

    @Test func `a stolen callback brings a plain request no further than to the owner`() async throws {
        _ = try await desk.pair()
        #expect(code(try await desk.plain(question("hello"))) == "not_paired")
        #expect(desk.owner.questions.count == 2 && desk.service.requests.isEmpty)
    }

    @Test func `a message of nobody who is paired tells nobody`() async throws {
        let elsewhere = try await Desk().pair()
        #expect(try await silent(elsewhere.url(run("hello"), at: desk.now)) == "not_paired")
    }

    @Test func `who was withdrawn is told so, sealed, and nothing runs`() async throws {
        let client = try await desk.pair()
        try desk.store.revoke(client.app, at: desk.now)
        let told = try await answer(client.url(run("hello"), at: desk.now), client)
        #expect(code(told) == "revoked" && told.requestID == "q-1")
        #expect(code(try await answer(client.url(.status, at: desk.now), client)) == "revoked")
        #expect(desk.service.requests.isEmpty)
        let status = try await desk.plain("breezeapp://status?callback=mycoolapp&app=\(client.app.text)")
        #expect(status?.status?.paired == false)
    }

    @Test func `an app goes as far as it was granted`() async throws {
        let client = try await desk.pair(asked: [.chat: .onDevice, .embedding: .networkAllowed])
        let denied = try await answer(client.url(run("x", id: "a", .tts), at: desk.now), client)
        #expect(code(denied) == "scope_denied" && denied.requestID == "a")
        #expect(desk.service.requests.isEmpty)
        _ = try await answer(client.url(run("x", id: "b"), at: desk.now), client)
        _ = try await answer(client.url(run("x", id: "c", .embedding), at: desk.now), client)
        var pinned = InferenceRequest(.embedding, prompt: "x")
        pinned.privacy = .onDevice
        _ = try await answer(client.url(.run(pinned, reply: .url), at: desk.now), client)
        #expect(desk.service.requests.map(\.privacy) == [.onDevice, .userSettings, .onDevice])
    }

    @Test func `a sealed status says what is ready, for what was granted`() async throws {
        let client = try await desk.pair(asked: [.chat: .onDevice, .asr: .onDevice])
        let message = try client.envelope(.status, at: desk.now)
        let told = try await answer(SchemeURL.sealed(message.bytes).written(), client)
        #expect(told.requestID == message.header.nonce.hexadecimal && told.state == .done)
        #expect(told.status?.versions == [1] && told.status?.paired == true && told.status?.ready == true)
        #expect(told.status?.capabilities?.keys.sorted() == ["asr", "chat"])
        #expect(told.status?.capabilities?["chat"]?.available == true)
        #expect(told.status?.capabilities?["asr"]?.available == false)
        #expect(told.status?.capabilities?["asr"]?.reason == "No model is here.")
        let plain = try await desk.plain("breezeapp://status?callback=mycoolapp&app=\(client.app.text)")
        #expect(plain?.status?.paired == true && plain?.status?.capabilities == nil)
    }

    @Test func `a cancelled request ends with cancelled, and another app cannot cancel it`() async throws {
        let client = try await desk.pair()
        let other = try await desk.pair("other-app")
        desk.service.answer { request in
            await untilCancelled()
            try Task.checkCancellation()
            return result("never", to: request)
        }
        let url = try client.url(run("long"), at: desk.now)
        async let outcome = desk.handle(url)
        await desk.service.started.pass()
        let handler = try desk.handler()
        for app in [other, client] {
            await desk.clock.sleeper(within: .milliseconds(250))
            let cancel = try app.url(.cancel(id: "q-1"), at: desk.now)
            #expect(await handler.handle(cancel).delivery == .nothing)
            if app === other { desk.clock.advance(by: .milliseconds(250)) }
        }
        desk.clock.advance(by: .milliseconds(250))
        guard case .url(let told) = try await outcome.delivery else {
            Issue.record("nothing was told")
            return
        }
        let answer = try client.answer(told, at: desk.now)
        #expect(code(answer) == "cancelled" && answer.requestID == "q-1" && answer.isFinal)
    }
}
#endif
