#if Hub || Pairing
package import BreezeCore

/// The hub's side of pairing, one for the whole device; section 5 of docs/url-scheme.md as a value without I/O.
///
/// Times are the hub's, in milliseconds since 1970.
package struct HubPairing: Sendable {
    /// What the owner is asked to compare and to allow.
    package struct Question: Sendable {
        package let hello: PairingHello
        package let code: String
        package let app: AppID
    }

    /// The owner's yes.
    package struct Paired: Sendable {
        package let app: PairedApp
        package let hello: PairingHello
        /// Goes to the app's callback.
        package let envelope: Envelope
    }

    enum State {
        case idle
        case offered(PairingHello, app: AppID, key: PairingKey, offer: [UInt8], since: Int64)
        case revealed(PairingHello, PairingAgreement, since: Int64)
    }

    static let apart: Int64 = 60_000
    static let revealWithin: Int64 = 60_000
    /// How long the owner has to compare, in milliseconds.
    package static let decisionWithin: Int64 = 180_000

    var state = State.idle
    /// When the last hello was taken: kept on the disk, for a hub that starts again. `nil` where none was.
    package private(set) var lastHello: Int64?

    package init(lastHello: Int64? = nil) {
        self.lastHello = lastHello
    }

    /// The app whose code the owner is asked to compare; `nil` where none is.
    package var awaited: AppID? {
        if case .revealed(_, let agreement, _) = state { agreement.app } else { nil }
    }

    /// The answer to the app's callback, with the offer. `app` is an id that no other pairing has; `key` and `nonce`
    /// are made for this one.
    /// - Throws: ``SchemeRefusal`` `rate_limited`.
    package mutating func take(
        _ hello: PairingHello,
        at now: Int64,
        app: AppID = .random(),
        key: PairingKey = PairingKey(),
        nonce: [UInt8] = HubPairing.randomNonce()
    ) throws(SchemeRefusal) -> SchemeAnswer {
        if let wait = wait(at: now) {
            let error = SchemeFault.rateLimited("One pairing is tried in a minute", retryAfter: wait)
            throw SchemeRefusal(error, tell: hello.callback, about: hello.requestID)
        }
        let offer = app.bytes + key.publicBytes + nonce
        lastHello = now
        state = .offered(hello, app: app, key: key, offer: offer, since: now)
        var answer = SchemeAnswer(.pairing, to: hello.requestID, isFinal: false)
        answer.offer = offer
        return answer
    }

    /// - Returns: What the owner is shown: nothing is, before.
    /// - Throws: ``SchemeRefusal`` `pairing_failed`. Whatever is wrong ends the pairing.
    package mutating func take(reveal: [UInt8], at now: Int64) throws(SchemeRefusal) -> Question {
        guard case .offered(let hello, let app, let key, let offer, let since) = state,
            QuestionLine.isWithin(Self.revealWithin, of: since, now)
        else { throw SchemeRefusal(SchemeFault.pairing("none waits for this")) }
        state = .idle
        do throws(BreezeError) {
            let agreement = try Self.agree(hello, app, key, offer: offer, reveal: reveal)
            state = .revealed(hello, agreement, since: now)
            return Question(hello: hello, code: agreement.code, app: app)
        } catch { throw SchemeRefusal(error, tell: hello.callback, about: hello.requestID) }
    }

    /// The owner said that the codes are the same.
    /// - Throws: ``BreezeError`` `.pairingFailed` where nothing waits for it.
    package mutating func approve(
        at now: Int64,
        nonce: MessageNonce = .random()
    ) throws(BreezeError) -> Paired {
        guard case .revealed(let hello, let agreement, let since) = state,
            QuestionLine.isWithin(Self.decisionWithin, of: since, now), let question = agreement.question
        else { throw SchemeFault.pairing("none waits for this") }
        state = .idle
        var answer = SchemeAnswer(.paired, to: hello.requestID)
        answer.app = agreement.app
        answer.granted = hello.asked
        let app = PairedApp(agreement.app, callback: hello.callback, keys: agreement.keys)
        let header = EnvelopeHeader(.request, app: agreement.app, nonce: question, expiry: 0)
        let envelope = try ReplyAddress(app, header).seal(answer, at: now, nonce: nonce)
        return Paired(app: app, hello: hello, envelope: envelope)
    }

    /// The owner said no, or closed the question.
    /// - Returns: The plain answer to the app, and its callback; `nil` where nobody was asked about.
    package mutating func refuse() -> (SchemeAnswer, CallbackScheme)? {
        guard case .revealed(let hello, _, _) = state else { return nil }
        state = .idle
        let error = BreezeError(
            .appRefused,
            "The owner refused to pair.",
            remedy: "Compare the codes, and begin anew in a minute."
        )
        return (.failed(error, to: hello.requestID), hello.callback)
    }

    package static func randomNonce() -> [UInt8] {
        (0..<PairingAgreement.nonceLength).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// How long until a hello is taken; `nil` where one is now.
    private func wait(at now: Int64) -> Int64? {
        let open: (since: Int64, length: Int64)? =
            switch state {
            case .idle: nil
            case .offered(_, _, _, _, let since): (since, Self.revealWithin)
            case .revealed(_, _, let since): (since, Self.decisionWithin)
            }
        let last = lastHello.map { (since: $0, length: Self.apart) }
        return [open, last].compactMap(\.self)
            .filter { QuestionLine.isWithin($0.length, of: $0.since, now) }
            .map { $0.since + $0.length - now }.max()
    }

    private static func agree(
        _ hello: PairingHello,
        _ app: AppID,
        _ key: PairingKey,
        offer: [UInt8],
        reveal: [UInt8]
    ) throws(BreezeError) -> PairingAgreement {
        guard reveal.count == PairingAgreement.messageLength, reveal.starts(with: app.bytes) else {
            throw SchemeFault.pairing("what was shown is for another one")
        }
        let theirs = reveal[12..<44]
        guard PairingAgreement.commitment(key: theirs, nonce: reveal[44...]) == hello.commitment else {
            throw SchemeFault.pairing("what was shown is not what was committed to")
        }
        let shared = try key.agree(with: Array(theirs))
        return PairingAgreement(hello: hello.bytes, offer: offer, reveal: reveal, app: app, shared: shared)
    }
}
#endif
