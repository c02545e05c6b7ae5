import BreezeCore
import Foundation

/// Counts what apps use. A request is counted when it begins, and what it is expected to need is held for it;
/// what it did need takes that place when it ends.
struct QuotaMeter: Sendable {
    struct Key: Hashable, Sendable {
        let app: String
        let day: Int
    }

    private var used: [Key: QuotaUse]
    /// Tokens of requests that have not ended.
    private var held: [Key: Int] = [:]

    init(_ used: [Key: QuotaUse] = [:]) {
        self.used = used
    }

    func use(of key: Key) -> QuotaUse { used[key] ?? QuotaUse() }

    /// What of the quota is spent, as a person says it; `nil` where there is room for one more request.
    func spent(_ quota: Quota, _ key: Key) -> String? {
        let use = use(of: key)
        if let limit = quota.requests, use.requests >= limit { return "\(limit) requests" }
        if let limit = quota.tokens, use.tokens + (held[key] ?? 0) >= limit { return "\(limit) tokens" }
        if let limit = quota.computeMinutes, use.computeSeconds >= limit * 60 {
            return "\(limit.formatted()) minutes of compute"
        }
        return nil
    }

    mutating func begin(_ key: Key, holding tokens: Int) {
        used[key, default: QuotaUse()].requests += 1
        if tokens > 0 { held[key, default: 0] += tokens }
    }

    mutating func end(_ key: Key, held tokens: Int, used use: QuotaUse) {
        if tokens > 0 {
            let rest = (held[key] ?? 0) - tokens
            held[key] = rest > 0 ? rest : nil
        }
        used[key, default: QuotaUse()] += use
    }

    /// The clock may be set back, so that a day comes again; those before the last few do not.
    mutating func forget(before day: Int) {
        used = used.filter { $0.key.day >= day }
        held = held.filter { $0.key.day >= day }
    }

    mutating func forget(app: String) {
        used = used.filter { $0.key.app != app }
    }
}
