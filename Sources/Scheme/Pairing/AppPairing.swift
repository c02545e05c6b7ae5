#if Hub || Pairing
package import BreezeCore

/// The app's side of pairing: one at a time, one in a minute; section 5 of docs/url-scheme.md as a value without I/O.
///
/// Times are the app's own, in milliseconds since 1970.
package struct AppPairing: Sendable {
    /// What the app keeps when both people said yes.
    package struct Paired: Sendable {
        package let app: AppID
        package let keys: SealingKeys
        package let granted: [String: SchemeReach]
    }

    private enum State {
        case asked(key: PairingKey, nonce: [UInt8], since: Int64)
        case revealed(PairingAgreement, since: Int64)
        case ended
    }

    static let offerWithin: Int64 = 60_000
    static let endWithin: Int64 = 240_000

    /// Goes to `breezeapp://pair?hello=…`.
    package let hello: PairingHello
    private var state: State
    private var isConfirmed = false
    private var granted: [String: SchemeReach]?

    /// `last` is when the app began its last pairing; `nil` where it never did.
    /// - Throws: ``BreezeError`` for what the hub would refuse: a name, a callback, a second attempt in a minute.
    package init(
        name: String,
        callback: CallbackScheme,
        asked: [AICapability: SchemeReach],
        at now: Int64,
        last: Int64?
    ) throws(BreezeError) {
        if let last, QuestionLine.isWithin(HubPairing.apart, of: last, now) {
            throw SchemeFault.rateLimited(
                "One pairing is tried in a minute",
                retryAfter: last + HubPairing.apart - now
            )
        }
        let key = PairingKey()
        let nonce = HubPairing.randomNonce()
        let commitment = PairingAgreement.commitment(key: key.publicBytes, nonce: nonce)
        let members = Members(
            v: 1,
            name: name,
            callback: callback.name,
            commit: StrictBase64.url(commitment),
            asked: Dictionary(uniqueKeysWithValues: asked.map { ($0.rawValue, $1) })
        )
        let bytes = try SchemeWriter.bytes(members)
        guard bytes.count <= SchemeURL.helloLimit else {
            throw SchemeFault.tooLarge("The hello is too large")
        }
        do throws(SchemeRefusal) {
            self.init(try PairingHello(parsing: bytes), key: key, nonce: nonce, at: now)
        } catch { throw error.error }
    }

    /// The hello commits to `key` and `nonce`.
    init(_ hello: PairingHello, key: PairingKey, nonce: [UInt8], at now: Int64) {
        self.hello = hello
        state = .asked(key: key, nonce: nonce, since: now)
    }

    private struct Members: Encodable {
        let v: Int
        let name: String
        let callback: String
        let commit: String
        let asked: [String: SchemeReach]
    }

    /// The code to show, once an offer was taken.
    package var code: String? {
        if case .revealed(let agreement, _) = state { agreement.code } else { nil }
    }

    /// What came to the callback, plain, for what goes to `breezeapp://pair?reveal=…`.
    /// - Throws: ``BreezeError`` `.pairingFailed`. A second offer ends the pairing, and so does one that is not as it
    ///   should be; an answer to something else changes nothing.
    package mutating func take(_ answer: SchemeAnswer, at now: Int64) throws(BreezeError) -> [UInt8] {
        guard answer.state == .pairing, answer.requestID == hello.requestID, let offer = answer.offer else {
            throw SchemeFault.pairing("this is not the hub's offer")
        }
        return try take(offer: offer, at: now)
    }

    mutating func take(offer: [UInt8], at now: Int64) throws(BreezeError) -> [UInt8] {
        guard case .asked(let key, let nonce, let since) = state,
            QuestionLine.isWithin(Self.offerWithin, of: since, now),
            offer.count == PairingAgreement.messageLength, let app = AppID(offer.prefix(AppID.length))
        else {
            state = .ended
            throw SchemeFault.pairing("this is not the one offer that was awaited")
        }
        state = .ended
        let reveal = app.bytes + key.publicBytes + nonce
        let shared = try key.agree(with: Array(offer[12..<44]))
        let agreement = PairingAgreement(
            hello: hello.bytes,
            offer: offer,
            reveal: reveal,
            app: app,
            shared: shared
        )
        state = .revealed(agreement, since: now)
        return reveal
    }

    /// The app's own person said that Breeze shows the same code.
    /// - Returns: The keys, where the hub's word was there already.
    package mutating func confirm(at now: Int64) -> Paired? {
        guard case .revealed = state else { return nil }
        isConfirmed = true
        return finish()
    }

    /// The app's person said no.
    package mutating func refuse() {
        state = .ended
    }

    /// The hub's last word: sealed, with the keys of this pairing.
    /// - Returns: The keys, where the app's person said yes already.
    /// - Throws: ``BreezeError``; what somebody else sent changes nothing.
    package mutating func take(paired data: [UInt8], at now: Int64) throws(BreezeError) -> Paired? {
        guard case .revealed(let agreement, let since) = state, let question = agreement.question,
            QuestionLine.isWithin(Self.endWithin, of: since, now)
        else { throw SchemeFault.pairing("nothing is awaited") }
        var session = AppSession(agreement.app, keys: agreement.keys, outstanding: [question])
        guard case .answer(let answer) = try session.open(data, at: now), answer.state == .paired,
            answer.app == agreement.app
        else { throw SchemeFault.pairing("the hub said something else") }
        granted = answer.granted ?? [:]
        return finish()
    }

    private mutating func finish() -> Paired? {
        guard isConfirmed, let granted, case .revealed(let agreement, _) = state else { return nil }
        state = .ended
        return Paired(app: agreement.app, keys: agreement.keys, granted: granted)
    }
}
#endif
