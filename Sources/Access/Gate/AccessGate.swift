#if Hub
package import BreezeCore
import Foundation
import Synchronization

/// Decides who may do what. All of it in memory, under one lock, with nothing in it that waits: what has to
/// be kept is put in a queue of bounded length.
///
/// Who cannot be written down is not let in. A crash loses what was queued in the last half second.
package final class AccessGate: Sendable {
    /// A client on this device without a key of ours is let in, to ask models on this device.
    package let isOpen: Bool
    package let sessions: OwnerSessions
    private let capacity: Int
    private let now: @Sendable () -> Date
    private let state: Mutex<AccessState>
    private let wake: @Sendable () -> Void

    /// `capacity` is how many entries of the audit log may wait, requests that run included; `wake` is called
    /// when the first one does.
    init(
        state: consuming AccessState,
        isOpen: Bool,
        sessions: OwnerSessions,
        capacity: Int,
        now: @escaping @Sendable () -> Date,
        wake: @escaping @Sendable () -> Void
    ) {
        self.isOpen = isOpen
        self.sessions = sessions
        self.capacity = capacity
        self.now = now
        self.wake = wake
        self.state = Mutex(state)
    }

    /// Lets a request in, or says why not; either way it is written down.
    ///
    /// `expectedTokens` are held against the quota of tokens until the request is settled, so that requests
    /// that run at once do not all count on the same rest. What is held may be more than the rest: the last
    /// request of a day may end beyond the quota, and the next one is refused.
    ///
    /// `scheme` names the app that asked by URL; it counts where the owner's own handler says so.
    /// - Throws: ``BreezeError`` with a code of this module, or `.busy` where the audit log does not keep up.
    package func authorise(
        _ credential: Credential,
        for need: AccessNeed,
        from caller: Caller,
        request: String,
        expectedTokens: Int = 0,
        scheme: String? = nil
    ) throws(BreezeError) -> AccessGrant {
        let time = now()
        // A client may say any number.
        let expectedTokens = min(max(0, expectedTokens), 1 << 40)
        // Hashing needs no lock.
        var key: KeyText?
        if case .bearer(let text) = credential { key = KeyText(text, .app) }
        var isOwner = false
        if case .ownerToken(let token) = credential { isOwner = sessions.isOwner(token) }
        let (outcome, wakes) = state.withLock { state in
            let wasEmpty = state.pending.isEmpty
            var subject = AuditSubject.unknown
            let outcome = Result { () throws(BreezeError) -> AccessGrant.Facts in
                guard state.running + state.pending.entries.count < capacity else {
                    throw AccessFault.auditFull(state.fault)
                }
                var (meter, reach, shown) = (QuotaMeter.Key?.none, Locality.onDevice, String?.none)
                if isOwner {
                    subject = scheme.map { .scheme(AuditEntry.name($0)) } ?? .owner
                    reach = Self.ownersReach(need)
                } else if let key, let app = state.owner(of: key, at: time) {
                    subject = .app(app.id)
                    reach = try state.admit(app, for: need, at: time)
                    // Looking around is free: quotas are for answers.
                    if need.capability != nil {
                        meter = try state.count(app, at: time, holding: expectedTokens)
                    }
                    shown = key.id
                    state.note(app: app.id, key: key.id, at: time)
                } else {
                    if isAnonymous(credential, caller) { subject = .anonymous }
                    try checkAnonymous(credential, caller, need)
                }
                state.running += 1
                return AccessGrant.Facts(
                    request: request,
                    subject: subject,
                    uid: caller.uid,
                    key: shown,
                    need: need,
                    locality: reach,
                    time: time,
                    meter: meter,
                    heldTokens: meter == nil ? 0 : expectedTokens
                )
            }
            if case .failure(let error) = outcome {
                let entry = Self.denial(error, who: subject, need, caller, request: request, at: time)
                deny(entry, subject, need, error.code, &state)
            }
            return (outcome, wasEmpty && !state.pending.isEmpty)
        }
        if wakes { wake() }
        return AccessGrant(try outcome.get(), gate: self)
    }

    /// Writes down that a request was refused before anybody looked at its key.
    package func note(_ refusal: BreezeError, from caller: Caller, request: String) {
        let entry = Self.denial(refusal, who: .unknown, .listing, caller, request: request, at: now())
        let wakes = state.withLock { state in
            let wasEmpty = state.pending.isEmpty
            deny(entry, .unknown, .listing, refusal.code, &state)
            return wasEmpty && !state.pending.isEmpty
        }
        if wakes { wake() }
    }

    private func deny(
        _ entry: AuditEntry,
        _ subject: AuditSubject,
        _ need: AccessNeed,
        _ code: BreezeError.Code,
        _ state: inout AccessState
    ) {
        let isKept = state.pending.deny(
            entry,
            who: subject,
            need: need,
            code: code,
            // Whoever is turned away must not fill the queue for the others.
            limit: capacity / 4
        )
        if !isKept { state.omittedDenials += 1 }
    }

    /// Whether this is somebody who may ask for something. Nothing is decided by it, and nothing written down.
    package func knows(_ credential: Credential, from caller: Caller) -> Bool {
        if case .ownerToken(let token) = credential { return sessions.isOwner(token) }
        return app(of: credential) != nil || isAnonymous(credential, caller)
    }

    /// Whose key it is, whatever the owner said of that app; `nil` for a key that does not count, and for everybody else.
    package func app(of credential: Credential) -> App? {
        guard case .bearer(let text) = credential, let key = KeyText(text, .app) else { return nil }
        let time = now()
        return state.withLock { $0.owner(of: key, at: time) }
    }

    func settle(_ facts: AccessGrant.Facts, _ outcome: RequestOutcome, isCounted: Bool = true) {
        let entry = Self.entry(facts, outcome)
        let wakes = state.withLock { state in
            let wasEmpty = state.pending.isEmpty
            state.running -= 1
            state.pending.add(entry)
            if let meter = facts.meter {
                let use = QuotaUse(
                    requests: isCounted ? 0 : -1,
                    tokens: max(0, outcome.usage.inputTokens) + max(0, outcome.usage.outputTokens),
                    computeSeconds: max(0, outcome.computeSeconds)
                )
                state.meter.end(meter, held: facts.heldTokens, used: use)
                state.pending.add(use, to: meter)
            }
            return wasEmpty
        }
        if wakes { wake() }
    }

    /// What an app has used of today.
    package func useToday(of app: String) -> QuotaUse {
        let time = now()
        return state.withLock { state in
            let day = state.calendar.day(at: time).number
            return state.meter.use(of: QuotaMeter.Key(app: app, day: day))
        }
    }

    func withState<Value>(_ body: (inout AccessState) throws -> sending Value) rethrows -> sending Value {
        try state.withLock(body)
    }

    // MARK: - Without a key

    /// Clients of the common APIs always send some key: one that is not of our form is none.
    private func isAnonymous(_ credential: Credential, _ caller: Caller) -> Bool {
        guard isOpen, caller != .network else { return false }
        switch credential {
        case .none: return true
        case .bearer(let text): return !KeyText.isMeant(text, .app)
        case .ownerToken: return false
        }
    }

    private func checkAnonymous(
        _ credential: Credential,
        _ caller: Caller,
        _ need: AccessNeed
    ) throws(BreezeError) {
        guard isAnonymous(credential, caller) else {
            switch credential {
            case .none: throw AccessFault.noKey
            case .bearer: throw AccessFault.badKey
            case .ownerToken: throw AccessFault.badOwnerToken
            }
        }
        switch need {
        case .listing, .inference(_, nil), .inference(_, .onDevice): return
        case .inference(_, .network), .models, .owner: throw AccessFault.openMode
        }
    }

    private static func ownersReach(_ need: AccessNeed) -> Locality {
        if case .inference(_, .onDevice) = need { .onDevice } else { .network }
    }
}
#endif
