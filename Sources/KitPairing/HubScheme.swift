#if Hub || Pairing
public import BreezeCore
public import BreezeKit
public import BreezeOpeners
import BreezeScheme
public import Foundation
import Synchronization

/// The hub by its URL scheme, `breezeapp://`; docs/url-scheme.md tells how it is made.
///
/// A paired app's questions and answers are sealed: nobody else can read or forge them. Without a pairing the published plain
/// form is used, which other apps can read, and the owner is asked about each question; the answer's notices say so.
public final class HubScheme: SchemeTransport {
    /// What becomes of questions before the app is paired.
    public enum Unpaired: Sendable {
        /// They are asked in the plain form.
        case readable
        /// They are not asked, so that the fallback may answer.
        case refused
    }

    struct State {
        var session: AppSession?
        var attempt: PairingAttempt?
        /// When the last pairing began, by the app's clock.
        var lastAttempt: Int64?
    }

    let appName: String
    let callback: CallbackScheme
    let opener: any URLOpener
    let store: PairingStore
    let answers: AnswerLine
    let clock: any Clock<Duration>
    let state = Mutex(State())
    let patience: Duration
    private let unpaired: Unpaired
    private let handoffFolder: URL
    private let wall: @Sendable () -> Int64

    /// `patience` is how long an answer is waited for where the request's own `configuration.timeout` does not say it.
    /// `pairing` is where the keys are kept, a file that its owner alone may read unless it is given. `handoff` is the
    /// folder through which goes what is larger than a URL takes: the hub's own, unless app and hub share another one, as
    /// in an App Group.
    /// - Throws: ``BreezeError`` `.invalidCallback` for what is no scheme of an app's own.
    public convenience init(
        appName: String,
        callbackScheme: String,
        unpaired: Unpaired = .readable,
        patience: Duration = .seconds(300),
        pairing: PairingStore? = nil,
        handoff: URL? = nil,
        opener: any URLOpener = SystemOpener()
    ) throws(BreezeError) {
        try self.init(
            appName: appName,
            callbackScheme: callbackScheme,
            unpaired: unpaired,
            patience: patience,
            pairing: pairing,
            handoff: handoff,
            opener: opener,
            clock: ContinuousClock(),
            wall: { SchemeMoment.now().wall }
        )
    }

    package init(
        appName: String,
        callbackScheme: String,
        unpaired: Unpaired = .readable,
        patience: Duration = .seconds(300),
        pairing: PairingStore? = nil,
        handoff: URL? = nil,
        opener: any URLOpener,
        clock: any Clock<Duration>,
        wall: @escaping @Sendable () -> Int64
    ) throws(BreezeError) {
        let environment = ProcessInfo.processInfo.environment
        let kept = AppFolder.url(appName, environment).appending(path: "scheme-pairing.json")
        self.appName = appName
        callback = try CallbackScheme(callbackScheme)
        self.unpaired = unpaired
        self.patience = patience
        store = pairing ?? FileStore<SchemePairing>(kept)
        handoffFolder = handoff ?? BreezePaths(environment: environment).data.appending(path: "handoff")
        self.opener = opener
        self.clock = clock
        self.wall = wall
        answers = AnswerLine(clock: clock)
    }

    /// Milliseconds since 1970.
    var now: Int64 { wall() }

    /// `nil` where hub and app share none: then parts take its place.
    var handoff: HandoffFolder? {
        do throws(BreezeError) { return try HandoffFolder(opening: handoffFolder.path) } catch { return nil }
    }

    // MARK: - SchemeTransport

    public func look() async -> HubFinding {
        do {
            guard let pairing = try await kept() else {
                return unpaired == .readable
                    ? HubFinding(
                        .notPaired,
                        reason: PairingFault.readable,
                        remedy: PairingFault.pairing,
                        isOpen: true
                    )
                    : HubFinding(.notPaired, reason: PairingFault.unpaired, remedy: PairingFault.pairing)
            }
            guard !pairing.isOver else {
                let over = PairingFault.over
                return HubFinding(.revoked, reason: over.message, remedy: over.remedy)
            }
            return HubFinding(.ready)
        } catch {
            let error = error as? BreezeError ?? PairingFault.damaged
            return HubFinding(.faulty, reason: error.message, remedy: error.remedy)
        }
    }

    public func run(_ request: InferenceRequest) async throws -> InferenceResult {
        // An id of our own: a stranger does not guess it, and two processes of one app do not share it.
        var own = request
        own.id = InferenceRequest.newID()
        own.streamingCallback = nil
        var result =
            if let pairing = try await kept() {
                try await runSealed(own, pairing)
            } else {
                try await runPlain(own)
            }
        result.requestID = request.id
        return result
    }

    public func handle(_ url: URL) -> Bool {
        let data: [UInt8]
        do throws(BreezeError) { data = try callback.answer(in: url.absoluteString) } catch {
            return error.code != .invalidURL
        }
        let now = now
        if data.first == UInt8(ascii: "{") { take(plain: data, at: now) } else { take(sealed: data, at: now) }
        return true
    }

    /// What cannot be read, or answers nothing that was asked, is somebody else's: nothing changes.
    private func take(plain data: [UInt8], at now: Int64) {
        guard let answer = try? SchemeAnswer(parsing: data) else { return }
        let (attempt, isPaired) = state.withLock { ($0.attempt, $0.session != nil) }
        if attempt?.take(answer, at: now) == true { return }
        // Anybody can make a plain answer: a paired app takes none.
        guard !isPaired else { return }
        answers.deliver(.answer(answer), to: .plain(answer.requestID))
    }

    private func take(sealed data: [UInt8], at now: Int64) {
        if state.withLock({ $0.attempt })?.take(sealed: data, at: now) == true { return }
        let folder = handoff
        let taken = state.withLock { state -> (AppSession.Received, MessageNonce)? in
            guard let received = try? state.session?.open(data, at: now, handoff: folder),
                let question = state.session?.answered
            else { return nil }
            return (received, question)
        }
        if let (received, question) = taken { answers.deliver(received, to: .sealed(question)) }
    }

    // MARK: - Plain

    private func runPlain(_ request: InferenceRequest) async throws -> InferenceResult {
        guard unpaired == .readable else {
            throw NothingSent(PairingFault.unpaired, remedy: PairingFault.pairing)
        }
        let url: String
        do throws(BreezeError) {
            url = try SchemeURL.run(PlainRequest(request, callback: callback)).written()
        } catch {
            throw NothingSent(error.message, remedy: error.remedy)
        }
        // The owner has two minutes for a yes.
        let limit = limit(for: request) + .seconds(120)
        let received = try await answers.answer(to: .plain(request.id), within: limit) { [self] in
            try await openFirst(url)
        }
        guard case .answer(let answer) = received else { throw PairingFault.malformed("it is a part") }
        var result = try Self.result(in: answer)
        result.notices.append(PairingFault.wasReadable)
        if answer.pair == true { result.notices.append(PairingFault.ownerOffers) }
        return result
    }

    static func result(in answer: SchemeAnswer) throws(BreezeError) -> InferenceResult {
        if let error = answer.error { throw error }
        guard answer.state == .done, let result = answer.result else {
            throw PairingFault.malformed("it has no result")
        }
        return result
    }

    /// The hub ends what takes too long itself, and says so; it is waited for a little longer.
    func limit(for request: InferenceRequest) -> Duration {
        guard let own = request.configuration.timeout, (0...1e6).contains(own) else { return patience }
        return .seconds(own) + .seconds(10)
    }

    // MARK: - Opening

    /// Where the first URL of a request is not opened, nothing was sent.
    func openFirst(_ url: String) async throws {
        try Task.checkCancellation()
        do throws(BreezeError) { try await opener.open(url) } catch {
            throw NothingSent(error.message, remedy: "Install Breeze, or open it once.")
        }
    }

    /// The pairing that is kept, for the callback that this app has now.
    func kept() async throws -> SchemePairing? {
        guard let pairing = try await store.load(), pairing.callback == callback.name else { return nil }
        return pairing
    }
}
#endif
