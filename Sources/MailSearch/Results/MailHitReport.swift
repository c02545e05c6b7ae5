import BreezeMail

/// A hit for scripts and for the hub's API: one form for both.
package struct MailHitReport: Encodable, Sendable {
    package let messageID: String
    package let path: String
    package let score: Double
    package let id: Int64
    package let subject: String
    package let from: String
    package let date: String?
    /// The name that `thread:` takes.
    package let thread: String?
    package let snippet: String
    package let explanation: HitExplanation?

    package init(_ hit: SearchHit) {
        (messageID, path, score, id) = (hit.messageID, hit.path, hit.score, hit.message)
        (subject, from) = (hit.subject, hit.from.map(\.shown).joined(separator: ", "))
        date = hit.date?.iso
        (thread, snippet, explanation) = (hit.threadName, hit.snippet.text, hit.explanation)
    }
}
