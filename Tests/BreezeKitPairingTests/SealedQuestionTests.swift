#if Hub
import BreezeCore
import BreezeKit
import BreezeKitPairing
import BreezeScheme
import BreezeSchemeHandler
import BreezeSchemeStore
import BreezeTestSupport
import Foundation
import Testing

/// A paired app and the real handler: what it asks, and what it is brought.
@Suite(.timeLimit(.minutes(1))) struct SealedQuestionTests {
    private let device: Device

    init() throws { device = try Device() }

    @Test func `a paired app is answered, sealed, without a question to the owner`() async throws {
        let app = try await device.pairedApp()
        let before = (device.questions.urls.count, device.answers.urls.count)
        var options = AskingOptions()
        options.id = "mine"
        let answer = try await device.client(app).chat(
            prompt: "Is my doctor's mail urgent?",
            options: options
        )
        #expect(answer.text == "You said: Is my doctor's mail urgent?")
        #expect(answer.result.requestID == "mine")
        #expect(answer.transport?.way == .urlScheme)
        #expect(answer.result.notices.isEmpty)
        #expect(device.owner.questions.count == 1, "after the pairing nobody is asked")
        #expect(device.questions.urls.count == before.0 + 1 && device.answers.urls.count == before.1 + 1)
        for url in try [#require(device.questions.last), #require(device.answers.last)] {
            for secret in ["doctor", "You said", "mine", "chat"] {
                #expect(try !isReadable(secret, in: url))
            }
        }
    }

    @Test func `another process of the app has the pairing, from a file that its owner alone may read`()
        async throws
    {
        _ = try await device.pairedApp()
        let file = device.scratch.url.appending(path: "app/pairing.json").path
        let facts = try FileManager.default.attributesOfItem(atPath: file)
        #expect(facts[.posixPermissions] as? Int == 0o600)
        let next = try device.app()
        #expect(await next.look() == HubFinding(.ready))
        let answer = try await device.client(next).chat(prompt: "hello")
        #expect(answer.text == "You said: hello" && device.questions.last?.contains("sealed?") == true)
        let kept = try #require(try device.keys.load())
        #expect("\(kept)\(String(reflecting: kept))".contains("•••"))
        var dumped = ""
        dump(kept, to: &dumped)
        #expect(!dumped.contains("bytes"))
    }

    @Test func `what was answered once is not taken again, nor for another question`() async throws {
        let app = try await device.pairedApp()
        let client = device.client(app)
        _ = try await client.chat(prompt: "first")
        let first = try #require(device.answers.last)
        let gate = Gate()
        device.model.answer { request in
            await gate.pass()
            return Model.echo(request)
        }
        let count = device.questions.urls.count
        async let second = client.chat(prompt: "second")
        await device.questions.reaches(count + 1)
        #expect(app.handle(try #require(URL(string: first))))
        gate.open()
        #expect(try await second.text == "You said: second")
    }

    @Test(arguments: ["another app's", "changed", "plain", "of nobody", "no base64", "cut"])
    func `a foreign answer changes nothing, and the right one is taken`(_ kind: String) async throws {
        let app = try await device.pairedApp()
        let other = try await device.pairedApp("other-app", pairing: MemoryStore<SchemePairing>())
        _ = try await other.run(InferenceRequest(.chat, prompt: "other"))
        let others = try #require(device.answers.last)
        device.answers.hold()
        let count = device.answers.urls.count
        async let answer = app.run(InferenceRequest(.chat, prompt: "mine", id: "r1"))
        await device.answers.reaches(count + 1)
        let right = try #require(device.answers.last)
        #expect(right.hasPrefix("mycoolapp://"))
        for url in try forged(kind, right: right, others: others) {
            #expect(app.handle(try #require(URL(string: url))))
        }
        #expect(app.handle(try #require(URL(string: right))))
        #expect(try await answer.output == .text("You said: mine"))
    }

    /// Whether a foreign answer is taken at all, with nothing after it.
    @Test(arguments: ["another app's", "changed", "plain", "of nobody", "cut"])
    func `a foreign answer is none`(_ kind: String) async throws {
        let app = try await device.pairedApp()
        let other = try await device.pairedApp("other-app", pairing: MemoryStore<SchemePairing>())
        _ = try await other.run(InferenceRequest(.chat, prompt: "other"))
        let others = try #require(device.answers.last)
        device.answers.hold()
        let count = device.answers.urls.count
        let work = Task { try await app.run(InferenceRequest(.chat, prompt: "mine", id: "r1")) }
        await device.answers.reaches(count + 1)
        for url in try forged(kind, right: try #require(device.answers.last), others: others) {
            #expect(app.handle(try #require(URL(string: url))))
        }
        await device.clock.sleeper(within: .seconds(300))
        device.clock.advance(by: .seconds(300))
        let error = await #expect(throws: BreezeError.self) { try await work.value }
        #expect(error?.code == .timeout)
    }

    private func forged(_ kind: String, right: String, others: String) throws -> [String] {
        let head = "mycoolapp://breeze-response?result="
        let value = right.dropFirst(head.count)
        switch kind {
        case "another app's": return [others.replacing("other-app", with: "mycoolapp")]
        case "changed":
            let bytes = try StrictBase64.bytes(ofURL: value.utf8, limit: SchemeURL.valueLimit)
            return stride(from: 4, to: bytes.count, by: 7).map { place in
                var changed = bytes
                changed[place] ^= 0x01
                return head + StrictBase64.url(changed)
            }
        case "plain":
            let id = device.model.requests.last?.id ?? ""
            return try ["r1", id, ""].map { id in
                let result = InferenceResult(requestID: id, output: .text("forged"), runner: "x")
                return head + StrictBase64.url(try SchemeAnswer.done(result, to: id).bytes())
            }
        case "no base64": return [head + "B!!!", head + "B"]
        case "cut": return [String(right.dropLast(20))]
        default: return [head + StrictBase64.url(Array("BRZ1".utf8) + Array(repeating: 7, count: 90))]
        }
    }

    @Test func `without an answer it is a timeout, the hub is told, and a late one is not taken`()
        async throws
    {
        let app = try await device.pairedApp()
        let client = device.client(app)
        device.answers.hold()
        let (count, answered) = (device.questions.urls.count, device.answers.urls.count)
        let work = Task { try await client.chat(prompt: "lost") }
        await device.answers.reaches(answered + 1)
        await device.clock.sleeper(within: .seconds(300))
        device.clock.advance(by: .seconds(300))
        let error = await #expect(throws: BreezeError.self) { try await work.value }
        #expect(error?.code == .timeout && error?.message.contains("No answer came back") == true)
        #if os(Linux)
        await device.questions.reaches(count + 2)
        #endif
        let late = try #require(device.answers.last)
        device.answers.hold(false)
        #expect(app.handle(try #require(URL(string: late))))
        #expect(try await client.chat(prompt: "next").text == "You said: next")
    }

    @Test func `the request's own timeout counts`() async throws {
        let app = try await device.pairedApp()
        device.questions.hold()
        var request = InferenceRequest(.chat, prompt: "lost")
        request.configuration.timeout = 20
        let asked = request
        let work = Task { try await app.run(asked) }
        await device.clock.sleeper(within: .seconds(30))
        device.clock.advance(by: .seconds(30))
        let error = await #expect(throws: BreezeError.self) { try await work.value }
        #expect(error?.code == .timeout)
    }

    #if os(Linux)
    @Test func `who cancels waits no more, and the hub's run ends`() async throws {
        let app = try await device.pairedApp()
        let (started, ended) = (Gate(), Gate())
        device.model.answer { request in
            started.open()
            let forever = Gate()
            await withTaskCancellationHandler {
                await forever.pass()
            } onCancel: {
                forever.open()
            }
            ended.open()
            throw CancellationError()
        }
        let work = Task { try await device.client(app).chat(prompt: "long") }
        await started.pass()
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        // Both of the pairing, and the cancellation; the run looks for one every quarter of a second.
        await device.handled.reaches(3)
        await device.clock.sleeper(within: .milliseconds(250))
        device.clock.advance(by: .milliseconds(250))
        await ended.pass()
    }
    #endif

    @Test func `what is larger than a URL takes goes through files, both ways, and none is left`()
        async throws
    {
        let app = try await device.pairedApp()
        let prompt = String(repeating: "0123456789abcdef", count: 20_000)
        let count = device.questions.urls.count
        let answer = try await device.client(app).chat(prompt: prompt)
        #expect(answer.text == "You said: \(prompt)")
        #expect(device.questions.urls.count == count + 1)
        #expect(device.questions.last?.count ?? 0 < 100 && device.answers.last?.count ?? 0 < 100)
        #expect(try device.files.isEmpty)
    }

    @Test func `without a folder it goes in parts, both ways`() async throws {
        _ = try await device.pairedApp()
        let app = try device.app(handoff: device.scratch.url.appending(path: "nowhere"))
        let prompt = String(repeating: "0123456789abcdef", count: 10_000)
        let count = device.questions.urls.count
        let answer = try await device.client(app).chat(prompt: prompt)
        #expect(answer.text == "You said: \(prompt)")
        // Three parts there, and two that are fetched.
        #expect(device.questions.urls.count == count + 5)
        #expect(device.model.requests.count == 1)
    }

    @Test func `a file that nobody fetched is removed`() async throws {
        let app = try await device.pairedApp()
        device.questions.hold()
        let count = device.questions.urls.count
        let prompt = String(repeating: "x", count: 100_000)
        let work = Task { try await app.run(InferenceRequest(.chat, prompt: prompt)) }
        await device.questions.reaches(count + 1)
        #expect(try device.files.count == 1)
        await device.clock.sleeper(within: .seconds(300))
        device.clock.advance(by: .seconds(300))
        await #expect(throws: BreezeError.self) { try await work.value }
        #expect(try device.files.isEmpty)
    }

    @Test func `who was withdrawn is told, and asks neither sealed nor readable until paired anew`()
        async throws
    {
        let app = try await device.pairedApp()
        let kept = try #require(try device.keys.load())
        let id = try #require(AppID(kept.app))
        try device.store.revoke(id, at: device.now)
        let client = device.client(app, fallback: .runner(OwnRunner()))
        for _ in 0..<2 {
            let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hello") }
            #expect(error?.code == .approvalRevoked)
        }
        #expect(await app.look().state == .revoked)
        // The pairing's two, and the question that was refused.
        #expect(device.questions.urls.count == 3)
        device.owner.say(.pair)
        try await app.pair(asking: [.chat]) { _ in true }
        #expect(await app.look().state == .ready)
        #expect(try await client.chat(prompt: "hello").text == "You said: hello")
    }

    @Test func `an app whose clock is behind the hub's asks once more, and is answered`() async throws {
        let app = try await device.pairedApp()
        device.setHubAhead(by: 400_000)
        let count = device.questions.urls.count
        #expect(try await device.client(app).chat(prompt: "hello").text == "You said: hello")
        #expect(device.questions.urls.count == count + 2 && device.model.requests.count == 1)
    }

    @Test func `a capability that was not granted is an answer, and not the fallback's`() async throws {
        let app = try await device.pairedApp()
        let client = device.client(app, fallback: .runner(OwnRunner()))
        let error = await #expect(throws: BreezeError.self) { try await client.speak("hello") }
        #expect(error?.code.rawValue == "scope_denied")
    }
}
#endif
