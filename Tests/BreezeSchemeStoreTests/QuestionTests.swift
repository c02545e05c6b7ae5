#if Hub
import BreezeCore
import BreezeScheme
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeSchemeStore

/// Who may have the owner asked: what QuestionLine decides, for all processes together.
@Suite struct QuestionTests {
    private let home: Home

    init() throws { home = try Home() }

    private func plain(_ request: InferenceRequest) throws -> PlainRequest {
        PlainRequest(request, callback: try CallbackScheme("mycoolapp"))
    }

    @Test func `two processes stand in one line, and each hears of its own end`() throws {
        let (first, second) = (try home.open(), try home.open())
        try first.enterLine("a", from: CallbackScheme("first"), at: now)
        try second.enterLine("b", from: CallbackScheme("second"), at: now + 1)
        try second.enterLine("c", from: CallbackScheme("first"), at: now + 2)
        #expect(try first.standing(of: "a", at: now + 3) == .asks)
        #expect(try second.standing(of: "b", at: now + 3) == .waits)
        #expect(try second.leaveLine("b", .allowed, at: now + 4) == false)
        #expect(try first.leaveLine("a", .refused, at: now + 5) == true)
        #expect(try first.leaveLine("a", .allowed, at: now + 5) == false)
        // The same callback was refused meanwhile.
        #expect(try second.standing(of: "c", at: now + 6) == .ended)
        #expect(try second.standing(of: "b", at: now + 10_004) == .waits)
        #expect(try second.standing(of: "b", at: now + 10_005) == .asks)
        try first.close()
        #expect(
            refusal { try second.enterLine("d", from: CallbackScheme("first"), at: now + 20_000) }
                == "not_paired"
        )
    }

    @Test func `a question whose process was killed gives way after two minutes`() throws {
        let killed = try home.open()
        try killed.enterLine("a", from: CallbackScheme("first"), at: now)
        #expect(try killed.standing(of: "a", at: now) == .asks)
        try killed.close()
        let store = try home.open()
        try store.enterLine("b", from: CallbackScheme("second"), at: now + minute)
        #expect(try store.standing(of: "b", at: now + 2 * minute - 1) == .waits)
        #expect(try store.standing(of: "b", at: now + 2 * minute + 10_000) == .asks)
    }

    @Test func `twelve openings in ten minutes are those of all processes`() throws {
        for number in 0..<12 {
            let store = try home.open()
            #expect(try store.takeOpening(at: now + Int64(number)))
            try store.close()
        }
        let store = try home.open()
        #expect(try !store.takeOpening(at: now + 599_999))
        #expect(try store.takeOpening(at: now + 600_000))
        #expect(try store.takeSettings(at: now))
        #expect(try !store.takeSettings(at: now + 9_999))
        #expect(try store.takeSettings(at: now + 10_000))
    }

    @Test func `the owner's first answer counts, and reaches the process that asked`() throws {
        let (asks, shows) = (try home.open(), try home.open())
        let question = OwnerQuestion.run(RunQuestion(try plain(InferenceRequest(.chat, prompt: "hello"))))
        try asks.post(question, as: "q", at: now)
        #expect(try asks.ownersAnswer(to: "q") == nil)
        #expect(try shows.questions(at: now + 1).map(\.question) == [question])
        #expect(try shows.answer("q", .allowOnce))
        #expect(try !shows.answer("q", .refuse) && !shows.answer("r", .allowOnce))
        #expect(try shows.questions(at: now + 1).isEmpty)
        #expect(try asks.ownersAnswer(to: "q") == .allowOnce)
        try asks.withdraw("q")
        #expect(try asks.ownersAnswer(to: "q") == .refuse)
    }

    @Test func `a question that nobody waits for any more is not shown`() throws {
        let store = try home.open()
        let question = OwnerQuestion.run(RunQuestion(try plain(InferenceRequest(.chat, prompt: "hello"))))
        try store.post(question, as: "q", at: now)
        #expect(try store.questions(at: now + 119_999).count == 1)
        #expect(try store.questions(at: now + 120_000).isEmpty)
    }

    @Test func `the owner sees the first 280 characters of all texts, and nothing that hides others`() throws
    {
        let image = Data(repeating: 1, count: 1_234)
        var request = InferenceRequest(.chat, prompt: "safe \u{202E}evil\u{1B}[2J")
        request.messages = [ChatMessage(.user, String(repeating: "é", count: 400), images: [image])]
        request.audioData = Data(repeating: 2, count: 99)
        let question = RunQuestion(try plain(request))
        #expect(question.prompt.hasPrefix("safe \u{FFFD}evil\u{FFFD}[2J\nuser: éé"))
        #expect(question.prompt.unicodeScalars.count == 280)
        // 5 + 1 + 4 + 1 + 3 of the prompt, a line feed, "user: ", 400.
        #expect(question.hiddenCharacters == 14 + 1 + 6 + 400 - 280)
        #expect(question.attachments == [99, 1_234])
        #expect(question.callback == "mycoolapp" && question.capability == .chat)
    }

    @Test func `a cancellation reaches the process that runs it, and no later run of that id`() throws {
        let (runs, cancels) = (try home.open(), try home.open())
        let app = try #require(AppID("aaaaaaaaaaaa"))
        let other = try #require(AppID("bbbbbbbbbbbb"))
        #expect(try !runs.isCancelled("q-1", of: app, since: now))
        try cancels.cancel("q-1", of: app, at: now + 5)
        #expect(try runs.isCancelled("q-1", of: app, since: now))
        #expect(try !runs.isCancelled("q-1", of: other, since: now))
        #expect(try !runs.isCancelled("q-2", of: app, since: now))
        #expect(try !runs.isCancelled("q-1", of: app, since: now + 6))
    }
}
#endif
