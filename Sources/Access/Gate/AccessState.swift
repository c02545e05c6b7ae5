#if Hub
import BreezeCore
import Foundation

/// What the gate decides by, without a lock, a clock or a disk.
struct AccessState: Sendable {
    struct HeldKey: Sendable {
        var key: AppKey
        let digest: KeyDigest
    }

    var apps: [String: App] = [:]
    var keys: [String: HeldKey] = [:]
    var meter = QuotaMeter()
    var calendar: QuotaCalendar
    var pending = PendingWrites()
    /// Requests that began and have no entry yet: each has a place in the queue.
    var running = 0
    /// Denials that found no place in the queue.
    var omittedDenials = 0
    /// Why the last attempt to write failed.
    var fault: BreezeError?

    init(calendar: QuotaCalendar) {
        self.calendar = calendar
    }

    /// Whose key it is. `nil` for none of ours, and for one that was withdrawn.
    func owner(of key: KeyText, at time: Date) -> App? {
        guard let held = keys[key.id], held.digest.matches(key.digest), held.key.isValid(at: time) else {
            return nil
        }
        return apps[held.key.app]
    }

    func admit(_ app: App, for need: AccessNeed, at time: Date) throws(BreezeError) -> Locality {
        if let fault = AccessFault.state(app, at: time) { throw fault }
        if case .owner = need { throw AccessFault.ownerOnly }
        guard let reach = app.granted.reach(for: need) else {
            throw AccessFault.scope(app, lacks: Self.words(need, granted: app.granted))
        }
        return reach
    }

    /// Counts a request of `app`, or throws where the day's quota is spent.
    mutating func count(_ app: App, at time: Date, holding tokens: Int) throws(BreezeError) -> QuotaMeter.Key
    {
        let day = calendar.day(at: time)
        let key = QuotaMeter.Key(app: app.id, day: day.number)
        if let spent = meter.spent(app.quota, key) {
            throw AccessFault.quota(app, spent, retryAfter: day.remaining(at: time))
        }
        meter.begin(key, holding: tokens)
        pending.add(QuotaUse(requests: 1), to: key)
        return key
    }

    mutating func note(app: String, key: String, at time: Date) {
        apps[app]?.lastUsed = time
        keys[key]?.key.lastUsed = time
        pending.note(app: app, key: key, at: time)
    }

    /// What a denied app is told that it may not do.
    private static func words(_ need: AccessNeed, granted: AppScopes) -> String {
        switch need {
        case .inference(let capability, _):
            granted.capabilities[capability] == nil
                ? "the capability \(capability)" : "to use a network service for \(capability)"
        case .models: "to pull, delete or copy models"
        case .listing, .owner: "to do this"
        }
    }
}
#endif
