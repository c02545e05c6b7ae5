#if Hub
import BreezeCore
import BreezeScheme
import BreezeSchemeHandler
import BreezeSchemeStore
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

/// What time a test says it is.
final class Watch: Sendable {
    static let start: Int64 = 1_800_000_000_000

    private let passed: @Sendable () -> Duration
    /// How far the system's clock was set, in milliseconds.
    private let shift = Mutex<Int64>(0)

    /// `passed` is what a clock has counted.
    init(_ passed: @escaping @Sendable () -> Duration) { self.passed = passed }

    var moment: SchemeMoment {
        let uptime = Int64(passed() / .milliseconds(1))
        return SchemeMoment(wall: Self.start + uptime + shift.withLock { $0 }, uptime: uptime)
    }

    func set(_ shift: Int64) { self.shift.withLock { $0 = shift } }
}

/// How often settings were shown.
final class SettingsWindow: Sendable {
    private let count = Mutex(0)

    var shown: Int { count.withLock { $0 } }
    func show() { count.withLock { $0 += 1 } }
}

/// A home, and a handler whose owner, model, opener and clock are the test's.
final class Desk: Sendable {
    let scratch: ScratchFolder
    let handoffPath: String
    let store: SchemeStore
    let service = ScriptedService()
    let owner = ScriptedOwner()
    let opener = RecordingOpener()
    let clock: ManualClock
    let watch: Watch
    let settings = SettingsWindow()
    private let made: Mutex<SchemeHandler?>

    init(in scratch: ScratchFolder? = nil, clock: ManualClock = ManualClock(), board: Bool = false) throws {
        self.scratch = try scratch ?? ScratchFolder()
        self.clock = clock
        watch = Watch { clock.now.offset }
        handoffPath = self.scratch.url.appending(path: "handoff").path
        try? FileManager.default.createDirectory(
            atPath: handoffPath,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        store = try SchemeStore(self.scratch.url.appending(path: "home/scheme.sqlite"))
        made = Mutex(nil)
        let handler = try handler(board: board)
        made.withLock { $0 = handler }
    }

    /// Another process; with `instant` one to which nothing takes time.
    func handler(board: Bool = false, instant: InstantClock? = nil) throws -> SchemeHandler {
        let watch = instant.map { clock in Watch { clock.now.offset } } ?? watch
        let (service, settings) = (service, settings)
        return try SchemeHandler(
            store: store,
            service: { service },
            questions: board ? BoardQuestions(store, clock: clock, moment: { watch.moment }) : owner,
            opener: opener,
            handoff: HandoffFolder(opening: handoffPath),
            showSettings: { settings.show() },
            clock: instant ?? clock,
            moment: { watch.moment }
        )
    }

    var now: Int64 { watch.moment.wall }

    @discardableResult
    func handle(_ url: String) async throws -> SchemeOutcome {
        try await #require(made.withLock { $0 }).handle(url)
    }

    /// What the one URL that this opened tells, plain; `nil` where it opened none.
    func plain(_ url: String, callback: String = "mycoolapp") async throws -> SchemeAnswer? {
        let before = opener.urls.count
        try await handle(url)
        let opened = opener.urls.dropFirst(before)
        try #require(opened.count < 2)
        return try opened.first.map { try answer(in: $0, callback: callback) }
    }

    func answer(in url: String, callback: String = "mycoolapp") throws -> SchemeAnswer {
        let data = try CallbackScheme(callback).answer(in: url)
        try #require(data.first == UInt8(ascii: "{"))
        return try SchemeAnswer(parsing: data)
    }

    /// Pairs an app, with the yes of both people.
    func pair(
        _ callback: String = "mycoolapp",
        asked: [AICapability: SchemeReach] = [.chat: .onDevice]
    ) async throws -> Client {
        var app = try AppPairing(
            name: "Cool Notes",
            callback: CallbackScheme(callback),
            asked: asked,
            at: now,
            last: nil
        )
        let offer = try #require(await plain(SchemeURL.hello(app.hello).written(), callback: callback))
        let reveal = try app.take(offer, at: now)
        owner.say(.pair)
        try await handle(SchemeURL.reveal(reveal).written())
        owner.say(.refuse)
        #expect(app.confirm(at: now) == nil)
        let last = try #require(opener.urls.last)
        let paired = try app.take(paired: CallbackScheme(callback).answer(in: last), at: now)
        // The next hello is taken a minute later.
        clock.advance(by: .seconds(60))
        return Client(try #require(paired), callback: try CallbackScheme(callback))
    }
}

/// The app's side.
final class Client: Sendable {
    let app: AppID
    let callback: CallbackScheme
    let keys: SealingKeys
    private let session: Mutex<AppSession>

    init(_ paired: AppPairing.Paired, callback: CallbackScheme) {
        app = paired.app
        keys = paired.keys
        self.callback = callback
        session = Mutex(AppSession(paired.app, keys: paired.keys))
    }

    func envelope(_ message: HubMessage, at now: Int64) throws -> Envelope {
        try session.withLock { try $0.seal(message, at: now) }
    }

    func url(_ message: HubMessage, at now: Int64) throws -> String {
        try SchemeURL.sealed(envelope(message, at: now).bytes).written()
    }

    func url(part: [UInt8], at now: Int64) throws -> String {
        try SchemeURL.sealed(session.withLock { try $0.seal(part: part, at: now) }.bytes).written()
    }

    func received(_ url: String, at now: Int64, handoff: HandoffFolder? = nil) throws -> AppSession.Received {
        let data = try callback.answer(in: url)
        return try session.withLock { try $0.open(data, at: now, handoff: handoff) }
    }

    func received(_ data: [UInt8], at now: Int64) throws -> AppSession.Received {
        try session.withLock { try $0.open(data, at: now) }
    }

    func answer(_ url: String, at now: Int64) throws -> SchemeAnswer {
        guard case .answer(let answer) = try received(url, at: now) else { throw Nothing() }
        return answer
    }

    struct Nothing: Error {}
}

final class RecordingOpener: URLOpener {
    private let state = Mutex((urls: [String](), fault: BreezeError?.none))

    var urls: [String] { state.withLock { $0.urls } }
    func fail(with error: BreezeError?) { state.withLock { $0.fault = error } }

    func open(_ url: String) async throws(BreezeError) {
        let fault = state.withLock { state in
            if state.fault == nil { state.urls.append(url) }
            return state.fault
        }
        if let fault { throw fault }
    }
}

/// An owner who says the same until he is told otherwise; `nil` is one who is not there.
final class ScriptedOwner: OwnerQuestions {
    private let state = Mutex((answer: OwnerAnswer?.some(.refuse), questions: [OwnerQuestion]()))
    private let thinking = Mutex<(@Sendable () -> Void)?>(nil)
    let asked = Gate()

    var questions: [OwnerQuestion] { state.withLock { $0.questions } }
    func say(_ answer: OwnerAnswer?) { state.withLock { $0.answer = answer } }
    /// What happens while the owner thinks.
    func think(_ body: @escaping @Sendable () -> Void) { thinking.withLock { $0 = body } }

    func answer(to question: OwnerQuestion) async -> OwnerAnswer {
        let answer = state.withLock { state in
            state.questions.append(question)
            return state.answer
        }
        asked.open()
        thinking.withLock { $0 }?()
        if let answer { return answer }
        await untilCancelled()
        return .refuse
    }
}

/// A model that repeats the prompt, unless it is told to do something else.
final class ScriptedService: InferenceService {
    typealias Answer = @Sendable (InferenceRequest) async throws -> InferenceResult

    private let state = Mutex((requests: [InferenceRequest](), answer: Answer?.none))
    let started = Gate()

    var requests: [InferenceRequest] { state.withLock { $0.requests } }
    func answer(_ body: @escaping Answer) { state.withLock { $0.answer = body } }

    func run(_ request: InferenceRequest) async throws -> InferenceResult {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answer
        }
        started.open()
        if let answer { return try await answer(request) }
        return result("You said: \(request.prompt ?? "")", to: request)
    }

    func stream(_ request: InferenceRequest) -> InferenceStream {
        InferenceStream { _ in
            Issue.record("over the scheme nothing streams")
            throw CancellationError()
        }
    }

    func cancel(_ id: String) async -> Bool { false }

    func explain(_ request: InferenceRequest) async throws -> RoutingDecision {
        let isThere = request.capability == .chat
        return RoutingDecision(
            capability: request.capability,
            chosen: isThere ? "mock" : nil,
            candidates: [
                RoutingDecision.Candidate(runner: "mock", locality: .onDevice, reasons: ["No model is here."])
            ]
        )
    }
}

func result(_ text: String, to request: InferenceRequest) -> InferenceResult {
    InferenceResult(requestID: request.id, output: .text(text), runner: "mock")
}

/// Waits as long as the task may.
func untilCancelled() async {
    let gate = Gate()
    await withTaskCancellationHandler {
        await gate.pass()
    } onCancel: {
        gate.open()
    }
}

func code(_ answer: SchemeAnswer?) -> String? { answer?.error?.code.rawValue }

func question(_ prompt: String, callback: String = "mycoolapp") throws -> String {
    try SchemeURL.question(.chat, prompt: prompt, callback: CallbackScheme(callback))
}
#endif
