#if Hub
import BreezeCore
import BreezeKit
import BreezeKitPairing
import BreezeScheme
import BreezeSchemeHandler
import BreezeSchemeStore
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

/// How an app is paired, with two people and the real handler between them.
@Suite(.timeLimit(.minutes(1))) struct PairingTests {
    private let device: Device

    init() throws { device = try Device() }

    private func failure(
        _ app: HubScheme,
        _ compare: @escaping @Sendable (String) async -> Bool = { _ in true }
    ) async -> BreezeError? {
        await #expect(throws: BreezeError.self) { try await app.pair(asking: [.chat], compare: compare) }
    }

    @Test func `both people are shown the same code, and the grants are told`() async throws {
        let app = try device.app()
        device.owner.say(.pair)
        let shown = Mutex<[String]>([])
        let granted = try await app.pair(asking: [.chat, .embedding], network: true) { code in
            shown.withLock { $0.append(code) }
            return true
        }
        #expect(granted == [.chat, .embedding])
        guard case .pair(let question) = device.owner.questions.first else {
            Issue.record("the owner was not asked")
            return
        }
        #expect(shown.withLock { $0 } == [question.code] && question.code.count == 7)
        #expect(question.name == "Cool Notes" && question.callback == "mycoolapp")
        #expect(question.asked == ["chat": .networkAllowed, "embedding": .networkAllowed])
        #expect(try device.keys.load()?.granted == ["chat": "networkAllowed", "embedding": "networkAllowed"])
    }

    @Test func `the owner's yes may come first`() async throws {
        let app = try device.app()
        device.owner.say(.pair)
        let (device, gate) = (device, Gate())
        let work = Task {
            try await app.pair(asking: [.chat]) { _ in
                await gate.pass()
                return true
            }
        }
        // The offer, and `paired`.
        await device.answers.reaches(2)
        #expect(try device.keys.load() == nil, "without the own person's yes nothing is kept")
        gate.open()
        #expect(try await work.value == [.chat])
    }

    @Test func `the owner's no is app_refused, and nothing is kept`() async throws {
        let app = try device.app()
        #expect(await failure(app)?.code == .approvalRefused)
        #expect(try device.keys.load() == nil)
        #expect(await app.look().state == .notPaired)
    }

    @Test func `where the codes differ to the app's person, nothing is kept though the hub said yes`()
        async throws
    {
        let app = try device.app()
        device.owner.say(.pair)
        let device = device
        let error = await failure(app) { _ in
            await device.answers.reaches(2)
            return false
        }
        #expect(error?.code == .pairingFailed)
        #expect(try device.keys.load() == nil)
    }

    @Test func `a second offer ends the pairing`() async throws {
        let app = try device.app()
        device.owner.say(.pair)
        let answers = device.answers
        let error = await failure(app) { _ in
            // Whoever sits between sends his own, too.
            answers.bring(answers.urls[0])
            let forever = Gate()
            await withTaskCancellationHandler {
                await forever.pass()
            } onCancel: {
                forever.open()
            }
            return true
        }
        #expect(error?.code == .pairingFailed)
        #expect(try device.keys.load() == nil)
    }

    @Test func `without an offer, or a last word, it ends in time, and there is one at a time`() async throws
    {
        let app = try device.app()
        device.answers.hold()
        var work = Task { try await app.pair(asking: [.chat]) { _ in true } }
        await device.answers.reaches(1)
        #expect(await failure(app)?.code == .pairingFailed)
        await device.clock.sleeper(within: .seconds(60))
        device.clock.advance(by: .seconds(60))
        var error = await #expect(throws: BreezeError.self) { try await work.value }
        #expect(error?.code == .timeout)
        #expect(device.owner.questions.isEmpty)

        device.answers.hold(false)
        device.owner.say(.pair)
        let (shown, forever) = (Gate(), Gate())
        work = Task {
            try await app.pair(asking: [.chat]) { _ in
                shown.open()
                await forever.pass()
                return true
            }
        }
        await shown.pass()
        // The hub has said its last word, which a pairing without its own person's does not end: both offers, and that.
        await device.answers.reaches(3)
        await device.clock.sleeper(within: .seconds(240))
        device.clock.advance(by: .seconds(240))
        error = await #expect(throws: BreezeError.self) { try await work.value }
        #expect(error?.code == .timeout)
        forever.open()
        #expect(try device.keys.load() == nil)
    }

    @Test func `one a minute`() async throws {
        let app = try device.app()
        #expect(await failure(app)?.code == .approvalRefused)
        let error = await failure(app)
        #expect(error?.code.rawValue == "rate_limited" && error?.retryAfter == .seconds(60))
        #expect(device.questions.urls.count == 2)
    }

    @Test func `cancelling ends it at once, whoever is asked`() async throws {
        let app = try device.app()
        device.owner.say(.pair)
        let (shown, forever) = (Gate(), Gate())
        let work = Task {
            try await app.pair(asking: [.chat]) { _ in
                shown.open()
                await forever.pass()
                return true
            }
        }
        await shown.pass()
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        forever.open()
        #expect(try device.keys.load() == nil)
    }

    @Test func `an app that forgot its pairing is one that was never paired`() async throws {
        let app = try await device.pairedApp()
        try await app.unpair()
        #expect(await app.look().state == .notPaired)
        device.owner.say(.allowOnce)
        let answer = try await device.client(app).chat(prompt: "hello")
        #expect(answer.result.notices.contains { $0.contains("readable") })
    }

    @Test func `a pairing under another callback is none`() async throws {
        _ = try await device.pairedApp()
        #expect(await (try device.app("other-app")).look().state == .notPaired)
    }

    @Test func `where nobody opens the scheme, it says so`() async throws {
        device.questions.fail(with: BreezeError(.unavailable, "Nobody claimed breezeapp."))
        let app = try device.app()
        await #expect(throws: NothingSent.self) { try await app.pair { _ in true } }
    }

    @Test func `a damaged file of keys is told, and nothing is asked in its place`() async throws {
        let app = try await device.pairedApp()
        try device.scratch.write("app/pairing.json", "{}")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600],
            ofItemAtPath: device.scratch.url.appending(path: "app/pairing.json").path
        )
        let count = device.questions.urls.count
        let error = await #expect(throws: BreezeError.self) {
            try await device.client(app, fallback: .runner(OwnRunner())).chat(prompt: "hello")
        }
        #expect(error?.code == .invalidFile)
        #expect(await app.look().state == .faulty)
        #expect(device.questions.urls.count == count)
    }
}
#endif
