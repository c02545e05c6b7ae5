#if Hub
package import BreezeCore
package import BreezeOpeners
package import BreezeScheme
package import BreezeSchemeStore
import Foundation
import Synchronization

/// Takes what `breezeapp://` brought, decides, runs and answers: docs/url-scheme.md, without a platform.
///
/// One process may handle many URLs at once, and many processes may at once on one store. A cancelled ``handle(_:)``
/// ends the run and answers `background_time_expired`.
package final class SchemeHandler: Sendable {
    let store: SchemeStore
    let service: @Sendable () async throws -> any InferenceService
    let questions: any OwnerQuestions
    let opener: any URLOpener
    let handoff: HandoffFolder?
    let clock: any Clock<Duration>
    private let showSettings: @Sendable () async throws -> Void
    private let moment: @Sendable () -> SchemeMoment
    private let receiver: Mutex<SealedReceiver>

    /// How often it looks whose turn it is, and whether a run was cancelled.
    static let interval = Duration.milliseconds(250)

    /// `service` is asked for when something runs, so that a refusal starts no engine; each request names its caller in
    /// `client`: `scheme:` and the app's id, or `scheme:unverified`. `handoff` is where files and sockets lie for what
    /// URLs do not take, `nil` where there is no such folder. Waiting is counted by `clock`; limits and expiries go by
    /// `moment`.
    /// - Throws: ``BreezeError`` where the store cannot be read.
    package init(
        store: SchemeStore,
        service: @escaping @Sendable () async throws -> any InferenceService,
        questions: any OwnerQuestions,
        opener: any URLOpener,
        handoff: HandoffFolder?,
        showSettings: @escaping @Sendable () async throws -> Void,
        clock: any Clock<Duration> = ContinuousClock(),
        moment: @escaping @Sendable () -> SchemeMoment = SchemeMoment.now
    ) throws {
        self.store = store
        self.service = service
        self.questions = questions
        self.opener = opener
        self.handoff = handoff
        self.showSettings = showSettings
        self.clock = clock
        self.moment = moment
        receiver = Mutex(
            try SealedReceiver(ledger: store, parts: store, handoff: handoff, start: moment()) {
                try store.pairedApp($0)
            }
        )
    }

    /// Handles one URL, to the end of what it asks for.
    package func handle(_ url: String) async -> SchemeOutcome {
        do {
            switch try SchemeURL(parsing: url) {
            case .run(let plain): return await handle(plain)
            case .sealed(let data): return try await handle(sealed: data)
            case .hello(let hello): return try await begin(hello)
            case .reveal(let reveal): return try await compare(reveal)
            case .status(let callback, let app): return try await tell(status(of: app), to: callback)
            case .settings: return try await settings()
            }
        } catch let refusal as SchemeRefusal {
            return await refuse(refusal)
        } catch {
            return SchemeOutcome(.nothing, error: Self.told(error))
        }
    }

    /// The hub's time.
    var now: Int64 { receiver.withLock { $0.now(moment()) } }

    /// On the store's queue alone, where one is taken after the other: the lock is for who looks at the time, and who
    /// does must not wait for the disk.
    func receive(_ data: [UInt8]) throws(SealedRefusal) -> ReceivedMessage {
        handoff?.sweep(at: Int(Date().timeIntervalSince1970))
        var own = receiver.withLock { $0 }
        defer { receiver.withLock { $0 = own } }
        return try own.receive(data, at: moment())
    }

    // MARK: - Plain answers

    /// Opens the callback for a caller that the owner did not say yes to, within what is open to all of them together.
    func tell(_ answer: SchemeAnswer, to callback: CallbackScheme) async throws -> SchemeOutcome {
        guard try await store.perform({ try $0.takeOpening(at: self.now) }) else {
            let error = answer.error ?? SchemeFault.rateLimited("Nothing is opened now", retryAfter: 600_000)
            return SchemeOutcome(.nothing, error: error)
        }
        return await open(answer, callback)
    }

    /// Opens the callback with an answer that URLs take, or with why they do not.
    func open(_ answer: SchemeAnswer, _ callback: CallbackScheme) async -> SchemeOutcome {
        do throws(BreezeError) {
            return await open(try callback.answer(answer.bytes()), answer.error)
        } catch {
            var failed = SchemeAnswer.failed(error, to: answer.requestID)
            failed.pair = answer.pair
            do throws(BreezeError) {
                return await open(try callback.answer(failed.bytes()), error)
            } catch { return SchemeOutcome(.nothing, error: error) }
        }
    }

    func open(_ url: String, _ error: BreezeError?) async -> SchemeOutcome {
        do throws(BreezeError) {
            try await opener.open(url)
            return SchemeOutcome(.url(url), error: error)
        } catch {
            return SchemeOutcome(.nothing, error: error)
        }
    }

    private func refuse(_ refusal: SchemeRefusal) async -> SchemeOutcome {
        guard let callback = refusal.callback else { return SchemeOutcome(.nothing, error: refusal.error) }
        do {
            return try await tell(.failed(refusal.error, to: refusal.requestID), to: callback)
        } catch {
            return SchemeOutcome(.nothing, error: Self.told(error))
        }
    }

    private func status(of id: AppID?) async throws -> SchemeAnswer {
        var answer = SchemeAnswer(.done, to: "")
        var isPaired = false
        if let id { isPaired = try await store.perform { try $0.app(id)?.isOver == false } }
        answer.status = SchemeStatus(paired: isPaired)
        return answer
    }

    private func settings() async throws -> SchemeOutcome {
        guard try await store.perform({ try $0.takeSettings(at: self.now) }) else {
            let error = SchemeFault.rateLimited("The settings were shown a moment ago", retryAfter: 10_000)
            return SchemeOutcome(.nothing, error: error)
        }
        try await showSettings()
        return SchemeOutcome(.nothing)
    }

    /// A failure as a caller may see it.
    static func told(_ error: any Error) -> BreezeError {
        if let error = error as? BreezeError { return error }
        if error is CancellationError { return HandlerFault.expired }
        return BreezeError(
            .internalError,
            "Breeze could not do it.",
            remedy: "See its log.",
            underlying: error
        )
    }
}
#endif
