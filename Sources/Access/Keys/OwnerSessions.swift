#if Hub
package import Foundation
import Synchronization

/// The owner at the control panel: a link that works once makes a token for the page that opened it.
///
/// Both are in memory alone, as digests: a restart ends every session.
package final class OwnerSessions: Sendable {
    private struct Issued {
        let digest: KeyDigest
        let expires: Date
    }

    private struct State {
        var links: [String: Issued] = [:]
        var sessions: [String: Issued] = [:]
    }

    private static let most = 16

    private let linkLifetime: TimeInterval
    private let sessionLifetime: TimeInterval
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    package init(
        linkLifetime: Duration = .seconds(60),
        sessionLifetime: Duration = .seconds(12 * 3600),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.linkLifetime = linkLifetime / .seconds(1)
        self.sessionLifetime = sessionLifetime / .seconds(1)
        self.now = now
    }

    /// For the fragment of the panel's address. Taken once, within a minute.
    package func makeLinkCode() -> String {
        state.withLock { Self.issue(.link, to: &$0.links, now: now(), lifetime: linkLifetime) }
    }

    /// The token that the page sends from then on.
    /// - Throws: ``BreezeError`` `.invalidKey` where the code is unknown, used or too old.
    package func redeem(_ code: String) throws -> String {
        let time = now()
        guard let key = KeyText(code, .link) else { throw AccessFault.badLinkCode }
        return try state.withLock { state in
            guard let link = state.links[key.id], link.digest.matches(key.digest), time < link.expires else {
                throw AccessFault.badLinkCode
            }
            state.links[key.id] = nil
            return Self.issue(.owner, to: &state.sessions, now: time, lifetime: sessionLifetime)
        }
    }

    package func isOwner(_ token: String) -> Bool {
        let time = now()
        guard let key = KeyText(token, .owner) else { return false }
        return state.withLock { state in
            state.sessions[key.id].map { $0.digest.matches(key.digest) && time < $0.expires } ?? false
        }
    }

    /// Ends the session of `token`.
    package func end(_ token: String) {
        guard isOwner(token), let key = KeyText(token, .owner) else { return }
        state.withLock { $0.sessions[key.id] = nil }
    }

    package func endAll() {
        state.withLock { $0 = State() }
    }

    private static func issue(
        _ kind: KeyText.Kind,
        to issued: inout [String: Issued],
        now: Date,
        lifetime: TimeInterval
    ) -> String {
        issued = issued.filter { now < $0.value.expires }
        if issued.count >= most, let oldest = issued.min(by: { $0.value.expires < $1.value.expires }) {
            issued[oldest.key] = nil
        }
        let (key, text) = KeyText.make(kind)
        issued[key.id] = Issued(digest: key.digest, expires: now.addingTimeInterval(lifetime))
        return text
    }
}
#endif
