#if Hub
import BreezeCore
import BreezeKit
import BreezeKitPairing
import BreezeSchemeHandler
import BreezeSchemeStore
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@testable import BreezeScheme

/// An app and a hub on one device: what one opens, the other one handles. Time passes where a test says so.
final class Device: Sendable {
    static let start: Int64 = 1_800_000_000_000

    let scratch: ScratchFolder
    let clock = ManualClock()
    let owner = Owner()
    let model = Model()
    let store: SchemeStore
    /// From the app to the hub, and back.
    let questions = Mail()
    let answers = Mail()
    /// What the hub is done with.
    let handled = Mail()
    let keys: FileStore<SchemePairing>
    private let ahead = Mutex<Int64>(0)

    init() throws {
        scratch = try ScratchFolder()
        store = try SchemeStore(scratch.url.appending(path: "hub/scheme.sqlite"))
        keys = FileStore<SchemePairing>(scratch.url.appending(path: "app/pairing.json"))
        try FileManager.default.createDirectory(
            at: handoff,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let clock = clock
        let (owner, model, answers) = (owner, model, answers)
        let hub = try SchemeHandler(
            store: store,
            service: { model },
            questions: owner,
            opener: answers,
            handoff: try HandoffFolder(opening: handoff.path),
            showSettings: {},
            clock: clock,
            moment: { [weak self] in
                let (wall, ahead) = (self?.now ?? 0, self?.ahead.withLock { $0 } ?? 0)
                return SchemeMoment(wall: wall + ahead, uptime: wall)
            }
        )
        // A process of its own: it goes on when the app does not wait any more.
        let handled = handled
        questions.deliver { url in
            Task {
                _ = await hub.handle(url)
                try? await handled.open(url)
            }
        }
    }

    var handoff: URL { scratch.url.appending(path: "handoff", directoryHint: .isDirectory) }
    var now: Int64 { Self.start + Int64(clock.now.offset / .milliseconds(1)) }

    /// The hub's clock was set.
    func setHubAhead(by milliseconds: Int64) { ahead.withLock { $0 = milliseconds } }

    /// An app whose answers are brought to it; the last one made has the callback.
    func app(
        _ callback: String = "mycoolapp",
        unpaired: HubScheme.Unpaired = .readable,
        pairing: PairingStore? = nil,
        handoff: URL? = nil
    ) throws -> HubScheme {
        let clock = clock
        let app = try HubScheme(
            appName: "Cool Notes",
            callbackScheme: callback,
            unpaired: unpaired,
            pairing: pairing ?? keys,
            handoff: handoff ?? self.handoff,
            opener: questions,
            clock: clock,
            wall: { Self.start + Int64(clock.now.offset / .milliseconds(1)) }
        )
        answers.deliver { url in
            if url.hasPrefix(callback), let url = URL(string: url) { #expect(app.handle(url)) }
        }
        return app
    }

    /// With the yes of both people; a minute later.
    func pairedApp(_ callback: String = "mycoolapp", pairing: PairingStore? = nil) async throws -> HubScheme {
        let app = try app(callback, pairing: pairing)
        owner.say(.pair)
        #expect(try await app.pair(asking: [.chat]) { _ in true } == [.chat])
        owner.say(.refuse)
        clock.advance(by: .seconds(60))
        return app
    }

    func client(_ app: HubScheme, fallback: Fallback = .none) -> BreezeClient {
        BreezeClient(
            BreezeConfiguration(
                appName: "Cool Notes",
                callbackScheme: "mycoolapp",
                fallback: fallback,
                hub: .at(),
                keys: MemoryStore<HubKey>(),
                consents: MemoryStore<NetworkConsent>(),
                scheme: app,
                host: .unknown
            )
        )
    }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: handoff.path) }
    }
}

/// URLs that are opened, in their order.
final class Mail: URLOpener {
    private struct State {
        var urls: [String] = []
        var isHeld = false
        var fault: BreezeError?
        var deliver: (@Sendable (String) -> Void)?
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var urls: [String] { state.withLock { $0.urls } }
    var last: String? { urls.last }

    func deliver(_ body: @escaping @Sendable (String) -> Void) { state.withLock { $0.deliver = body } }
    func fail(with fault: BreezeError) { state.withLock { $0.fault = fault } }
    /// Whether what is opened is kept, and reaches nobody.
    func hold(_ isHeld: Bool = true) { state.withLock { $0.isHeld = isHeld } }

    func bring(_ url: String) { state.withLock { $0.deliver }?(url) }

    func open(_ url: String) async throws(BreezeError) {
        let (deliver, fault, woken) = state.withLock { state in
            guard state.fault == nil else { return (state.deliver, state.fault, [Waiter]()) }
            state.urls.append(url)
            let woken = state.watchers.filter { $0.count <= state.urls.count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= state.urls.count }
            return (state.isHeld ? nil : state.deliver, nil, woken)
        }
        if let fault { throw fault }
        deliver?(url)
        for waiter in woken { waiter.resume() }
    }

    private typealias Waiter = CheckedContinuation<Void, Never>

    /// Returns when so many were opened.
    func reaches(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.urls.count < count { state.watchers.append((count, continuation)) }
                return state.urls.count >= count
            }
            if isThere { continuation.resume() }
        }
    }
}

/// An owner who says the same until he is told otherwise.
final class Owner: OwnerQuestions {
    private let state = Mutex((answer: OwnerAnswer.refuse, questions: [OwnerQuestion]()))

    var questions: [OwnerQuestion] { state.withLock { $0.questions } }
    func say(_ answer: OwnerAnswer) { state.withLock { $0.answer = answer } }

    func answer(to question: OwnerQuestion) async -> OwnerAnswer {
        state.withLock { state in
            state.questions.append(question)
            return state.answer
        }
    }
}

/// A model that repeats what it is asked, unless it is told to do something else.
final class Model: InferenceService {
    typealias Answer = @Sendable (InferenceRequest) async throws -> InferenceResult

    private let state = Mutex((requests: [InferenceRequest](), answer: Answer?.none))

    var requests: [InferenceRequest] { state.withLock { $0.requests } }
    func answer(_ body: @escaping Answer) { state.withLock { $0.answer = body } }

    func run(_ request: InferenceRequest) async throws -> InferenceResult {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answer
        }
        if let answer { return try await answer(request) }
        return Self.echo(request)
    }

    static func echo(_ request: InferenceRequest) -> InferenceResult {
        let said = request.prompt ?? request.messages?.last?.content ?? ""
        return InferenceResult(
            requestID: request.id,
            output: .text("You said: \(said)"),
            runner: "mock"
        )
    }

    func stream(_ request: InferenceRequest) -> InferenceStream {
        InferenceStream { _ in throw BreezeError(.unsupported, "Over the scheme nothing streams.") }
    }

    func cancel(_ id: String) async -> Bool { false }

    func explain(_ request: InferenceRequest) async throws -> RoutingDecision {
        RoutingDecision(capability: request.capability, chosen: "mock", candidates: [])
    }
}

/// The app's own runner.
struct OwnRunner: Runner {
    let id = "tiny:own"
    let locality = Locality.onDevice
    let supportedCapabilities: [AICapability] = [.chat]
    let parameterSchema = ParameterSchema()

    func availability() async -> Availability { .available }
    func load() async throws {}
    func unload() async {}

    func run(request: InferenceRequest) async throws -> InferenceResult {
        InferenceResult(requestID: request.id, output: .text("own answer"), runner: id)
    }
}

/// Whether the text stands in a URL, in whatever spelling of base64 or percent.
func isReadable(_ text: String, in url: String) throws -> Bool {
    let value = try #require(url.split(separator: "=").dropFirst().first?.split(separator: "&").first)
    let bytes = try StrictBase64.bytes(ofURL: value.utf8, limit: 98_304)
    return Data(bytes).range(of: Data(text.utf8)) != nil || url.contains(text)
}
#endif
