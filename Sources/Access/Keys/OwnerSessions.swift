#if Hub
package import Foundation
import Synchronization

/// The owner at the control panel: a link that works once makes a token for the page that opened it.
///
/// All of it is in memory alone: a restart ends every session.
package final class OwnerSessions: Sendable {
    private struct Issued {
        let digest: KeyDigest
        let expires: Date
    }

    private struct State {
        /// Links that were opened, by id, until they would have been too old anyway.
        var used: [String: Date] = [:]
        var sessions: [String: Issued] = [:]
    }

    private static let most = 16
    package static let linkLifetime = Duration.seconds(60)

    /// What makes links. Whoever may read it is the owner: the hub keeps it where nobody else may.
    package let proof: String
    private let sessionLifetime: TimeInterval
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    package init(
        sessionLifetime: Duration = .seconds(12 * 3600),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        proof = KeyText.make(.proof).text
        self.sessionLifetime = sessionLifetime / .seconds(1)
        self.now = now
    }

    /// For the fragment of the panel's address. Taken once, within a minute.
    package func makeLinkCode() -> String { Self.linkCode(proof: proof, now: now()) }

    /// The same, made by another process of the owner.
    package static func linkCode(proof: String, now: Date = Date()) -> String {
        LinkCode.make(proof: proof, expires: now.addingTimeInterval(linkLifetime / .seconds(1)))
    }

    /// The token that the page sends from then on, and until when.
    /// - Throws: ``BreezeError`` `.invalidKey` where the code is unknown, used or too old.
    package func redeem(_ code: String) throws -> (token: String, expires: Date) {
        let time = now()
        guard let link = LinkCode(code, proof: proof), time < link.expires else {
            throw AccessFault.badLinkCode
        }
        let (key, text) = KeyText.make(.owner)
        let expires = time.addingTimeInterval(sessionLifetime)
        try state.withLock { state in
            state.used = state.used.filter { time < $0.value }
            guard state.used.updateValue(link.expires, forKey: link.id) == nil else {
                throw AccessFault.badLinkCode
            }
            state.sessions = state.sessions.filter { time < $0.value.expires }
            let oldest = state.sessions.min { $0.value.expires < $1.value.expires }
            if let oldest, state.sessions.count >= Self.most { state.sessions[oldest.key] = nil }
            state.sessions[key.id] = Issued(digest: key.digest, expires: expires)
        }
        return (text, expires)
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
        state.withLock { $0.sessions = [:] }
    }
}
#endif
