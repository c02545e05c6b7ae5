#if Hub || Pairing
import Synchronization

/// A ledger that is as durable as its process: for tests, and for programs that keep their own word.
package final class MemoryLedger: NonceLedger, PartShelf {
    private struct State {
        var last: Int64 = 0
        var nonces: [AppID: [MessageNonce: UInt64]] = [:]
        var earliestExpiry = UInt64.max
        var told: [AppID: Int64] = [:]
        var parts: [AppID: PartSet] = [:]

        mutating func forgetExpired() {
            let now = UInt64(last)
            guard earliestExpiry <= now else { return }
            nonces = nonces.mapValues { kept in kept.filter { $0.value > now } }.filter { !$0.value.isEmpty }
            earliestExpiry = nonces.values.compactMap { $0.values.min() }.min() ?? .max
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// How many nonces are kept.
    package var count: Int { state.withLock { $0.nonces.values.reduce(0) { $0 + $1.count } } }

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
            guard state.nonces[app]?[nonce] == nil else { return .replayed }
            state.last = now
            state.forgetExpired()
            guard state.nonces[app, default: [:]].count < NonceRules.limit else { return .full }
            state.nonces[app, default: [:]][nonce] = expiry
            state.earliestExpiry = min(state.earliestExpiry, expiry)
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
