#if Hub
package import BreezeCore
import Foundation
import Synchronization

/// Leave to do one thing once. Whoever gets it says how it went, with ``settle(_:)`` or ``release()``; one
/// that is dropped without counts as cancelled.
package final class AccessGrant: Sendable {
    /// Plain values, so that the gate can be told when the grant itself is gone.
    struct Facts: Sendable {
        let request: String
        let subject: AuditSubject
        let uid: UInt32?
        let key: String?
        let need: AccessNeed
        let locality: Locality
        let time: Date
        let meter: QuotaMeter.Key?
        let heldTokens: Int
    }

    let facts: Facts
    private let gate: AccessGate
    private let isOver = Atomic(false)

    init(_ facts: Facts, gate: AccessGate) {
        self.facts = facts
        self.gate = gate
    }

    deinit {
        if !isOver.load(ordering: .acquiring) {
            gate.settle(facts, RequestOutcome("cancelled", error: .cancelled))
        }
    }

    package var request: String { facts.request }
    package var subject: AuditSubject { facts.subject }
    package var need: AccessNeed { facts.need }
    /// The id of the key that was shown.
    package var key: String? { facts.key }
    /// How far the request may go. `.network` is no consent: that is the engine's to ask for.
    package var locality: Locality { facts.locality }
    /// What the engine has to be told of ``locality``.
    package var privacy: PrivacyScope { locality == .network ? .userSettings : .onDevice }
    /// For ``InferenceRequest/client``: the same for all requests of one app.
    package var client: String { subject.client }

    /// Tells how it went: counts it, and writes it down. Only the first time counts.
    package func settle(_ outcome: RequestOutcome) {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        gate.settle(facts, outcome)
    }

    /// For a request that was refused before anything ran: written down, and not counted against the quota.
    package func release(_ error: BreezeError) {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        gate.settle(facts, .failed(error), isCounted: false)
    }
}

/// Something that others want to know, whichever process did it.
package enum AccessChange: Hashable, Sendable {
    /// New, decided, changed, expired or removed; a removed one comes as revoked.
    case app(App)
    case keyRevoked(id: String, app: String)
    case pull(PullRequest)

    /// Whether a request that runs with this grant has to end.
    package func ends(_ grant: AccessGrant) -> Bool {
        switch self {
        case .app(let app):
            guard grant.subject == .app(app.id) else { return false }
            guard app.state == .approved, let reach = app.granted.reach(for: grant.need) else { return true }
            return grant.locality == .network && reach == .onDevice
        case .keyRevoked(let id, _):
            return grant.key == id
        case .pull:
            return false
        }
    }
}
#endif
