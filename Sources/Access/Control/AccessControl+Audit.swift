#if Hub
import BreezeCore
import BreezeStore
package import Foundation

extension AccessControl {
    package static let longestPage = 10_000

    /// What happened from `since` to before `until`, newest first, the requests of a moment ago included.
    /// `cursor` is ``AuditPage/next`` of the page before.
    package func audit(
        since: Date? = nil,
        until: Date? = nil,
        app: String? = nil,
        limit: Int = 100,
        before cursor: AuditPage.Cursor? = nil
    ) async throws -> AuditPage {
        guard (1...Self.longestPage).contains(limit) else {
            throw BreezeError(
                .invalidParameter,
                "A page of the audit log has 1 to \(Self.longestPage) entries, not \(limit).",
                remedy: "Ask for less, and for the next page with the cursor of this one."
            )
        }
        // What cannot be written cannot be shown, and what was written still can.
        try? await flush()
        return try await store.read { database in
            try AuditRecords.page(
                since: since,
                until: until,
                app: app,
                limit: limit,
                before: cursor,
                database
            )
        }
    }
}
#endif
