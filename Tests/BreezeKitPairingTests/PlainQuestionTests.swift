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

/// An app that is not paired, and the real handler.
@Suite(.timeLimit(.minutes(1))) struct PlainQuestionTests {
    private let device: Device

    init() throws { device = try Device() }

    @Test func `a question that the owner refuses is not_paired, and nobody else is asked`() async throws {
        let client = device.client(try device.app(), fallback: .runner(OwnRunner()))
        let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hello") }
        #expect(error?.code == .notPaired)
        #expect(device.model.requests.isEmpty && device.owner.questions.count == 1)
    }

    @Test(arguments: [OwnerAnswer.allowOnce, .allowAndPair])
    func `one that the owner allows is answered, and says that others could read it`(_ yes: OwnerAnswer)
        async throws
    {
        device.owner.say(yes)
        var options = AskingOptions()
        options.id = "any id at all, with blanks"
        let answer = try await device.client(try device.app()).chat(prompt: "hello", options: options)
        #expect(answer.text == "You said: hello" && answer.result.requestID == options.id)
        #expect(answer.result.notices.contains { $0.contains("other apps of this device could read them") })
        #expect(answer.result.notices.contains { $0.contains("wants to pair") } == (yes == .allowAndPair))
        #expect(try isReadable("hello", in: try #require(device.questions.last)))
    }

    @Test func `how it stands is said before anything is opened`() async throws {
        let app = try device.app()
        let client = device.client(app)
        let status = await client.status()
        #expect(status.state == .notPaired && status.way == .urlScheme)
        #expect(status.reasons.contains { $0.contains("other apps can read it") })
        #expect(status.remedy?.contains("scheme.pair") == true)
        #expect(try await client.explain(InferenceRequest(.chat, prompt: "x")).chosen == "breeze:url_scheme")
        #expect(device.questions.urls.isEmpty)
    }

    @Test func `an app that will not be read asks its fallback until it is paired`() async throws {
        let app = try device.app(unpaired: .refused)
        let client = device.client(app, fallback: .runner(OwnRunner()))
        #expect(await client.status().way == nil)
        let answer = try await client.chat(prompt: "hello")
        #expect(answer.text == "own answer" && device.questions.urls.isEmpty)
        #expect(answer.transport?.skipped.last?.reason == "The app is not paired with Breeze.")
        device.owner.say(.pair)
        try await app.pair(asking: [.chat]) { _ in true }
        #expect(try await client.chat(prompt: "hello").text == "You said: hello")
    }

    @Test func `what the plain form does not take was never sent: the fallback answers`() async throws {
        let client = device.client(try device.app(), fallback: .runner(OwnRunner()))
        var options = AskingOptions()
        options.configuration.tools = [
            ToolDefinition(name: "f", description: "", parameters: ["type": "object"])
        ]
        let large = String(repeating: "x", count: 70_000)
        for (prompt, options) in [("hello", options), (large, AskingOptions())] {
            let answer = try await client.chat(prompt: prompt, options: options)
            #expect(answer.transport?.way == .fallback)
        }
        #expect(device.questions.urls.isEmpty)
    }

    @Test func `where no app opens the scheme, the fallback answers`() async throws {
        device.questions.fail(with: BreezeError(.unavailable, "Nobody claimed breezeapp."))
        let client = device.client(try device.app(), fallback: .runner(OwnRunner()))
        let answer = try await client.chat(prompt: "hello")
        #expect(answer.transport?.way == .fallback)
        #expect(answer.transport?.skipped.last?.reason == "Nobody claimed breezeapp.")
    }

    @Test func `an answer to another id is not taken`() async throws {
        device.owner.say(.allowOnce)
        let app = try device.app()
        device.answers.hold()
        let work = Task { try await app.run(InferenceRequest(.chat, prompt: "mine", id: "r1")) }
        await device.answers.reaches(1)
        let head = "mycoolapp://breeze-response?result="
        for id in ["r1", "", "other"] {
            let result = InferenceResult(requestID: id, output: .text("forged"), runner: "x")
            let url = head + StrictBase64.url(try SchemeAnswer.done(result, to: id).bytes())
            #expect(app.handle(try #require(URL(string: url))))
        }
        #expect(app.handle(try #require(device.answers.last.flatMap(URL.init(string:)))))
        #expect(try await work.value.output == .text("You said: mine"))
    }

    @Test func `from its pairing on an app takes no plain answer`() async throws {
        device.owner.say(.allowOnce)
        let app = try device.app()
        device.answers.hold()
        let work = Task { try await app.run(InferenceRequest(.chat, prompt: "mine")) }
        await device.answers.reaches(1)
        device.answers.hold(false)
        device.owner.say(.pair)
        try await app.pair(asking: [.chat]) { _ in true }
        device.answers.bring(device.answers.urls[0])
        // Two minutes for the owner's yes, and five for the answer.
        await device.clock.sleeper(within: .seconds(420))
        device.clock.advance(by: .seconds(420))
        let error = await #expect(throws: BreezeError.self) { try await work.value }
        #expect(error?.code == .timeout)
    }

    @Test(arguments: [
        "mycoolapp://open?note=3", "mycoolapp://breeze-response", "other-app://breeze-response?result=e30",
        "https://breeze-response/?result=e30", "mycoolapp://breeze-response?result=AAAA",
    ])
    func `a URL that is no answer stays the app's own`(_ url: String) throws {
        #expect(!(try device.app().handle(try #require(URL(string: url)))))
    }

    @Test func `a scheme that belongs to others is refused at once`() {
        let error = #expect(throws: BreezeError.self) {
            try HubScheme(appName: "Notes", callbackScheme: "https")
        }
        #expect(error?.code == .invalidCallback)
    }
}
#endif
