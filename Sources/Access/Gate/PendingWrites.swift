#if Hub
import BreezeCore
import Foundation

/// What has happened and is not on the disk yet.
struct PendingWrites: Sendable {
    private struct Denial: Hashable {
        let who: AuditSubject
        let uid: UInt32?
        let need: AccessNeed
        let code: BreezeError.Code
    }

    private(set) var entries: [AuditEntry] = []
    private(set) var use: [QuotaMeter.Key: QuotaUse] = [:]
    private(set) var appsUsed: [String: Date] = [:]
    private(set) var keysUsed: [String: Date] = [:]
    private var denials: [Denial: Int] = [:]

    var isEmpty: Bool { entries.isEmpty && use.isEmpty && appsUsed.isEmpty && keysUsed.isEmpty }

    mutating func add(_ entry: AuditEntry) { entries.append(entry) }

    mutating func add(_ part: QuotaUse, to key: QuotaMeter.Key) { use[key, default: QuotaUse()] += part }

    mutating func note(app: String, key: String, at time: Date) {
        appsUsed[app] = time
        keysUsed[key] = time
    }

    /// The same denial once more is counted in the entry of the first. `false` where a new entry is needed
    /// and `limit` has no room for it.
    mutating func deny(
        _ entry: AuditEntry,
        who: AuditSubject,
        need: AccessNeed,
        code: BreezeError.Code,
        limit: Int
    ) -> Bool {
        let denial = Denial(who: who, uid: entry.uid, need: need, code: code)
        if let index = denials[denial] {
            entries[index].count += 1
            return true
        }
        guard entries.count < limit else { return false }
        denials[denial] = entries.count
        entries.append(entry)
        return true
    }

    /// Puts back what could not be written, before what came since.
    mutating func putBack(_ earlier: PendingWrites) {
        entries.insert(contentsOf: earlier.entries, at: 0)
        denials = denials.mapValues { $0 + earlier.entries.count }
        for (key, part) in earlier.use { use[key, default: QuotaUse()] += part }
        appsUsed.merge(earlier.appsUsed) { mine, _ in mine }
        keysUsed.merge(earlier.keysUsed) { mine, _ in mine }
    }
}
#endif
