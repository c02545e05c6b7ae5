#if Hub
import BreezeCore
import BreezeScheme
import BreezeSchemeHandler
import BreezeSchemeStore
import BreezeTestSupport
import Foundation
import Testing

/// Requests that anybody may have sent: section 3 of docs/url-scheme.md.
@Suite struct PlainTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test(arguments: ["mycoolapp", "mycoolapp://", "MyCoolApp"])
    func `a question that the owner allows is answered at its callback`(callback: String) async throws {
        desk.owner.say(.allowOnce)
        let url = "breezeapp://api/chat?prompt=Is%20it%20urgent%3F&callback=\(callback)"
        let answer = try #require(await desk.plain(url))
        #expect(desk.opener.urls.first?.hasPrefix("mycoolapp://breeze-response?result=") == true)
        #expect(answer.state == .done && answer.isFinal && answer.pair == nil && answer.time == nil)
        #expect(answer.result?.output == .text("You said: Is it urgent?"))
        #expect(answer.result?.requestID == answer.requestID)
        guard case .run(let asked) = desk.owner.questions.first else {
            Issue.record("nobody was asked")
            return
        }
        #expect(asked.prompt == "Is it urgent?" && asked.callback == "mycoolapp" && asked.capability == .chat)
        #expect(RunQuestion.warning.contains("Unverified"))
    }

    @Test func `what is allowed runs on the device, without tools, under an id of ours`() async throws {
        desk.owner.say(.allowOnce)
        var request = InferenceRequest(.chat, prompt: "hello", id: "theirs")
        request.configuration.tools = []
        request.configuration.toolChoice = ToolChoice.none
        request.privacy = .userSettings
        request.client = "app:somebody-else"
        let url =
            "breezeapp://api/chat?request=\(StrictBase64.url(try SchemeWriter.bytes(request)))&callback=mycoolapp"
        let answer = try #require(await desk.plain(url))
        #expect(answer.requestID == "theirs" && answer.result?.requestID == "theirs")
        let ran = try #require(desk.service.requests.first)
        #expect(ran.privacy == .onDevice && ran.client == "scheme:unverified" && ran.id != "theirs")
        #expect(ran.configuration.tools == nil && ran.configuration.toolChoice == nil)
    }

    @Test func `a request with tools is refused, and the owner is not asked`() async throws {
        desk.owner.say(.allowAndPair)
        var request = InferenceRequest(.chat, prompt: "hello")
        request.configuration.tools = [ToolDefinition(name: "a", description: "b", parameters: .object([:]))]
        let url =
            "breezeapp://api/chat?request=\(StrictBase64.url(try SchemeWriter.bytes(request)))&callback=mycoolapp"
        #expect(code(try await desk.plain(url)) == "scope_denied")
        #expect(desk.owner.questions.isEmpty && desk.service.requests.isEmpty)
    }

    @Test func `who was refused hears it, and is not asked about again for ten minutes`() async throws {
        #expect(code(try await desk.plain(question("hello"))) == "not_paired")
        desk.owner.say(.allowOnce)
        desk.clock.advance(by: .seconds(599))
        #expect(code(try await desk.plain(question("hello"))) == "not_paired")
        #expect(desk.owner.questions.count == 1 && desk.service.requests.isEmpty)
        desk.clock.advance(by: .seconds(1))
        #expect(try await desk.plain(question("hello"))?.state == .done)
    }

    /// Only a yes to this question is one; ``OwnerAnswer/pair`` is an answer to another.
    @Test(arguments: OwnerAnswer.allCases)
    func `nothing but a yes to it runs a request`(answer: OwnerAnswer) async throws {
        desk.owner.say(answer)
        let told = try await desk.plain(question("hello"))
        let isYes = answer == .allowOnce || answer == .allowAndPair
        #expect(told?.state == (isYes ? .done : .failed))
        #expect(desk.service.requests.count == (isYes ? 1 : 0))
        #expect(told?.pair == (answer == .allowAndPair ? true : nil))
    }

    @Test func `no answer in two minutes is a refusal`() async throws {
        desk.owner.say(nil)
        async let answer = desk.plain(question("hello"))
        await desk.owner.asked.pass()
        await desk.clock.sleeper(within: .seconds(120))
        desk.clock.advance(by: .seconds(120))
        #expect(code(try await answer) == "not_paired")
        #expect(desk.service.requests.isEmpty)
        desk.owner.say(.allowOnce)
        #expect(code(try await desk.plain(question("hello"))) == "not_paired")
        #expect(desk.owner.questions.count == 1)
    }

    @Test func `a yes that comes too late runs nothing`() async throws {
        desk.owner.say(.allowOnce)
        let clock = desk.clock
        desk.owner.think { clock.advance(by: .seconds(120)) }
        #expect(code(try await desk.plain(question("hello"))) == "not_paired")
        #expect(desk.service.requests.isEmpty)
    }

    @Test func `one question stands at a time, and the next comes ten seconds after its answer`() async throws
    {
        desk.owner.say(.allowOnce)
        try await desk.handle(question("first", callback: "first-app"))
        async let second = desk.handle(question("second", callback: "second-app"))
        for _ in 0..<39 {
            await desk.clock.sleeper(within: .milliseconds(250))
            desk.clock.advance(by: .milliseconds(250))
        }
        await desk.clock.sleeper(within: .milliseconds(250))
        #expect(desk.owner.questions.count == 1)
        desk.clock.advance(by: .milliseconds(250))
        _ = try await second
        #expect(desk.owner.questions.count == 2 && desk.opener.urls.count == 2)
    }

    @Test func `after three refusals in a row nobody is asked about`() async throws {
        for number in 0..<3 {
            #expect(
                code(try await desk.plain(question("x", callback: "app\(number)"), callback: "app\(number)"))
                    == "not_paired"
            )
            desk.clock.advance(by: .seconds(10))
        }
        #expect(
            code(try await desk.plain(question("x", callback: "app4"), callback: "app4")) == "rate_limited"
        )
        #expect(desk.owner.questions.count == 3)
    }

    @Test func `a thirteenth answer in ten minutes that the owner did not allow opens nothing`() async throws
    {
        for _ in 0..<12 {
            let answer = try #require(await desk.plain("breezeapp://status?callback=mycoolapp"))
            #expect(answer.status?.versions == [1] && answer.status?.paired == false)
            #expect(answer.status?.ready == nil && answer.status?.capabilities == nil)
        }
        #expect(try await desk.plain("breezeapp://status?callback=mycoolapp") == nil)
        #expect(try await desk.plain("breezeapp://api/chat?callback=mycoolapp") == nil)
        // What the owner allows is not counted.
        desk.owner.say(.allowOnce)
        #expect(try await desk.plain(question("hello"))?.state == .done)
    }

    @Test(arguments: [
        "http://api/chat?prompt=a&callback=mycoolapp", "breezeapp://api/chat?prompt=a&callback=https",
        "breezeapp://api/chat?prompt=a&callback=javascript",
        "breezeapp://api/chat?prompt=a&callback=file:///",
        "breezeapp://api/chat?prompt=a", "breezeapp://nowhere?callback=mycoolapp", "",
        "breezeapp://status?callback=breezeapp", "breezeapp://sealed?envelope=AAAA&callback=mycoolapp",
    ])
    func `a URL without a sound callback opens nothing`(url: String) async throws {
        desk.owner.say(.allowAndPair)
        let outcome = try await desk.handle(url)
        #expect(outcome.delivery == .nothing && outcome.error != nil)
        #expect(desk.opener.urls.isEmpty && desk.owner.questions.isEmpty && desk.service.requests.isEmpty)
    }

    @Test(arguments: [
        ("breezeapp://api/chat?prompt=%zz&callback=mycoolapp", "invalid_url"),
        ("breezeapp://api/chat?request=e30=&callback=mycoolapp", "invalid_encoding"),
        ("breezeapp://api/chat?request=W10&callback=mycoolapp", "invalid_request"),
        ("breezeapp://status?callback=mycoolapp&app=1", "invalid_url"),
    ])
    func `a fault is told to a sound callback`(url: String, wanted: String) async throws {
        desk.owner.say(.allowAndPair)
        #expect(code(try await desk.plain(url)) == wanted)
        #expect(desk.owner.questions.isEmpty && desk.service.requests.isEmpty)
    }

    @Test func `an answer that no URL takes becomes one that says so`() async throws {
        desk.owner.say(.allowAndPair)
        desk.service.answer { result(String(repeating: "x", count: 70_000), to: $0) }
        let answer = try await desk.plain(question("hello"))
        #expect(code(answer) == "payload_too_large" && answer?.pair == true)
    }

    @Test func `a failure is told with its remedy, and what is not ours is not shown`() async throws {
        desk.owner.say(.allowOnce)
        desk.service.answer { _ in
            throw BreezeError(
                .busy,
                "Full.",
                remedy: "Wait.",
                retryAfter: .seconds(3),
                underlying: CancellationError()
            )
        }
        let busy = try await desk.plain(question("hello"))
        #expect(busy?.error == BreezeError(.busy, "Full.", remedy: "Wait.", retryAfter: .seconds(3)))
        struct Private: Error { let path = "/home/somebody/secret" }
        desk.clock.advance(by: .seconds(10))
        desk.service.answer { _ in throw Private() }
        try await desk.handle(question("hello"))
        let told = try desk.answer(in: #require(desk.opener.urls.last))
        #expect(code(told) == "internal_error" && told.error?.message.contains("secret") == false)
    }

    @Test func `who is stopped by the system says so instead of hanging`() async throws {
        desk.owner.say(.allowOnce)
        desk.service.answer { request in
            await untilCancelled()
            try Task.checkCancellation()
            return result("never", to: request)
        }
        let task = Task { try await desk.plain(question("hello")) }
        await desk.service.started.pass()
        task.cancel()
        #expect(code(try await task.value) == "background_time_expired")
    }

    @Test func `a callback that nobody answers to is said to whoever handed the URL over`() async throws {
        desk.owner.say(.allowOnce)
        desk.opener.fail(with: BreezeError(.unavailable, "nobody"))
        let outcome = try await desk.handle(question("hello"))
        #expect(outcome.delivery == .nothing && outcome.error?.code == .unavailable)
    }

    @Test func `settings are shown once in ten seconds, and answer nothing`() async throws {
        for _ in 0..<3 { try await desk.handle("breezeapp://settings") }
        #expect(desk.settings.shown == 1)
        desk.clock.advance(by: .seconds(10))
        try await desk.handle("BREEZEAPP://settings/")
        #expect(desk.settings.shown == 2 && desk.opener.urls.isEmpty)
    }

    @Test func `the owner answers on the board, from another process`() async throws {
        let desk = try Desk(board: true)
        async let answer = desk.plain(question("hello"))
        await desk.clock.sleeper(within: .milliseconds(250))
        let standing = try await desk.store.perform { try $0.questions(at: Watch.start) }
        guard case .run(let asked)? = standing.first?.question else {
            Issue.record("nothing stands on the board")
            return
        }
        #expect(standing.count == 1 && asked.prompt == "hello")
        let id = try #require(standing.first?.id)
        #expect(try await desk.store.perform { try $0.answer(id, .allowOnce) })
        desk.clock.advance(by: .milliseconds(250))
        #expect(try await answer?.state == .done)
        #expect(try await desk.store.perform { try $0.questions(at: Watch.start) }.isEmpty)
    }
}
#endif
