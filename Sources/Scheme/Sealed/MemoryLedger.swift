#if Hub || Pairing
import Synchronization

/// A ledger that is as durable as its process: for tests, and for programs that keep their own word.
package final class MemoryLedger: NonceLedger, PartShelf {
    private struct Key: Hashable {
        let app: AppID
        let nonce: MessageNonce
    }

    private struct State {
        var last: Int64 = 0
        var nonces: [Key: UInt64] = [:]
        var told: [AppID: Int64] = [:]
        var parts: [AppID: PartSet] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// How many nonces are kept.
    package var count: Int { state.withLock(\.nonces.count) }

    package func last() -> Int64 { state.withLock(\.last) }

    package func take(
        _ nonce: MessageNonce,
        of app: AppID,
        until expiry: UInt64,
        at now: Int64
    ) -> NonceDecision {
        state.withLock { state in
            let now = max(now, state.last)
            guard NonceRules.isCurrent(expiry, at: now) else {
                let isToBeTold = NonceRules.isToBeTold(since: state.told[app], at: now)
                if isToBeTold { state.told[app] = now }
                return .expired(at: now, isToBeTold: isToBeTold)
            }
            let key = Key(app: app, nonce: nonce)
            guard state.nonces[key] == nil else { return .replayed }
            state.nonces = state.nonces.filter { $0.value > UInt64(now) }
            state.last = now
            guard state.nonces.count(where: { $0.key.app == app }) < NonceRules.limit else { return .full }
            state.nonces[key] = expiry
            return .taken(at: now)
        }
    }

    package func takeParts(of app: AppID) -> PartSet? {
        state.withLock { $0.parts.removeValue(forKey: app) }
    }

    package func putParts(_ parts: PartSet, of app: AppID) {
        state.withLock { $0.parts[app] = parts }
    }
}
#endif
